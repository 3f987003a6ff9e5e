"""A chart as data, independent of how it is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from domain.engine.resources.rulebook import ENGLISH
from domain.engine.resources.texts import MINUS, figures
from domain.engine.sentences import Words
from service.drawing.charts.texts import words_in

Kind = Literal["bars", "lines", "points"]
MAX_VALUE = 1e15
"""The largest absolute value in a chart."""


class Mark(Struct, frozen=True):
    """One number: its label, its interval if it has one, and the number of cases behind it.

    Raises ValueError if a number is not finite or exceeds MAX_VALUE.
    """

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    series: str = ""

    def __post_init__(self) -> None:
        if not all(abs(number) <= MAX_VALUE for number in self.numbers):
            raise ValueError(f"{self.label}: {self.numbers} cannot be drawn.")

    @property
    def numbers(self) -> tuple[float, ...]:
        """The value and the ends of its interval."""
        return tuple(one for one in (self.value, self.low, self.high) if one is not None)


class Chart(Struct, frozen=True):
    """Marks with a title, the name of what they are grouped by (`x`) and of what they measure
    (`y`).

    Labels and series keep the order of their first mark; of two marks with the same label and
    series the last is shown. The baseline is the value to compare with. All texts are in one
    language. If its values are `counts`, its axis begins at 0 and has no fractions. Each number has
    the `sign` of its unit after it, and `column` is the short name of what is measured.
    """

    title: str
    x: str
    y: str
    marks: tuple[Mark, ...]
    baseline: float | None = None
    language: str = ENGLISH
    counts: bool = False
    sign: str = ""
    column: str = ""

    @property
    def labels(self) -> list[str]:
        """Each label once."""
        return _distinct(mark.label for mark in self.marks)

    @property
    def series(self) -> list[str]:
        """Each series once."""
        return _distinct(mark.series for mark in self.marks)

    @property
    def by_label_and_series(self) -> dict[tuple[str, str], Mark]:
        """The marks by label and series."""
        return {(mark.label, mark.series): mark for mark in self.marks}

    def extent(self, *more: float) -> tuple[float, float]:
        """Return the least and the greatest of all numbers, the baseline and `more`; 0 and 1 if
        there are none.
        """
        found = [number for mark in self.marks for number in mark.numbers]
        found += more if self.baseline is None else (self.baseline, *more)
        return (min(found), max(found)) if found else (0, 1)


def describe(chart: Chart, marks: Iterable[Mark]) -> str:
    """Some marks of a chart as text, for screen readers."""
    text = words_in(chart.language)
    parts = text("then").join(_describe_mark(mark, text, chart.sign) for mark in marks)
    return text("description", y=chart.y, x=chart.x, items=parts or text("no_marks"))


def format_figure(value: float, sign: str = "") -> str:
    """Return a number with three significant digits and a sign: 1,234, 45.6%, 0.5."""
    size = abs(value)
    decimals = 0 if size >= 99.95 else 1 if size >= 9.995 else 2 if size >= 0.9995 else 3
    formatted = format_number(value, decimals)
    return (formatted.rstrip("0").rstrip(".") if decimals else formatted) + sign


def format_number(value: float, decimals: int) -> str:
    """Return a number with this many decimals; zero has no sign."""
    formatted = figures(value, f",.{decimals}f")
    return formatted if formatted.strip(f"{MINUS}0.") else formatted.lstrip(MINUS)


def _describe_mark(mark: Mark, text: Words, sign: str) -> str:
    of = text("aside", what=mark.series) if mark.series else ""
    between = ""
    if mark.low is not None and mark.high is not None:
        ends = text(
            "between", low=format_figure(mark.low, sign), high=format_figure(mark.high, sign)
        )
        between = text("aside", what=ends)
    cases = "" if mark.n is None else text("of_cases", count=f"{mark.n:,}")
    return f"{mark.label}{of} {format_figure(mark.value, sign)}{between}{cases}"


def _distinct(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))
