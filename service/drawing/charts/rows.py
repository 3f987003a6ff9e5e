"""Bars and points: one row for each mark, so that any number of labels fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from domain.engine.drawing.svg import Markup, group, text
from service.drawing.charts.chart import Chart, Kind, Mark, format_figure, format_number
from service.drawing.charts.layout import MARGIN, WIDTH
from service.drawing.charts.lines import draw_note
from service.drawing.charts.scale import Scale, make_scale
from service.drawing.charts.text_metrics import text_width, truncate, truncate_middle
from service.drawing.charts.texts import words_in
from service.drawing.charts.theme import (
    colour_name,
    draw_bar,
    draw_dot,
    draw_line,
    draw_text,
    fill_class,
    line_class,
)

MAX_ROWS = 60
"""Further labels are counted but not drawn."""
SIZE, SMALL_SIZE = 12.5, 11.0
_ROW_HEIGHT, _GAP = 18.0, 8.0
_MAX_LABEL_WIDTH = 210.0  # of labels, in pixels
_VALUE_WIDTHS, _COUNT_WIDTH = (58.0, 130.0), 52.0
_MAX_NARROW_VALUE_WIDTH, _LABEL_HEIGHT = 76.0, 16.0
_CAP = 4.0


def visible_marks(chart: Chart) -> list[Mark]:
    """Return the marks of the first labels, up to MAX_ROWS marks."""
    several = max(1, len(chart.series))
    labels = set(chart.labels[: max(1, MAX_ROWS // several)])
    return [mark for mark in chart.by_label_and_series.values() if mark.label in labels]


def draw_rows(
    chart: Chart, kind: Kind, top: float, width: float = WIDTH, *, edged: bool = False
) -> tuple[Markup, float]:
    """Rows from y `top` on, with their axis; and the y at which they end. Marks are `edged` if
    their colours may be that of the paper.
    """
    marks = {(mark.label, mark.series): mark for mark in visible_marks(chart)}
    labels = list(dict.fromkeys(label for label, _ in marks))
    columns = _arrange_columns(chart, labels, width)
    across = _make_scale(chart, kind, columns)
    head, first = _draw_heads(chart, columns, top), top + 14
    format_value = _value_format(across, [mark.value for mark in marks.values()])
    parts, y = [], first
    for label in labels:
        own_marks = [
            (place, marks[label, one])
            for place, one in enumerate(chart.series)
            if (label, one) in marks
        ]
        rows = _ROW_HEIGHT * len(own_marks) + _GAP
        parts.append(_draw_label(label, columns, y, rows))
        y += columns.label_height
        for place, (which, mark) in enumerate(own_marks):
            at = y + _GAP / 2 + _ROW_HEIGHT * (place + 0.5)
            parts += [
                _draw_mark(mark, kind, which, across, at, edged=edged),
                _draw_value(mark, format_value, columns, at),
            ]
        y += rows
    grid, end = _draw_grid(chart, columns, across, first, y)
    rest = len(chart.labels) - len(labels)
    if rest:
        more = words_in(chart.language)("more", count=f"{rest:,}")
        end += 2
        parts.append(draw_text(MARGIN, end, more, SMALL_SIZE, "soft"))
    return group(head, grid, *parts), max(end + 10, y + 48)


class _Columns(Struct, frozen=True):
    """Where the columns are: bars between their `left` and `right`, then values, then the numbers
    of cases up to `end`. In a narrow chart labels stand above their bars.
    """

    left: float
    right: float
    value_width: float
    count_width: float
    end: float
    is_narrow: bool

    @property
    def label_height(self) -> float:
        """The height of a label above its bars, in pixels."""
        return _LABEL_HEIGHT if self.is_narrow else 0

    @property
    def values_end(self) -> float:
        """Where the values end."""
        return self.end - self.count_width


def _arrange_columns(chart: Chart, labels: list[str], width: float) -> _Columns:
    is_narrow, end = width < WIDTH, width - MARGIN
    left = MARGIN if is_narrow else MARGIN + 12 + _label_width(chart.x, labels)
    least, most = _VALUE_WIDTHS
    widest = _MAX_NARROW_VALUE_WIDTH if is_narrow else most
    value = min(widest, max(least, text_width(chart.column or chart.y, SMALL_SIZE) + 12))
    count = _COUNT_WIDTH if any(mark.n is not None for mark in chart.marks) else 0
    return _Columns(left, end - value - count, value, count, end, is_narrow)


def _label_width(name: str, labels: list[str]) -> float:
    """Return the width of the column of labels, in pixels."""
    widest = max((text_width(label, SIZE) for label in labels), default=0)
    return min(_MAX_LABEL_WIDTH, max(60, widest, text_width(name, SMALL_SIZE)))


def _draw_label(label: str, columns: _Columns, y: float, rows: float) -> Markup:
    """Return the label of rows of this height from y on."""
    if columns.is_narrow:
        words = truncate_middle(label, SIZE, columns.end - MARGIN)
        look = {"class": f"{fill_class('ink')} {line_class('paper')}", "paint_order": "stroke"}
        return text(MARGIN, y + _LABEL_HEIGHT, words, SIZE, stroke_width=3, **look)
    words = truncate_middle(label, SIZE, _MAX_LABEL_WIDTH)
    return draw_text(columns.left - 10, y + rows / 2 + 4, words, SIZE, text_anchor="end")


def _make_scale(chart: Chart, kind: Kind, columns: _Columns) -> Scale:
    low, high = chart.extent(*((0,) if kind == "bars" or chart.counts else ()))
    about = 2 if columns.is_narrow else 5
    left, right = columns.left, columns.right
    return make_scale(low, high, left, right, about, whole=chart.counts, sign=chart.sign)


def _draw_heads(chart: Chart, columns: _Columns, y: float) -> Markup:
    """Return the names of the columns."""
    end = {"text_anchor": "end"}
    if columns.is_narrow:
        name = truncate(chart.x, SMALL_SIZE, columns.right - MARGIN)
        heads = [draw_text(MARGIN, y, name, SMALL_SIZE, "soft")]
    else:
        name = truncate(chart.x, SMALL_SIZE, columns.left - MARGIN - 10)
        heads = [draw_text(columns.left - 10, y, name, SMALL_SIZE, "soft", **end)]
    name = truncate(chart.column or chart.y, SMALL_SIZE, columns.value_width)
    heads.append(draw_text(columns.values_end, y, name, SMALL_SIZE, "soft", **end))
    if columns.count_width:
        cases = truncate(words_in(chart.language)("cases"), SMALL_SIZE, columns.count_width)
        heads.append(draw_text(columns.end, y, cases, SMALL_SIZE, "soft", **end))
    return group(*heads)


def _draw_grid(
    chart: Chart, columns: _Columns, across: Scale, top: float, bottom: float
) -> tuple[Markup, float]:
    """Ticks, the name of the axis, and the baseline, which stands above them; and the y of the
    last line.
    """
    parts = []
    for x, label in across.labels():
        parts.append(draw_line(f"M{x:.2f} {top:g}V{bottom + 5:g}", "grid"))
        parts.append(draw_text(x, bottom + 18, label, SMALL_SIZE, "soft", text_anchor="middle"))
    if columns.is_narrow:
        name, end = draw_note(chart.y, MARGIN, bottom + 36, columns.end - MARGIN)
    else:
        middle, room = (across.start + across.end) / 2, across.end - across.start
        end = bottom + 36
        name = draw_text(
            middle, end, truncate(chart.y, SMALL_SIZE, room), SMALL_SIZE, "soft",
            text_anchor="middle",
        )  # fmt: skip
    parts.append(name)
    if across.ticks[0] <= 0 <= across.ticks[-1]:
        parts.append(draw_line(f"M{across.pixel(0):.2f} {top:g}V{bottom:g}", "soft"))
    if chart.baseline is not None:
        x = across.pixel(chart.baseline)
        parts.append(
            draw_line(f"M{x:.2f} {top - 4:g}V{bottom:g}", "ink", 1.4, stroke_dasharray="5 3")
        )
        label = format_figure(chart.baseline, chart.sign)
        parts.append(draw_text(x, top - 8, label, SMALL_SIZE, "ink", text_anchor="middle"))
    return group(*parts), end


def _draw_mark(
    mark: Mark, kind: Kind, series: int, across: Scale, y: float, *, edged: bool
) -> Markup:
    """Return a bar or a point, and its interval."""
    at, parts = across.pixel(mark.value), []
    if kind == "bars":
        start, end = sorted((across.pixel(0), at))
        parts.append(draw_bar(start, y - 6.5, max(end - start, 0.5), 13, series, edged=edged))
    if mark.low is not None and mark.high is not None:
        low, high = across.pixel(mark.low), across.pixel(mark.high)
        d = f"M{low:.2f} {y:g}H{high:.2f}" + "".join(
            f"M{x:.2f} {y - _CAP:g}v{2 * _CAP:g}" for x in (low, high)
        )
        if kind == "bars":  # a rim sets it off from the bar
            parts.append(draw_line(d, "paper", 4, stroke_linecap="round"))
        parts.append(draw_line(d, "ink" if kind == "bars" else colour_name(series), 1.6))
    if kind == "points":
        parts.append(draw_dot(at, y, series, edged=edged))
    return group(*parts)


def _value_format(across: Scale, values: Sequence[float]) -> Callable[[float], str]:
    """Return the format of all values: without decimals if all are integers."""
    if all(float(value).is_integer() for value in values):
        return lambda value: format_number(value, 0) + across.sign
    return across.format


def _draw_value(
    mark: Mark, format_value: Callable[[float], str], columns: _Columns, y: float
) -> Markup:
    """Return the value and the number of cases."""
    end = {"text_anchor": "end"}
    value = draw_text(columns.values_end, y + 4, format_value(mark.value), SMALL_SIZE, **end)
    if mark.n is None:
        return value
    return group(value, draw_text(columns.end, y + 4, f"{mark.n:,}", SMALL_SIZE, "soft", **end))
