"""Bars and points: one row for each mark, so that any number of labels fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from domain.engine.drawing.svg import Markup, group
from service.drawing.charts.chart import Chart, Kind, Mark, format_figure, format_number
from service.drawing.charts.layout import MARGIN, WIDTH
from service.drawing.charts.scale import Scale, make_scale
from service.drawing.charts.text_metrics import text_width, truncate, truncate_middle
from service.drawing.charts.texts import words_in
from service.drawing.charts.theme import colour_name, draw_bar, draw_dot, draw_line, draw_text

MAX_ROWS = 60
"""Further labels are counted but not drawn."""
SIZE, SMALL_SIZE = 12.5, 11.0
_ROW_HEIGHT, _GAP = 18.0, 8.0
_MAX_LABEL_WIDTH = 210.0  # of labels, in pixels
_VALUE_WIDTH, _COUNT_WIDTH = 58.0, 52.0
_CAP = 4.0


def visible_marks(chart: Chart) -> list[Mark]:
    """Return the marks of the first labels, up to MAX_ROWS marks."""
    several = max(1, len(chart.series))
    labels = set(chart.labels[: max(1, MAX_ROWS // several)])
    return [mark for mark in chart.by_label_and_series.values() if mark.label in labels]


def draw_rows(chart: Chart, kind: Kind, top: float) -> tuple[Markup, float]:
    """Rows from y `top` on, with their axis; and the y at which they end."""
    series = chart.series
    marks = {(mark.label, mark.series): mark for mark in visible_marks(chart)}
    labels = list(dict.fromkeys(label for label, _ in marks))
    left = MARGIN + 12 + _label_width(chart.x, labels)
    count_width = _COUNT_WIDTH if any(mark.n is not None for mark in marks.values()) else 0
    across = _make_scale(chart, kind, left, WIDTH - MARGIN - _VALUE_WIDTH - count_width)
    head, first = _draw_heads(chart, across, count_width, top), top + 14
    format_value = _value_format(across, [mark.value for mark in marks.values()])
    parts, y = [], first
    for label in labels:
        own_marks = [
            (place, marks[label, one]) for place, one in enumerate(series) if (label, one) in marks
        ]
        middle = y + (_ROW_HEIGHT * len(own_marks) + _GAP) / 2
        parts.append(
            draw_text(
                left - 10,
                middle + 4,
                truncate_middle(label, SIZE, _MAX_LABEL_WIDTH),
                SIZE,
                text_anchor="end",
            )
        )
        for place, (which, mark) in enumerate(own_marks):
            at = y + _GAP / 2 + _ROW_HEIGHT * (place + 0.5)
            parts += [
                _draw_mark(mark, kind, which, across, at),
                _draw_value(mark, format_value, count_width, at),
            ]
        y += _ROW_HEIGHT * len(own_marks) + _GAP
    grid = _draw_grid(chart, across, first, y)
    rest = len(chart.labels) - len(labels)
    if rest:
        more = words_in(chart.language)("more", count=f"{rest:,}")
        parts.append(draw_text(MARGIN, y + 38, more, SMALL_SIZE, "soft"))
    return group(head, grid, *parts), y + 48


def _label_width(name: str, labels: list[str]) -> float:
    """Return the width of the column of labels, in pixels."""
    widest = max((text_width(label, SIZE) for label in labels), default=0)
    return min(_MAX_LABEL_WIDTH, max(60, widest, text_width(name, SMALL_SIZE)))


def _make_scale(chart: Chart, kind: Kind, start: float, end: float) -> Scale:
    low, high = chart.extent(*((0,) if kind == "bars" or chart.counts else ()))
    return make_scale(low, high, start, end, whole=chart.counts)


def _draw_heads(chart: Chart, across: Scale, count_width: float, y: float) -> Markup:
    """Return the names of the columns."""
    value, end = WIDTH - MARGIN - count_width, {"text_anchor": "end"}
    room = across.start - MARGIN - 10
    heads = [
        draw_text(
            across.start - 10, y, truncate(chart.x, SMALL_SIZE, room), SMALL_SIZE, "soft", **end
        )
    ]
    heads.append(draw_text(value, y, words_in(chart.language)("value"), SMALL_SIZE, "soft", **end))
    if count_width:
        cases = words_in(chart.language)("cases")
        heads.append(draw_text(WIDTH - MARGIN, y, cases, SMALL_SIZE, "soft", **end))
    return group(*heads)


def _draw_grid(chart: Chart, across: Scale, top: float, bottom: float) -> Markup:
    """Ticks, the name of the axis, and the baseline, which stands above them."""
    parts = []
    for x, label in across.labels():
        parts.append(draw_line(f"M{x:.2f} {top:g}V{bottom + 5:g}", "grid"))
        parts.append(draw_text(x, bottom + 18, label, SMALL_SIZE, "soft", text_anchor="middle"))
    room = across.end - across.start
    middle = (across.start + across.end) / 2
    name = truncate(chart.y, SMALL_SIZE, room)
    parts.append(draw_text(middle, bottom + 36, name, SMALL_SIZE, "soft", text_anchor="middle"))
    if across.ticks[0] <= 0 <= across.ticks[-1]:
        parts.append(draw_line(f"M{across.pixel(0):.2f} {top:g}V{bottom:g}", "soft"))
    if chart.baseline is not None:
        x = across.pixel(chart.baseline)
        parts.append(
            draw_line(f"M{x:.2f} {top - 4:g}V{bottom:g}", "ink", 1.4, stroke_dasharray="5 3")
        )
        label = format_figure(chart.baseline)
        parts.append(draw_text(x, top - 8, label, SMALL_SIZE, "ink", text_anchor="middle"))
    return group(*parts)


def _draw_mark(mark: Mark, kind: Kind, series: int, across: Scale, y: float) -> Markup:
    """Return a bar or a point, and its interval."""
    at, parts = across.pixel(mark.value), []
    if kind == "bars":
        start, end = sorted((across.pixel(0), at))
        parts.append(draw_bar(start, y - 6.5, max(end - start, 0.5), 13, series))
    if mark.low is not None and mark.high is not None:
        low, high = across.pixel(mark.low), across.pixel(mark.high)
        d = f"M{low:.2f} {y:g}H{high:.2f}" + "".join(
            f"M{x:.2f} {y - _CAP:g}v{2 * _CAP:g}" for x in (low, high)
        )
        if kind == "bars":  # a rim sets it off from the bar
            parts.append(draw_line(d, "paper", 4, stroke_linecap="round"))
        parts.append(draw_line(d, "ink" if kind == "bars" else colour_name(series), 1.6))
    if kind == "points":
        parts.append(draw_dot(at, y, series))
    return group(*parts)


def _value_format(across: Scale, values: Sequence[float]) -> Callable[[float], str]:
    """Return the format of all values: without decimals if all are integers."""
    if all(float(value).is_integer() for value in values):
        return partial(format_number, decimals=0)
    return across.format


def _draw_value(
    mark: Mark, format_value: Callable[[float], str], count_width: float, y: float
) -> Markup:
    """Return the value and the number of cases."""
    end = {"text_anchor": "end"}
    value = draw_text(
        WIDTH - MARGIN - count_width, y + 4, format_value(mark.value), SMALL_SIZE, **end
    )
    if mark.n is None:
        return value
    return group(value, draw_text(WIDTH - MARGIN, y + 4, f"{mark.n:,}", SMALL_SIZE, "soft", **end))
