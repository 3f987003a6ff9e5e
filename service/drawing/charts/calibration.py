"""Calibration chart: predicted against observed frequencies, which agree on the diagonal."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.engine.drawing.svg import Markup, group
from service.drawing.charts.chart import format_figure
from service.drawing.charts.layout import BELOW_TITLE, MARGIN, compose, draw_title
from service.drawing.charts.scale import Scale, make_scale
from service.drawing.charts.theme import (
    Theme,
    colour_name,
    draw_dot,
    draw_legend,
    draw_line,
    draw_text,
)

_SIDE = 400.0
_LEFT = 64.0
_WIDTH = 500
_SMALL_SIZE = 11.0
_MIN_RADIUS, _MAX_RADIUS = 3.0, 7.0  # radii of points, in pixels


class Reading(Struct, frozen=True):
    """A predicted probability and the observed frequency with its interval, all from 0 to 1, in `n`
    cases.
    """

    expected: float
    observed: float
    low: float | None
    high: float | None
    n: int
    series: str = ""


def draw_calibration(title: str, readings: Sequence[Reading], theme: Theme = "auto") -> str:
    """Readings as points against the diagonal, as SVG; the more cases, the larger the point."""
    names = list(dict.fromkeys(reading.series for reading in readings))
    head, y = draw_title(title, _WIDTH)
    names_drawn, below = draw_legend(names, "points", MARGIN, y + BELOW_TITLE, _WIDTH - 2 * MARGIN)
    top = y + BELOW_TITLE + below + 16
    across = make_scale(0, 1, _LEFT, _LEFT + _SIDE)
    up = make_scale(0, 1, top + _SIDE, top)
    most = max((reading.n for reading in readings), default=1) or 1
    points = [_draw_reading(one, across, up, most, names.index(one.series)) for one in readings]
    middle = _LEFT + _SIDE / 2
    axis = draw_text(middle, up.start + 40, "expected", _SMALL_SIZE, "soft", text_anchor="middle")
    side = draw_text(MARGIN, top - 12, "observed", _SMALL_SIZE, "soft")
    description = f"Observed by expected frequency: {_describe(readings)}."
    parts = (head, names_drawn, _draw_grid(across, up), *points, axis, side)
    return compose(title, description, up.start + 56, theme, *parts, width=_WIDTH)


def _draw_grid(across: Scale, up: Scale) -> Markup:
    """Ticks on both axes, and the diagonal."""
    parts = []
    for x, label in across.labels():
        parts.append(draw_line(f"M{x:.2f} {up.end:.2f}V{up.start:.2f}", "grid"))
        parts.append(draw_text(x, up.start + 20, label, _SMALL_SIZE, "soft", text_anchor="middle"))
    for y, label in up.labels():
        parts.append(draw_line(f"M{across.start:.2f} {y:.2f}H{across.end:.2f}", "grid"))
        parts.append(
            draw_text(across.start - 8, y + 4, label, _SMALL_SIZE, "soft", text_anchor="end")
        )
    d = f"M{across.start:.2f} {up.start:.2f}L{across.end:.2f} {up.end:.2f}"
    return group(*parts, draw_line(d, "ink", 1.4, stroke_dasharray="5 3"))


def _draw_reading(one: Reading, across: Scale, up: Scale, most: int, series: int) -> Markup:
    x, parts = across.pixel(one.expected), []
    if one.low is not None and one.high is not None:
        d = f"M{x:.2f} {up.pixel(one.low):.2f}V{up.pixel(one.high):.2f}"
        parts.append(draw_line(d, colour_name(series), 1.4))
    size = _MIN_RADIUS + (_MAX_RADIUS - _MIN_RADIUS) * (one.n / most) ** 0.5
    return group(*parts, draw_dot(x, up.pixel(one.observed), series, size))


def _describe(readings: Sequence[Reading]) -> str:
    return "; ".join(
        f"{one.series} {format_figure(one.expected)}: observed {format_figure(one.observed)}, "
        f"n {one.n:,}".strip()
        for one in readings
    )
