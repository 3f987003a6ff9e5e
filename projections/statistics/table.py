"""Facts as columns, one row for each seat, so that queries over many matches are fast."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, repeat
from operator import attrgetter
from typing import TypeVar

from projections.analyses import SeatSum
from projections.statistics.metrics import ANALYSIS_NUMBERS, CATEGORY_PREFIX
from projections.statistics.storage import (
    MATCH_COLUMNS,
    MATCH_NUMBERS,
    MISSING,
    SEAT_COLUMNS,
    SEAT_NUMBERS,
    MatchRow,
    StoredValue,
)

T = TypeVar("T")


class Codes(dict[StoredValue, int]):
    """Numbers for values; a new value gets the next number."""

    def __missing__(self, value: StoredValue) -> int:
        self[value] = code = len(self)
        return code


class Column:
    """The stored values of all rows, as numbers."""

    def __init__(self) -> None:
        self.codes = array("I")
        self.numbers = Codes()

    @property
    def values(self) -> Sequence[StoredValue]:
        """The values of the numbers, in order."""
        return list(self.numbers)

    def add(self, values: Iterable[StoredValue], repeats: Iterable[int]) -> None:
        """Append rows with these values, each repeated this number of times."""
        self.codes.extend(_repeat(map(self.numbers.__getitem__, values), repeats))


class Table:
    """Rows of seats. A match can be added again, since its rating changes its row."""

    def __init__(self) -> None:
        self.columns = {name: Column() for name in (*MATCH_COLUMNS, *SEAT_COLUMNS)}
        named = (*MATCH_NUMBERS, *SEAT_NUMBERS, *ANALYSIS_NUMBERS)
        self.numbers = {name: array("f") for name in named}
        """By name and row; MISSING for a missing number."""
        self.match = array("I")
        """By row the number of its match."""
        self.first_rows: dict[str, int] = {}
        """The first row of each match."""
        self.not_analysed: set[str] = set()

    @property
    def rows(self) -> int:
        """The number of seats."""
        return len(self.match)

    def add(self, some: Sequence[MatchRow]) -> None:
        """Add matches, each once, or replace their earlier rows."""
        for row in some:
            if row.match in self.first_rows:
                self._replace(row)
        new = (row for row in some if row.match not in self.first_rows)
        by_categories: Callable[[MatchRow], str] = attrgetter("categories")
        for categories, alike in groupby(sorted(new, key=by_categories), by_categories):
            self._append(list(alike), categories.split())

    def add_analysis(self, match: str, seats: Sequence[SeatSum]) -> None:
        """Add the results of the analysis of a match, seat by seat."""
        self.not_analysed.discard(match)
        for row, seat in enumerate(seats, self.first_rows[match]):
            self.numbers["luck"][row] = seat.luck
            self.numbers["accuracy"][row] = MISSING if seat.accuracy is None else seat.accuracy
            self.numbers["error"][row] = seat.error

    def _append(self, some: Sequence[MatchRow], categories: Sequence[str]) -> None:
        """Append new matches whose points come from the same categories."""
        first, counts = self.rows, [len(row.seats) for row in some]
        seats = [seat for row in some for seat in row.seats]
        starts = accumulate(counts, initial=first)
        self.match.extend(
            _repeat(range(len(self.first_rows), len(self.first_rows) + len(some)), counts)
        )
        self.first_rows.update(zip([row.match for row in some], starts, strict=False))
        self.not_analysed.update(row.match for row in some)
        for name, stored in _transpose(MATCH_COLUMNS, [row.values for row in some]):
            self.columns[name].add(stored, counts)
        for name, stored in _transpose(SEAT_COLUMNS, [seat.values for seat in seats]):
            self.columns[name].add(stored, repeat(1))
        for name, numbers in _transpose(MATCH_NUMBERS, [row.numbers for row in some]):
            self.numbers[name].extend(_repeat(numbers, counts))
        names = (*SEAT_NUMBERS, *(f"{CATEGORY_PREFIX}{name}" for name in categories))
        for name, numbers in _transpose(names, [seat.numbers for seat in seats]):
            self.numbers.setdefault(name, array("f", [MISSING]) * first).extend(numbers)
        for column in self.numbers.values():
            column.extend(repeat(MISSING, self.rows - len(column)))

    def _replace(self, row: MatchRow) -> None:
        """Replace the row of a match, except for its analysis."""
        now, first = Table(), self.first_rows[row.match]
        now.add([row])
        rows = slice(first, first + now.rows)
        for name, column in self.columns.items():
            stored = now.columns[name].values
            codes = [column.numbers[stored[code]] for code in now.columns[name].codes]
            column.codes[rows] = array("I", codes)
        for name in now.numbers.keys() - {*ANALYSIS_NUMBERS}:
            self.numbers[name][rows] = now.numbers[name]


def _transpose(
    names: Sequence[str], records: Sequence[Sequence[T]]
) -> Iterator[tuple[str, Sequence[T]]]:
    """Transpose records: yield the name of each column with its values."""
    return zip(names, zip(*records, strict=True), strict=True)


def _repeat(values: Iterable[T], times: Iterable[int]) -> Iterable[T]:
    """Repeat each of these values a number of times."""
    return chain.from_iterable(map(repeat, values, times))
