"""Bars and points: one row for each label, so that there is room for any number of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from domain.engine.drawing.svg import Markup, group
from service.drawing.charts.chart import Chart, Kind, Mark, figure, number
from service.drawing.charts.layout import MARGIN, WIDTH
from service.drawing.charts.scale import Scale, scale
from service.drawing.charts.text_metrics import cut, squeezed, width
from service.drawing.charts.texts import words_in
from service.drawing.charts.theme import bar, colour, dot, line, words

MOST_ROWS = 60
"""What is not among the first so many marks is counted, and not drawn."""
SIZE, SMALL = 12.5, 11.0
_ROW, _GAP = 18.0, 8.0
_WIDEST = 210.0  # of labels, in pixels
_VALUE, _COUNT = 58.0, 52.0
_CAP = 4.0


def shown(chart: Chart) -> list[Mark]:
    """The marks for which there is room, of whole labels, in order."""
    several = max(1, len(chart.series))
    labels = set(chart.labels[: max(1, MOST_ROWS // several)])
    return [mark for mark in chart.by_place.values() if mark.label in labels]


def rows(chart: Chart, kind: Kind, top: float) -> tuple[Markup, float]:
    """Rows from there on, with their axis, and where they end."""
    series = chart.series
    marks = {(mark.label, mark.series): mark for mark in shown(chart)}
    labels = list(dict.fromkeys(label for label, _ in marks))
    left = MARGIN + 12 + _column(chart.x, labels)
    counted = _COUNT if any(mark.n is not None for mark in marks.values()) else 0
    across = _across(chart, kind, left, WIDTH - MARGIN - _VALUE - counted)
    head, first = _head(chart, across, counted, top), top + 14
    written = _written(across, [mark.value for mark in marks.values()])
    parts, y = [], first
    for label in labels:
        mine = [
            (place, marks[label, one]) for place, one in enumerate(series) if (label, one) in marks
        ]
        middle = y + (_ROW * len(mine) + _GAP) / 2
        parts.append(
            words(left - 10, middle + 4, squeezed(label, SIZE, _WIDEST), SIZE, text_anchor="end")
        )
        for place, (which, mark) in enumerate(mine):
            at = y + _GAP / 2 + _ROW * (place + 0.5)
            parts += [_drawn(mark, kind, which, across, at), _told(mark, written, counted, at)]
        y += _ROW * len(mine) + _GAP
    grid = _grid(chart, across, first, y)
    rest = len(chart.labels) - len(labels)
    if rest:
        more = words_in(chart.language)("more", count=f"{rest:,}")
        parts.append(words(MARGIN, y + 38, more, SMALL, "soft"))
    return group(head, grid, *parts), y + 48


def _column(name: str, labels: list[str]) -> float:
    """How wide the column of labels is."""
    widest = max((width(label, SIZE) for label in labels), default=0)
    return min(_WIDEST, max(60, widest, width(name, SMALL)))


def _across(chart: Chart, kind: Kind, start: float, end: float) -> Scale:
    low, high = chart.extent(*((0,) if kind == "bars" else ()))
    return scale(low, high, start, end)


def _head(chart: Chart, across: Scale, counted: float, y: float) -> Markup:
    """What the columns are called."""
    value, end = WIDTH - MARGIN - counted, {"text_anchor": "end"}
    room = across.start - MARGIN - 10
    heads = [words(across.start - 10, y, cut(chart.x, SMALL, room), SMALL, "soft", **end)]
    heads.append(words(value, y, words_in(chart.language)("value"), SMALL, "soft", **end))
    if counted:
        heads.append(words(WIDTH - MARGIN, y, "n", SMALL, "soft", **end))
    return group(*heads)


def _grid(chart: Chart, across: Scale, top: float, bottom: float) -> Markup:
    """Ticks, the name of the axis, and the baseline, which stands above them."""
    parts = []
    for x, said in across.labels():
        parts.append(line(f"M{x:.2f} {top:g}V{bottom + 5:g}", "grid"))
        parts.append(words(x, bottom + 18, said, SMALL, "soft", text_anchor="middle"))
    room = across.end - across.start
    middle = (across.start + across.end) / 2
    name = cut(chart.y, SMALL, room)
    parts.append(words(middle, bottom + 36, name, SMALL, "soft", text_anchor="middle"))
    if across.ticks[0] <= 0 <= across.ticks[-1]:
        parts.append(line(f"M{across.at(0):.2f} {top:g}V{bottom:g}", "soft"))
    if chart.baseline is not None:
        x = across.at(chart.baseline)
        parts.append(line(f"M{x:.2f} {top - 4:g}V{bottom:g}", "ink", 1.4, stroke_dasharray="5 3"))
        said = figure(chart.baseline)
        parts.append(words(x, top - 8, said, SMALL, "ink", text_anchor="middle"))
    return group(*parts)


def _drawn(mark: Mark, kind: Kind, series: int, across: Scale, y: float) -> Markup:
    """A bar or a point, and its interval."""
    at, parts = across.at(mark.value), []
    if kind == "bars":
        start, end = sorted((across.at(0), at))
        parts.append(bar(start, y - 6.5, max(end - start, 0.5), 13, series))
    if mark.low is not None and mark.high is not None:
        low, high = across.at(mark.low), across.at(mark.high)
        d = f"M{low:.2f} {y:g}H{high:.2f}" + "".join(
            f"M{x:.2f} {y - _CAP:g}v{2 * _CAP:g}" for x in (low, high)
        )
        if kind == "bars":  # told from the bar by a rim
            parts.append(line(d, "paper", 4, stroke_linecap="round"))
        parts.append(line(d, "ink" if kind == "bars" else colour(series), 1.6))
    if kind == "points":
        parts.append(dot(at, y, series))
    return group(*parts)


def _written(across: Scale, values: Sequence[float]) -> Callable[[float], str]:
    """How values are written: all alike, and whole ones as such."""
    if all(float(value).is_integer() for value in values):
        return partial(number, decimals=0)
    return across.written


def _told(mark: Mark, written: Callable[[float], str], counted: float, y: float) -> Markup:
    """The value and the number of cases."""
    end = {"text_anchor": "end"}
    value = words(WIDTH - MARGIN - counted, y + 4, written(mark.value), SMALL, **end)
    if mark.n is None:
        return value
    return group(value, words(WIDTH - MARGIN, y + 4, f"{mark.n:,}", SMALL, "soft", **end))
