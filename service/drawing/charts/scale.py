"""Maps numbers to pixels, with ticks at round numbers."""

from __future__ import annotations

from math import ceil, floor, log10

from msgspec import Struct

from service.drawing.charts.chart import format_number

_ROUND_FACTORS = (1, 2, 2.5, 5, 10)
_EPSILON = 1e-9  # relative to the numbers: what lies closer together is drawn as one
_MIN_SPAN = 1e-100  # smaller numbers count as 0: steps between them would underflow


class Scale(Struct, frozen=True):
    """A linear scale: its ticks, of which the first and last are its ends, their number of
    decimals, the pixels at which it starts and ends, and the sign after each number.
    """

    ticks: tuple[float, ...]
    decimals: int
    start: float
    end: float
    sign: str = ""

    def pixel(self, value: float) -> float:
        """Return the pixel of a value."""
        low, high = self.ticks[0], self.ticks[-1]
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def format(self, value: float) -> str:
        """Return a value as text, rounded to about a hundredth of the scale."""
        span = self.ticks[-1] - self.ticks[0]
        return format_number(value, max(0, ceil(2 - log10(span) - _EPSILON))) + self.sign

    def labels(self) -> list[tuple[float, str]]:
        """Return the pixel and the text of each tick."""
        return [
            (self.pixel(tick), format_number(tick, self.decimals) + self.sign)
            for tick in self.ticks
        ]


def make_scale(
    low: float,
    high: float,
    start: float,
    end: float,
    about: int = 5,
    *,
    whole: bool = False,
    sign: str = "",
) -> Scale:
    """Return a scale that includes both numbers, with about this many steps; `whole` ones if the
    numbers are counts.
    """
    least = max(abs(low), abs(high)) * _EPSILON
    if high - low <= max(least, _MIN_SPAN):
        room = abs(low) / 10 if abs(low) > _MIN_SPAN else 1
        low, high = low - room, high + room
    step = _round_up((high - low) / about)
    if whole:
        step = max(1.0, step if step.is_integer() else 2 * step)
    slack = step * _EPSILON  # so that 0.30000000000000004 needs no tick at 0.4
    first, last = floor((low + slack) / step), ceil((high - slack) / step)
    decimals = max(0, -floor(log10(step) + _EPSILON))
    if round(step, decimals) != step:  # 2.5 and similar
        decimals += 1
    ticks = tuple(place * step for place in range(first, last + 1))
    return Scale(ticks, decimals, start, end, sign)


def _round_up(step: float) -> float:
    """Return the smallest round number from this one on."""
    power = 10.0 ** floor(log10(step))
    return next(times * power for times in _ROUND_FACTORS if step <= times * power * (1 + _EPSILON))
