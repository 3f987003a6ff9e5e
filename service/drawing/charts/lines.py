"""Line chart with bands: values along ordered labels, such as months."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from domain.engine.drawing.svg import Markup, Point, group, path
from service.drawing.charts.chart import Chart, Mark, format_figure
from service.drawing.charts.layout import MARGIN, WIDTH
from service.drawing.charts.scale import Scale, make_scale
from service.drawing.charts.text_metrics import text_width, truncate, wrap
from service.drawing.charts.theme import (
    colour_name,
    draw_dot,
    draw_line,
    draw_series,
    draw_text,
    fill_class,
)

MAX_LABELS = 400
HEIGHT = 250.0
SMALL_SIZE = 11.0
_MAX_LABEL_WIDTH = 96.0
_MAX_NOTE_LINES, _NOTE_LINE_HEIGHT = 3, 15.0
_MAX_DOTS = 40
"""With more labels only some points have dots."""


def visible_marks(chart: Chart) -> list[Mark]:
    """Return the marks of the last MAX_LABELS labels."""
    labels = set(chart.labels[-MAX_LABELS:])
    return [mark for mark in chart.by_label_and_series.values() if mark.label in labels]


def draw_lines(chart: Chart, top: float, width: float = WIDTH) -> tuple[Markup, float]:
    """Lines from y `top` on, with axes; and the y at which they end."""
    marks = {(mark.label, mark.series): mark for mark in visible_marks(chart)}
    labels = list(dict.fromkeys(label for label, _ in marks))
    head, top = draw_note(chart.y, MARGIN, top, width - 2 * MARGIN)
    up = make_scale(
        *chart.extent(*((0, 1) if chart.counts else ())),
        top + 12 + HEIGHT,
        top + 12,
        whole=chart.counts,
        sign=chart.sign,
    )
    baseline = "" if chart.baseline is None else format_figure(chart.baseline, chart.sign)
    right = width - MARGIN - (baseline_label_width(baseline) if baseline else 0)
    left = MARGIN + 10 + max((text_width(label, SMALL_SIZE) for _, label in up.labels()), default=0)
    positions = _label_positions(len(labels), left + 14, right - 14)
    drawn = []
    for number, series in enumerate(chart.series):
        marks_of_series = [
            (place, marks[label, series])
            for place, label in enumerate(labels)
            if (label, series) in marks
        ]
        drawn.append(_draw_line(marks_of_series, positions, up, number))
    counts = [[mark.n for mark in marks.values() if mark.label == one] for one in labels]
    below_axis = _draw_labels(labels, counts, positions, up.start, width)
    y = up.start + 58
    name = truncate(chart.x, SMALL_SIZE, width - left - MARGIN)
    axis = draw_text(
        (left + width - MARGIN) / 2, y - 4, name, SMALL_SIZE, "soft", text_anchor="middle"
    )
    return group(head, draw_grid(chart.baseline, up, left, right), below_axis, *drawn, axis), y + 8


def draw_note(words: str, x: float, y: float, room: float, **more: str) -> tuple[Markup, float]:
    """Return small words on up to three lines from y on, and the y of the last line."""
    drawn_lines = wrap(words, SMALL_SIZE, room, _MAX_NOTE_LINES)
    drawn = [
        draw_text(x, y + _NOTE_LINE_HEIGHT * place, line, SMALL_SIZE, "soft", **more)
        for place, line in enumerate(drawn_lines)
    ]
    return group(*drawn), y + _NOTE_LINE_HEIGHT * (max(1, len(drawn_lines)) - 1)


def baseline_label_width(label: str) -> float:
    """Return the room for the number of a baseline at its right, in pixels."""
    return text_width(label, SMALL_SIZE) + 6


def draw_grid(baseline: float | None, up: Scale, left: float, right: float) -> Markup:
    """Ticks at the left, and the baseline."""
    parts = []
    for y, label in up.labels():
        parts.append(draw_line(f"M{left:g} {y:.2f}H{right:g}", "grid"))
        parts.append(draw_text(left - 8, y + 4, label, SMALL_SIZE, "soft", text_anchor="end"))
    if baseline is not None:
        y = up.pixel(baseline)
        parts.append(draw_line(f"M{left:g} {y:.2f}H{right:g}", "ink", 1.4, stroke_dasharray="5 3"))
        parts.append(draw_text(right + 5, y + 4, format_figure(baseline, up.sign), SMALL_SIZE))
    return group(*parts)


def _label_positions(count: int, start: float, end: float) -> list[float]:
    """Return the x of each label."""
    if count == 1:
        return [(start + end) / 2]
    return [start + (end - start) * place / (count - 1) for place in range(count)]


def _draw_line(
    marks: Sequence[tuple[int, Mark]], xs: list[float], up: Scale, series: int
) -> Markup:
    """Return the line and band of a series, interrupted where a label has no mark."""
    parts = []
    runs = groupby(enumerate(marks), key=lambda one: one[1][0] - one[0])
    for run in ([mark for _, mark in found] for _, found in runs):
        band = [
            (xs[at], up.pixel(mark.low), up.pixel(mark.high))
            for at, mark in run
            if mark.low is not None and mark.high is not None
        ]
        parts.append(_draw_band(band, series))
        corners = [(xs[at], up.pixel(mark.value)) for at, mark in run]
        parts.append(draw_series(_path_through(corners), series))
    every = max(1, len(xs) // _MAX_DOTS)
    dots = [
        draw_dot(xs[at], up.pixel(mark.value), series, 3.5)
        for place, (at, mark) in enumerate(marks)
        if place % every == 0
    ]
    return group(*parts, *dots)


def _draw_band(corners: Sequence[tuple[float, float, float]], series: int) -> Markup:
    """Return the area between the lower and the upper ends; a whisker if there is only one mark."""
    if len(corners) == 1:
        x, low, high = corners[0]
        return draw_line(f"M{x:.2f} {low:.2f}V{high:.2f}", colour_name(series), 1.6)
    there = [(x, high) for x, _, high in corners]
    back = [(x, low) for x, low, _ in reversed(corners)]
    look = {"class": fill_class(colour_name(series))}
    return (
        path(f"{_path_through([*there, *back])}Z", fill_opacity=0.18, **look)
        if corners
        else group()
    )


def _path_through(corners: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in corners)


def _draw_labels(
    labels: Sequence[str],
    counts: Sequence[Sequence[int | None]],
    xs: Sequence[float],
    y: float,
    width: float,
) -> Markup:
    """As many labels as fit, each with its number of cases."""
    texts = [truncate(label, SMALL_SIZE, _MAX_LABEL_WIDTH) for label in labels]
    cases = [_format_cases([n for n in found if n is not None]) for found in counts]
    wide = max((text_width(label, SMALL_SIZE) for label in [*texts, *cases]), default=0) + 10
    apart = xs[1] - xs[0] if len(xs) > 1 else wide
    every = max(1, -int(-wide // apart))
    parts = []
    for place in range(0, len(labels), every):
        x = min(max(xs[place], MARGIN + wide / 2), width - MARGIN / 2 - wide / 2)
        parts.append(draw_line(f"M{xs[place]:.2f} {y:g}v5", "soft"))
        parts.append(draw_text(x, y + 18, texts[place], SMALL_SIZE, "soft", text_anchor="middle"))
        parts.append(draw_text(x, y + 33, cases[place], SMALL_SIZE, "soft", text_anchor="middle"))
    return group(*parts)


def _format_cases(counts: Sequence[int]) -> str:
    """Return the number of cases, or their range, of the marks at a label."""
    if not counts:
        return ""
    least, most = min(counts), max(counts)
    return f"n {least:,}" if least == most else f"n {least:,}\u2013{most:,}"
