"""The table as a picture: the map, its legend, and the players below."""

from __future__ import annotations

from domain.engine.drawing.panel import PAPER
from domain.engine.drawing.svg import document, group, rect
from domain.engine.sentences import Words
from domain.games.hansa_teutonica.render import chart, legend, panel, room
from domain.games.hansa_teutonica.render.sentences import Scene
from domain.games.hansa_teutonica.view import View

MARGIN = 20


def svg(view: View, words: Words) -> str:
    """The whole table as this seat sees it, narrow enough for a telephone."""
    scene = Scene(view, words)
    left, top, across, down = room.frame(view.map, room.labels(scene))
    below = 2 * MARGIN + down
    players = below + legend.height(scene, across)
    width, height = across + 2 * MARGIN, players + panel.height(scene, across)
    return document(
        int(width),
        int(height),
        words("title"),
        scene.summary,
        rect(0, 0, width, height, fill=PAPER),
        group(*chart.parts(scene), at=(MARGIN - left, MARGIN - top)),
        group(*legend.parts(scene, across), at=(MARGIN, below + 12)),
        group(*panel.parts(scene, across), at=(MARGIN, players)),
    )
