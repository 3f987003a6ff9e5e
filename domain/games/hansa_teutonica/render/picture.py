"""The table as a picture: the map, the players, and the legend."""

from __future__ import annotations

from domain.engine.drawing.layout import Picture, plain_panel
from domain.engine.drawing.svg import group
from domain.engine.sentences import Words
from domain.games.hansa_teutonica.render import chart, ground, legend, panel, room
from domain.games.hansa_teutonica.render.sentences import Scene
from domain.games.hansa_teutonica.view import View

SCALE = 1.3
"""How large the map is beside the other panels, so that chats show its letters large enough."""


def draw(view: View, words: Words) -> Picture:
    """The table as this seat sees it."""
    scene = Scene(view, words)
    width, height = room.drawing(view.map).size
    size = width * SCALE, height * SCALE
    panels = (
        plain_panel(words, "map", size, [group(*chart.parts(scene), scale=SCALE)]),
        *panel.panels(scene),
        *legend.panels(scene),
    )
    return Picture(words("title"), scene.summary, panels, (ground.patterns(view.map),))
