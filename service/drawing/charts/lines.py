"""Lines with bands: values along labels that have an order, such as months."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from domain.engine.drawing.svg import Markup, Point, group, path
from service.drawing.charts.chart import Chart, Mark, figure
from service.drawing.charts.layout import MARGIN, WIDTH
from service.drawing.charts.scale import Scale, scale
from service.drawing.charts.text_metrics import cut, width
from service.drawing.charts.theme import colour, dashes, dot, filled, line, words

MOST_LABELS = 400
HEIGHT = 250.0
SMALL = 11.0
_LABEL = 96.0
_DOTS = 40
"""With more labels only some of the points are marked."""


def shown(chart: Chart) -> list[Mark]:
    """The marks of the last labels, as many as there is room for."""
    labels = set(chart.labels[-MOST_LABELS:])
    return [mark for mark in chart.by_place.values() if mark.label in labels]


def lines(chart: Chart, top: float) -> tuple[Markup, float]:
    """Lines from there on, with their axes, and where they end."""
    marks = {(mark.label, mark.series): mark for mark in shown(chart)}
    labels = list(dict.fromkeys(label for label, _ in marks))
    up = scale(*chart.extent(), top + 12 + HEIGHT, top + 12)
    right = WIDTH - MARGIN - (0 if chart.baseline is None else beside(chart.baseline))
    left = MARGIN + 10 + max((width(said, SMALL) for _, said in up.labels()), default=0)
    places = _places(len(labels), left + 14, right - 14)
    drawn = []
    for number, series in enumerate(chart.series):
        mine = [
            (place, marks[label, series])
            for place, label in enumerate(labels)
            if (label, series) in marks
        ]
        drawn.append(_line(mine, places, up, number))
    counts = [[mark.n for mark in marks.values() if mark.label == one] for one in labels]
    below_axis = _labels(labels, counts, places, up.start)
    y = up.start + 58
    name = cut(chart.x, SMALL, WIDTH - left - MARGIN)
    axis = words((left + WIDTH - MARGIN) / 2, y - 4, name, SMALL, "soft", text_anchor="middle")
    head = words(MARGIN, top, cut(chart.y, SMALL, WIDTH - 2 * MARGIN), SMALL, "soft")
    return group(head, grid(chart.baseline, up, left, right), below_axis, *drawn, axis), y + 8


def beside(baseline: float) -> float:
    """The room for the number of a baseline, at the right of it."""
    return width(figure(baseline), SMALL) + 6


def grid(baseline: float | None, up: Scale, left: float, right: float) -> Markup:
    """Ticks at the left, and the baseline."""
    parts = []
    for y, said in up.labels():
        parts.append(line(f"M{left:g} {y:.2f}H{right:g}", "grid"))
        parts.append(words(left - 8, y + 4, said, SMALL, "soft", text_anchor="end"))
    if baseline is not None:
        y = up.at(baseline)
        parts.append(line(f"M{left:g} {y:.2f}H{right:g}", "ink", 1.4, stroke_dasharray="5 3"))
        parts.append(words(right + 5, y + 4, figure(baseline), SMALL))
    return group(*parts)


def _places(count: int, start: float, end: float) -> list[float]:
    """Where so many labels stand."""
    if count == 1:
        return [(start + end) / 2]
    return [start + (end - start) * place / (count - 1) for place in range(count)]


def _line(mine: Sequence[tuple[int, Mark]], xs: list[float], up: Scale, series: int) -> Markup:
    """A series: where a label has no mark, line and band are broken."""
    parts = []
    runs = groupby(enumerate(mine), key=lambda one: one[1][0] - one[0])
    for run in ([mark for _, mark in found] for _, found in runs):
        band = [
            (xs[at], up.at(mark.low), up.at(mark.high))
            for at, mark in run
            if mark.low is not None and mark.high is not None
        ]
        parts.append(_band(band, series))
        corners = [(xs[at], up.at(mark.value)) for at, mark in run]
        parts.append(line(_through(corners), colour(series), 2, stroke_dasharray=dashes(series)))
    every = max(1, len(xs) // _DOTS)
    dots = [
        dot(xs[at], up.at(mark.value), series, 3.5)
        for place, (at, mark) in enumerate(mine)
        if place % every == 0
    ]
    return group(*parts, *dots)


def _band(corners: Sequence[tuple[float, float, float]], series: int) -> Markup:
    """Between the lower and the upper ends; a whisker if there is but one."""
    if len(corners) == 1:
        x, low, high = corners[0]
        return line(f"M{x:.2f} {low:.2f}V{high:.2f}", colour(series), 1.6)
    there = [(x, high) for x, _, high in corners]
    back = [(x, low) for x, low, _ in reversed(corners)]
    look = {"class": filled(colour(series))}
    return path(f"{_through([*there, *back])}Z", fill_opacity=0.18, **look) if corners else group()


def _through(corners: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in corners)


def _labels(
    labels: Sequence[str], counts: Sequence[Sequence[int | None]], xs: Sequence[float], y: float
) -> Markup:
    """As many labels as have room, each with its number of cases."""
    texts = [cut(label, SMALL, _LABEL) for label in labels]
    cases = [_cases([n for n in found if n is not None]) for found in counts]
    wide = max((width(said, SMALL) for said in [*texts, *cases]), default=0) + 10
    apart = xs[1] - xs[0] if len(xs) > 1 else wide
    every = max(1, -int(-wide // apart))
    parts = []
    for place in range(0, len(labels), every):
        x = min(max(xs[place], MARGIN + wide / 2), WIDTH - MARGIN / 2 - wide / 2)
        parts.append(line(f"M{xs[place]:.2f} {y:g}v5", "soft"))
        parts.append(words(x, y + 18, texts[place], SMALL, "soft", text_anchor="middle"))
        parts.append(words(x, y + 33, cases[place], SMALL, "soft", text_anchor="middle"))
    return group(*parts)


def _cases(counts: Sequence[int]) -> str:
    """How many cases the marks at a label have."""
    if not counts:
        return ""
    least, most = min(counts), max(counts)
    return f"n {least:,}" if least == most else f"n {least:,}\u2013{most:,}"
