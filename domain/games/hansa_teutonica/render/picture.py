"""The table as a picture: the map, the players, and the legend."""

from __future__ import annotations

from domain.engine.drawing.layout import Picture, plain_panel
from domain.engine.drawing.svg import group
from domain.engine.sentences import Words
from domain.games.hansa_teutonica.render import chart, legend, panel, room
from domain.games.hansa_teutonica.render.sentences import Scene
from domain.games.hansa_teutonica.view import View


def draw(view: View, words: Words) -> Picture:
    """The table as this seat sees it."""
    scene = Scene(view, words)
    left, top, across, down = room.frame(view.map, room.labels(scene))
    chart_group = group(*chart.parts(scene), at=(-left, -top))
    panels = (
        plain_panel(words, "map", (across, down), [chart_group]),
        *panel.panels(scene),
        legend.panel(scene),
    )
    return Picture(words("title"), scene.summary, panels)
