"""The table as a picture: the map on the left, the players on the right."""

from __future__ import annotations

from domain.engine.panel import PAPER
from domain.engine.svg import document, group, rect
from domain.games.hansa_teutonica.render import chart, legend, panel, room
from domain.games.hansa_teutonica.render.words import summary
from domain.games.hansa_teutonica.view import View

MARGIN = 20


def svg(view: View) -> str:
    """The whole table as this seat sees it."""
    width = room.WIDTH + panel.WIDTH + 3 * MARGIN
    tall = int(room.height(view.map)) + 2 * MARGIN
    height = max(tall + legend.HEIGHT, panel.height(view))
    return document(
        width,
        height,
        "Hansa Teutonica",
        summary(view),
        rect(0, 0, width, height, fill=PAPER),
        group(*chart.parts(view), at=(MARGIN, MARGIN)),
        group(*legend.parts(view), at=(MARGIN, tall + 8)),
        group(*panel.parts(view), at=(room.WIDTH + 2 * MARGIN, 0)),
    )
