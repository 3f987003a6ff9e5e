"""Facts as columns: one row for each seat, so that questions about many matches are quick."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, repeat
from operator import attrgetter
from typing import TypeVar

from projections.analyses import SeatSum
from projections.statistics.metrics import ANALYSED, CATEGORY
from projections.statistics.storage import (
    MATCH_NUMBERS,
    MISSING,
    OF_MATCH,
    OF_SEAT,
    SEAT_NUMBERS,
    Row,
    Stored,
)

T = TypeVar("T")


class Codes(dict[Stored, int]):
    """Numbers for values; a new value gets the next one."""

    def __missing__(self, value: Stored) -> int:
        self[value] = code = len(self)
        return code


class Column:
    """What is stored of each row, by numbers."""

    def __init__(self) -> None:
        self.codes = array("I")
        self.numbers = Codes()

    @property
    def stored(self) -> Sequence[Stored]:
        """What the numbers stand for, in their order."""
        return list(self.numbers)

    def add(self, stored: Iterable[Stored], times: Iterable[int]) -> None:
        """Add rows with these values, each so many times."""
        self.codes.extend(_each(map(self.numbers.__getitem__, stored), times))


class Table:
    """Rows of seats; a match can be put into it again, as it is after it was rated."""

    def __init__(self) -> None:
        self.columns = {name: Column() for name in (*OF_MATCH, *OF_SEAT)}
        named = (*MATCH_NUMBERS, *SEAT_NUMBERS, *ANALYSED)
        self.numbers = {name: array("f") for name in named}
        """By name and row; MISSING where there is none."""
        self.match = array("I")
        """By row the number of its match."""
        self.places: dict[str, int] = {}
        """The first row of each match."""
        self.not_analysed: set[str] = set()

    @property
    def rows(self) -> int:
        """How many seats there are in all."""
        return len(self.match)

    def put(self, some: Sequence[Row]) -> None:
        """Add some matches, each once, or let them take the place of what was known of them."""
        for row in some:
            if row.match in self.places:
                self._replace(row)
        new = (row for row in some if row.match not in self.places)
        by_categories: Callable[[Row], str] = attrgetter("categories")
        for categories, alike in groupby(sorted(new, key=by_categories), by_categories):
            self._append(list(alike), categories.split())

    def note(self, match: str, seats: Sequence[SeatSum]) -> None:
        """Add what the analysis of a match says, seat by seat."""
        self.not_analysed.discard(match)
        for row, seat in enumerate(seats, self.places[match]):
            self.numbers["luck"][row] = seat.luck
            self.numbers["accuracy"][row] = MISSING if seat.accuracy is None else seat.accuracy
            self.numbers["error"][row] = seat.error

    def _append(self, some: Sequence[Row], categories: Sequence[str]) -> None:
        """Add matches that nothing is known of, and whose points come from the same categories."""
        first, counts = self.rows, [len(row.seats) for row in some]
        seats = [seat for row in some for seat in row.seats]
        starts = accumulate(counts, initial=first)
        self.match.extend(_each(range(len(self.places), len(self.places) + len(some)), counts))
        self.places.update(zip([row.match for row in some], starts, strict=False))
        self.not_analysed.update(row.match for row in some)
        for name, stored in _named(OF_MATCH, [row.has for row in some]):
            self.columns[name].add(stored, counts)
        for name, stored in _named(OF_SEAT, [seat.has for seat in seats]):
            self.columns[name].add(stored, repeat(1))
        for name, numbers in _named(MATCH_NUMBERS, [row.numbers for row in some]):
            self.numbers[name].extend(_each(numbers, counts))
        names = (*SEAT_NUMBERS, *(f"{CATEGORY}{name}" for name in categories))
        for name, numbers in _named(names, [seat.numbers for seat in seats]):
            self.numbers.setdefault(name, array("f", [MISSING]) * first).extend(numbers)
        for column in self.numbers.values():
            column.extend(repeat(MISSING, self.rows - len(column)))

    def _replace(self, row: Row) -> None:
        """Let what is told of a match now take the place of what was told of it."""
        now, first = Table(), self.places[row.match]
        now.put([row])
        rows = slice(first, first + now.rows)
        for name, column in self.columns.items():
            stored = now.columns[name].stored
            codes = [column.numbers[stored[code]] for code in now.columns[name].codes]
            column.codes[rows] = array("I", codes)
        for name in now.numbers.keys() - {*ANALYSED}:
            self.numbers[name][rows] = now.numbers[name]


def _named(
    names: Sequence[str], records: Sequence[Sequence[T]]
) -> Iterator[tuple[str, Sequence[T]]]:
    """Records side by side, column by column: of each its name, and what all records have."""
    return zip(names, zip(*records, strict=True), strict=True)


def _each(values: Iterable[T], times: Iterable[int]) -> Iterable[T]:
    """Each of these values so many times."""
    return chain.from_iterable(map(repeat, values, times))
