"""Calibration: what was said of the future against what came, which agree on the diagonal."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.engine.drawing.svg import Markup, group
from service.drawing.charts.chart import figure
from service.drawing.charts.layout import BELOW_TITLE, MARGIN, framed, heading
from service.drawing.charts.scale import Scale, scale
from service.drawing.charts.theme import Theme, colour, dot, legend, line, words

_SIDE = 400.0
_LEFT = 64.0
_WIDTH = 500
_SMALL = 11.0
_LEAST, _MOST = 3.0, 7.0  # the sizes of points


class Reading(Struct, frozen=True):
    """How often something came (with its interval) that was expected with a chance, both from 0 to
    1, in `n` cases.
    """

    expected: float
    seen: float
    low: float | None
    high: float | None
    n: int
    series: str = ""


def calibration(title: str, readings: Sequence[Reading], theme: Theme = "auto") -> str:
    """Readings as points against the diagonal; the more cases, the larger the point."""
    names = list(dict.fromkeys(reading.series for reading in readings))
    head, y = heading(title, _WIDTH)
    told, below = legend(names, "points", MARGIN, y + BELOW_TITLE, _WIDTH - 2 * MARGIN)
    top = y + BELOW_TITLE + below + 16
    across = scale(0, 1, _LEFT, _LEFT + _SIDE)
    up = scale(0, 1, top + _SIDE, top)
    most = max((reading.n for reading in readings), default=1) or 1
    drawn = [_drawn(one, across, up, most, names.index(one.series)) for one in readings]
    middle = _LEFT + _SIDE / 2
    axis = words(middle, up.start + 40, "expected", _SMALL, "soft", text_anchor="middle")
    side = words(MARGIN, top - 12, "came", _SMALL, "soft")
    description = f"What came by what was expected: {_said(readings)}."
    parts = (head, told, _grid(across, up), *drawn, axis, side)
    return framed(title, description, up.start + 56, theme, *parts, width=_WIDTH)


def _grid(across: Scale, up: Scale) -> Markup:
    """Ticks on both axes, and the diagonal."""
    parts = []
    for x, said in across.labels():
        parts.append(line(f"M{x:.2f} {up.end:.2f}V{up.start:.2f}", "grid"))
        parts.append(words(x, up.start + 20, said, _SMALL, "soft", text_anchor="middle"))
    for y, said in up.labels():
        parts.append(line(f"M{across.start:.2f} {y:.2f}H{across.end:.2f}", "grid"))
        parts.append(words(across.start - 8, y + 4, said, _SMALL, "soft", text_anchor="end"))
    d = f"M{across.start:.2f} {up.start:.2f}L{across.end:.2f} {up.end:.2f}"
    return group(*parts, line(d, "ink", 1.4, stroke_dasharray="5 3"))


def _drawn(one: Reading, across: Scale, up: Scale, most: int, series: int) -> Markup:
    x, parts = across.at(one.expected), []
    if one.low is not None and one.high is not None:
        d = f"M{x:.2f} {up.at(one.low):.2f}V{up.at(one.high):.2f}"
        parts.append(line(d, colour(series), 1.4))
    size = _LEAST + (_MOST - _LEAST) * (one.n / most) ** 0.5
    return group(*parts, dot(x, up.at(one.seen), series, size))


def _said(readings: Sequence[Reading]) -> str:
    return "; ".join(
        f"{one.series} {figure(one.expected)} came {figure(one.seen)}, n {one.n:,}".strip()
        for one in readings
    )
