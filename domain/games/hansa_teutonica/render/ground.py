"""The land and the sea below the map, drawn once for each map."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.svg import (
    Attribute,
    Markup,
    clip,
    closed_curve,
    curve,
    definitions,
    gradient,
    group,
    path,
    pattern,
    rect,
)
from domain.games.hansa_teutonica.board import Map
from domain.games.hansa_teutonica.render import room

LAND, SEA, COAST = "#e4dfb9", "#a8cdd6", "#6d8f95"


def patterns(chart: Map) -> Markup:
    """The waves of the sea, what free posts are filled with, and where the sea ends."""
    width, height = room.drawing(chart).size
    return definitions(
        clip("chart", rect(1, 1, width - 2, height - 2, rx=12)),
        pattern(
            "sea",
            36,
            path("M2 9q4-4 8 0t8 0M20 27q4-4 8 0t8 0", **_line("#8db9c5", 1.2)),
        ),
        gradient("slot", "#c9b88c", "#f8f1dc"),
    )


def ground(chart: Map) -> Markup:
    """The land and the sea of a map, from its top left corner."""
    return _GROUNDS[chart.id]


def _ground(drawing: room.Drawing) -> Iterator[Markup]:
    width, height = drawing.size
    yield rect(1, 1, width - 2, height - 2, rx=12, fill=LAND)
    yield group(*_waters(drawing), clip_path="url(#chart)")
    trees = "".join(f"M{x:g} {y + 8:g}v-5h-5q0-12 5-12t5 12h-5" for x, y in drawing.trees)
    yield path(trees, fill="#8ba662", stroke="#5f7740", stroke_width=1.2)
    frame: dict[str, Attribute] = {"fill": "none", "stroke": "#8a7344"}
    yield rect(1, 1, width - 2, height - 2, rx=12, stroke_width=2, **frame)


def _waters(drawing: room.Drawing) -> Iterator[Markup]:
    """The seas with their beaches, and the rivers."""
    coasts = "".join(map(closed_curve, drawing.waters))
    yield path(coasts, fill=SEA, stroke="#f0e9cc", stroke_width=7)
    yield path(coasts, fill="url(#sea)", stroke=COAST, stroke_width=1.6)
    yield path(coasts, fill="none", stroke="#ffffff", stroke_opacity=0.35, stroke_width=5)
    rivers = "".join(map(curve, drawing.rivers))
    yield path(rivers, **_line(COAST, 4.4))
    yield path(rivers, **_line(SEA, 2.8))


def _line(colour: str, width: float) -> dict[str, Attribute]:
    return {"fill": "none", "stroke": colour, "stroke_width": width, "stroke_linecap": "round"}


_GROUNDS = {key: group(*_ground(drawing)) for key, drawing in room.DRAWINGS.items()}
