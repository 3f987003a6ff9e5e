"""From numbers to pixels, with ticks at numbers that people like."""

from __future__ import annotations

from math import ceil, floor, log10

from msgspec import Struct

from service.drawing.charts.chart import number

_NICE = (1, 2, 2.5, 5, 10)
_FINEST = 1e-9  # of the size of the numbers: what lies closer together is drawn as one
_NOTHING = 1e-100  # what is smaller is nothing, for steps between such numbers would end at 0


class Scale(Struct, frozen=True):
    """A straight scale: its ticks, the first and the last of which are its ends, how many decimals
    they have, and the pixels at which it begins and ends.
    """

    ticks: tuple[float, ...]
    decimals: int
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a value."""
        low, high = self.ticks[0], self.ticks[-1]
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def written(self, value: float) -> str:
        """A value as finely as it can be seen on the scale, of which it is a hundredth."""
        span = self.ticks[-1] - self.ticks[0]
        return number(value, max(0, ceil(2 - log10(span) - _FINEST)))

    def labels(self) -> list[tuple[float, str]]:
        """The ticks as they are written, with their pixels."""
        return [(self.at(tick), number(tick, self.decimals)) for tick in self.ticks]


def scale(low: float, high: float, start: float, end: float, about: int = 5) -> Scale:
    """A scale on which both numbers have room, with about so many steps."""
    least = max(abs(low), abs(high)) * _FINEST
    if high - low <= max(least, _NOTHING):
        room = abs(low) / 10 if abs(low) > _NOTHING else 1
        low, high = low - room, high + room
    step = _nice((high - low) / about)
    slack = step * _FINEST  # so that 0.30000000000000004 needs no tick at 0.4
    first, last = floor((low + slack) / step), ceil((high - slack) / step)
    decimals = max(0, -floor(log10(step) + _FINEST))
    if round(step, decimals) != step:  # 2.5, and its like
        decimals += 1
    return Scale(tuple(place * step for place in range(first, last + 1)), decimals, start, end)


def _nice(step: float) -> float:
    """The first nice number from there on."""
    power = 10.0 ** floor(log10(step))
    return next(times * power for times in _NICE if step <= times * power * (1 + _FINEST))
