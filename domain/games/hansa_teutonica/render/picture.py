"""The table as a picture: the map, what its signs mean, and the players below."""

from __future__ import annotations

from domain.engine.panel import PAPER
from domain.engine.svg import document, group, rect
from domain.engine.telling import Words
from domain.games.hansa_teutonica.render import chart, legend, panel, room
from domain.games.hansa_teutonica.render.words import summary
from domain.games.hansa_teutonica.telling import ENGLISH
from domain.games.hansa_teutonica.view import View

MARGIN = 20


def svg(view: View, _words: Words = ENGLISH) -> str:
    """The whole table as this seat sees it; narrow enough to be read on a telephone."""
    left, top, across, down = room.frame(view.map)
    below = 2 * MARGIN + down
    players = below + legend.height(view, across)
    width, height = across + 2 * MARGIN, players + panel.height(view, across)
    return document(
        int(width),
        int(height),
        "Hansa Teutonica",
        summary(view),
        rect(0, 0, width, height, fill=PAPER),
        group(*chart.parts(view), at=(MARGIN - left, MARGIN - top)),
        group(*legend.parts(view, across), at=(MARGIN, below + 12)),
        group(*panel.parts(view, across), at=(MARGIN, players)),
    )
