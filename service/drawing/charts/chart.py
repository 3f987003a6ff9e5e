"""A chart as data: what is shown, and not how."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import Words
from service.drawing.charts.texts import words_in

Kind = Literal["bars", "lines", "points"]
MOST = 1e15
"""No number in a chart is further from 0."""


class Mark(Struct, frozen=True):
    """One number: what it belongs to, its interval if it has one, and how many cases are behind it.

    Raises ValueError if a number is not finite, or beyond all that a chart has room for.
    """

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    series: str = ""

    def __post_init__(self) -> None:
        if not all(abs(number) <= MOST for number in self.numbers):
            raise ValueError(f"{self.label}: {self.numbers} cannot be drawn.")

    @property
    def numbers(self) -> tuple[float, ...]:
        """The value and the ends of its interval."""
        return tuple(one for one in (self.value, self.low, self.high) if one is not None)


class Chart(Struct, frozen=True):
    """Marks with a title, the name of what they are by (`x`) and of what they measure (`y`).

    Labels and series are shown in the order in which they come first; of two marks with the same
    label and series the last is shown. The baseline is the value to compare with. All words are in
    one language.
    """

    title: str
    x: str
    y: str
    marks: tuple[Mark, ...]
    baseline: float | None = None
    language: str = ENGLISH

    @property
    def labels(self) -> list[str]:
        """Each label once."""
        return _once(mark.label for mark in self.marks)

    @property
    def series(self) -> list[str]:
        """Each series once."""
        return _once(mark.series for mark in self.marks)

    @property
    def by_place(self) -> dict[tuple[str, str], Mark]:
        """The marks by label and series."""
        return {(mark.label, mark.series): mark for mark in self.marks}

    def extent(self, *more: float) -> tuple[float, float]:
        """From the least of all numbers to the greatest, with the baseline and some more; 0 to 1
        if there are none.
        """
        found = [number for mark in self.marks for number in mark.numbers]
        found += more if self.baseline is None else (self.baseline, *more)
        return (min(found), max(found)) if found else (0, 1)


def told(chart: Chart, marks: Iterable[Mark]) -> str:
    """Some marks of a chart in words, for those who cannot see it."""
    say = words_in(chart.language)
    said = say("then").join(_said(mark, say) for mark in marks)
    return say("told", y=chart.y, x=chart.x, told=said or say("nothing_told"))


def figure(value: float) -> str:
    """A number to three places that tell something: 1,234, 45.6, 0.5."""
    size = abs(value)
    decimals = 0 if size >= 99.95 else 1 if size >= 9.995 else 2 if size >= 0.9995 else 3
    written = number(value, decimals)
    return written.rstrip("0").rstrip(".") if decimals else written


def number(value: float, decimals: int) -> str:
    """A number with so many decimals; nothing is less than nothing."""
    written = f"{value:,.{decimals}f}"
    return written if float(written.replace(",", "")) else written.lstrip("-")


def _said(mark: Mark, say: Words) -> str:
    of = say("aside", what=mark.series) if mark.series else ""
    between = ""
    if mark.low is not None and mark.high is not None:
        ends = say("between", low=figure(mark.low), high=figure(mark.high))
        between = say("aside", what=ends)
    cases = "" if mark.n is None else f", n {mark.n:,}"
    return f"{mark.label}{of} {figure(mark.value)}{between}{cases}"


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))
