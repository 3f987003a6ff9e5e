"""The points of a match over its versions: a stepped line for each seat."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.engine.drawing.svg import Markup, group
from domain.engine.resources.rulebook import ENGLISH
from service.drawing.charts.chart import format_figure
from service.drawing.charts.layout import BELOW_TITLE, MARGIN, compose, draw_title
from service.drawing.charts.lines import draw_grid
from service.drawing.charts.scale import Scale, make_scale
from service.drawing.charts.text_metrics import text_width
from service.drawing.charts.texts import words_in
from service.drawing.charts.theme import Theme, draw_dot, draw_legend, draw_series
from service.drawing.charts.version_axis import draw_version_axis, make_version_scale

WIDTH = 320
"""Narrow, so that letters stay legible beside a board and on a phone."""
_HEIGHT = 170.0
_SMALL_SIZE = 12.0


class PointsGraph(Struct, frozen=True):
    """The data of the graph: distinct labels of the seats, and of rivals without a seat, and the
    points of each at versions of the match, in order. Points hold until the next version.
    """

    title: str
    labels: Sequence[str]
    points: Sequence[tuple[int, Sequence[int]]]
    language: str = ENGLISH
    colours: Sequence[str] = ()  # of the seats, instead of those of series


def draw_points_graph(graph: PointsGraph, theme: Theme = "auto") -> str:
    """Return a line for the points of each seat."""
    text = words_in(graph.language)
    head, y = draw_title(graph.title, WIDTH)
    names, below = draw_legend(
        list(graph.labels), "lines", MARGIN, y + BELOW_TITLE, WIDTH - 2 * MARGIN,
        edged=bool(graph.colours),
    )  # fmt: skip
    top = y + BELOW_TITLE + below
    numbers = [0, *(number for _, points in graph.points for number in points)]
    up = make_scale(min(numbers), max(numbers), top + _HEIGHT, top)
    left = MARGIN + 8 + max(text_width(label, _SMALL_SIZE) for _, label in up.labels())
    versions = [version for version, _ in graph.points] or [0]
    across = make_version_scale(versions[0], versions[-1], left, WIDTH - MARGIN, 4)
    axis = draw_version_axis(across, up.start, text("version"), _SMALL_SIZE)
    lines = [_draw_line(graph, place, across, up) for place in range(len(graph.labels))]
    grid = draw_grid(None, up, left, across.end)
    parts = (head, names, grid, axis, *lines)
    return compose(
        graph.title, _describe(graph), up.start + 52, theme, *parts,
        series=len(graph.labels), width=WIDTH, colours=graph.colours,
    )  # fmt: skip


def _draw_line(graph: PointsGraph, place: int, across: Scale, up: Scale) -> Markup:
    """Return the steps of a seat, with a dot at the last."""
    corners = [(across.pixel(version), up.pixel(points[place])) for version, points in graph.points]
    if not corners:
        return group()
    steps = "".join(f"H{x:.2f}V{y:.2f}" for x, y in corners[1:])
    edged = bool(graph.colours)
    line = draw_series(f"M{corners[0][0]:.2f} {corners[0][1]:.2f}{steps}", place, edged=edged)
    return group(line, draw_dot(*corners[-1], place, 3.5, edged=edged))


def _describe(graph: PointsGraph) -> str:
    """Return the last points as text; the page of a match also has all of them as a table."""
    text = words_in(graph.language)
    last = graph.points[-1][1] if graph.points else ()
    items = [
        f"{label} {format_figure(points)}"
        for label, points in zip(graph.labels, last, strict=False)
    ]
    return text("points_at_the_end", items=text("list_more").join(items) or text("no_marks"))
