"""The strip of a match: win probability of each seat, for a page that has the names beside it.

Its left edge is version 1, its right edge the last version. It fills any box: only the widths of
its lines stay as they are.
"""

from __future__ import annotations

from domain.engine.drawing.panel import INK, PAPER
from domain.engine.drawing.svg import Markup, document, group, path, rect
from service.drawing.charts.match_graph import MatchGraph, describe
from service.drawing.charts.theme import dash_pattern

WIDTH, HEIGHT = 720, 160
_GRID = "#cfc4a8"
_FIXED = {"vector_effect": "non-scaling-stroke", "fill": "none"}


def draw_match_strip(graph: MatchGraph) -> str:
    """Return a line for each seat in its colour with a dark edge, dashed from the second on; a
    dotted line at each turning point, and one at an even chance.
    """
    last = max((version for version, _ in graph.chances), default=1)
    even = 0.5 if graph.cooperative else 1 / max(1, len(graph.seats))
    level = HEIGHT * (1 - even)
    turns = "".join(f"M{_across(one, last):.1f} 0V{HEIGHT}" for one in graph.turning_points)
    return document(
        WIDTH,
        HEIGHT,
        graph.title,
        describe(graph),
        rect(0, 0, WIDTH, HEIGHT, fill=PAPER),
        path(f"M0 {level:.1f}H{WIDTH}", stroke=_GRID, **_FIXED),
        path(turns or "M0 0", stroke=INK, stroke_dasharray="1 4", stroke_width=1.5, **_FIXED),
        *(_draw_line(graph, seat, graph.colours[seat], last) for seat in range(len(graph.seats))),
        preserveAspectRatio="none",
    )


def _across(version: int, last: int) -> float:
    return WIDTH * (version - 1) / max(1, last - 1)


def _draw_line(graph: MatchGraph, seat: int, colour: str, last: int) -> Markup:
    """Return the line of a seat; white on paper is legible by its dark edge."""
    corners = [
        f"{_across(version, last):.1f} {HEIGHT * (1 - chances[seat]):.1f}"
        for version, chances in graph.chances
    ]
    line = "M" + "L".join(corners or ["0 0"])
    look = {"stroke_dasharray": dash_pattern(seat), "stroke_linejoin": "round", **_FIXED}
    return group(
        path(line, stroke=INK, stroke_width=4.5, **look),
        path(line, stroke=colour, stroke_width=2.5, **look),
    )
