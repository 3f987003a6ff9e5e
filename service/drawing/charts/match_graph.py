"""The graph of a match: win probability of each seat, turning points, and luck."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.engine.drawing.svg import Markup, group, polygon
from domain.engine.resources.rulebook import ENGLISH
from service.drawing.charts.chart import Chart, Mark, format_figure
from service.drawing.charts.layout import BELOW_TITLE, MARGIN, WIDTH, compose, draw_title
from service.drawing.charts.lines import baseline_label_width, draw_grid
from service.drawing.charts.rows import draw_rows
from service.drawing.charts.scale import Scale, make_scale
from service.drawing.charts.text_metrics import text_width
from service.drawing.charts.texts import words_in
from service.drawing.charts.theme import (
    Theme,
    draw_dot,
    draw_legend,
    draw_line,
    draw_series,
    draw_text,
    fill_class,
)
from service.drawing.charts.version_axis import draw_version_axis, make_version_scale

_HEIGHT = 250.0
_SMALL_SIZE = 11.0
_LEFT = 58.0
_MAX_DOTS = 12
"""About how many points of each line have a dot."""


class MatchGraph(Struct, frozen=True):
    """The data of the graph: distinct labels of the seats; win probabilities (by seat, from 0 to 1)
    at versions of the match, in order; turning points; and the luck of each seat in shares of the
    win, if known.
    """

    title: str
    seats: Sequence[str]
    chances: Sequence[tuple[int, Sequence[float]]]
    turning_points: Sequence[int] = ()
    luck: Sequence[float] = ()
    cooperative: bool = False  # whether all players win or lose together
    language: str = ENGLISH
    colours: Sequence[str] = ()  # of the seats, instead of those of series


def draw_match_graph(graph: MatchGraph, theme: Theme = "auto") -> str:
    """Return a line for each seat over the versions, with turning points; below it each seat's
    luck.
    """
    text = words_in(graph.language)
    head, y = draw_title(graph.title)
    names, below = draw_legend(
        list(graph.seats), "lines", MARGIN, y + BELOW_TITLE, WIDTH - 2 * MARGIN,
        edged=bool(graph.colours),
    )  # fmt: skip
    top = y + BELOW_TITLE + below + 26
    even = 0.5 if graph.cooperative else 1 / max(1, len(graph.seats))
    up = make_scale(0, 100, top + _HEIGHT, top, sign="%")
    right = WIDTH - MARGIN - baseline_label_width(format_figure(100 * even, "%"))
    versions = [version for version, _ in graph.chances] or [0]
    across = make_version_scale(versions[0], versions[-1], _LEFT, right)
    turns = _draw_turning_points(
        [one for one in graph.turning_points if one in versions], across, up
    )
    lines = [_draw_line(graph, seat, across, up) for seat in range(len(graph.seats))]
    ticks = draw_version_axis(across, up.start, text("version"), _SMALL_SIZE)
    parts = [head, names, draw_grid(100 * even, up, _LEFT, right), ticks, turns, *lines]
    parts.append(draw_text(MARGIN, top - 26, text("chance_to_win"), _SMALL_SIZE, "soft"))
    end = up.start + 56
    if graph.luck:
        luck, end = _draw_luck(graph, end + 14)
        parts.append(luck)
    return compose(
        graph.title, describe(graph), end, theme, *parts,
        series=len(graph.seats), colours=graph.colours,
    )  # fmt: skip


def _draw_line(graph: MatchGraph, seat: int, across: Scale, up: Scale) -> Markup:
    """Return the win probability of a seat; the dots of different seats do not overlap."""
    corners = [
        (across.pixel(version), up.pixel(100 * chances[seat])) for version, chances in graph.chances
    ]
    if not corners:
        return group()
    d = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in corners)
    every = max(1, len(corners) // _MAX_DOTS)
    begin = seat * every // max(1, len(graph.seats))
    edged = bool(graph.colours)
    dots = [draw_dot(x, y, seat, 3.5, edged=edged) for x, y in corners[begin::every]]
    return group(draw_series(d, seat, edged=edged), *dots)


def _draw_turning_points(turning: Sequence[int], across: Scale, up: Scale) -> Markup:
    """Return a mark above each turning point, with its version if it fits."""
    parts, free, top = [], 0.0, up.end
    for version in sorted(turning):
        x, label = across.pixel(version), str(version)
        corners = [(x - 5, top - 9), (x + 5, top - 9), (x, top - 1)]
        parts.append(draw_line(f"M{x:.2f} {top:g}V{up.start:g}", "ink", stroke_dasharray="1 3"))
        parts.append(polygon(corners, **{"class": fill_class("ink")}))
        if x - text_width(label, _SMALL_SIZE) / 2 > free:
            parts.append(draw_text(x, top - 13, label, _SMALL_SIZE, text_anchor="middle"))
            free = x + text_width(label, _SMALL_SIZE) / 2 + 4
    return group(*parts)


def _draw_luck(graph: MatchGraph, top: float) -> tuple[Markup, float]:
    """Return a bar for the luck of each seat."""
    pairs = zip(graph.seats, graph.luck, strict=True)
    marks = tuple(Mark(seat, 100 * luck, series=seat) for seat, luck in pairs)
    text = words_in(graph.language)
    chart = Chart(
        "", text("luck"), text("luck_unit"), marks,
        language=graph.language, sign="%", column=text("luck"),
    )  # fmt: skip
    return draw_rows(chart, "bars", top, edged=bool(graph.colours))


def describe(graph: MatchGraph) -> str:
    """Return the graph as text: start, turning points and end."""
    chances = dict(graph.chances)
    turns = (version for version in sorted(graph.turning_points) if version in chances)
    steps = [*dict.fromkeys([*list(chances)[:1], *turns, *list(chances)[-1:]])]
    text = words_in(graph.language)
    steps_text = text("then").join(
        text("numbered", version=version, items=_list_values(graph, chances[version]))
        for version in steps
    )
    luck = text("luck_of_each", items=_list_values(graph, graph.luck)) if graph.luck else ""
    return text("chances", items=steps_text or text("no_marks")) + luck


def _list_values(graph: MatchGraph, values: Sequence[float]) -> str:
    pairs = zip(graph.seats, values, strict=True)
    comma = words_in(graph.language)("list_more")
    return comma.join(f"{seat} {format_figure(100 * value, '%')}" for seat, value in pairs)
