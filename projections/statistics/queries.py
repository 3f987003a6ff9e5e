"""Questions about facts: what to measure, of which matches and seats, told apart by what."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, product
from math import fsum
from operator import mul

import msgspec

from domain.analysis import intervals
from projections.statistics.dimensions import Dimension, Value, written
from projections.statistics.metrics import ANALYSED, Metric
from projections.statistics.storage import MISSING, USUAL, Stored
from projections.statistics.table import Table

AT_ONCE = 1_000
"""So many rows are looked at before others get their turn: about a millisecond."""
MOST_GROUPS = 10_000

Pause = Callable[[], object]
"""Lets others have their turn; may raise, if there is no more time."""
Key = tuple[Value, ...]
Test = Callable[[Stored], bool]
"""Whether a row counts in which this is stored."""


class TooManyGroups(Exception):
    """The question has more answers than anybody can read."""


class Filter(msgspec.Struct, frozen=True):
    """Which values of a dimension count, as they are written."""

    dimension: Dimension
    texts: frozenset[str]

    def passes(self, stored: Stored) -> bool:
        """Whether a row with this counts."""
        return not self.texts.isdisjoint(map(written, self.dimension.values(stored)))


class Question(msgspec.Struct, frozen=True):
    """What is asked."""

    metrics: tuple[Metric, ...]
    by: tuple[Dimension, ...] = ()
    """At most two."""
    filters: tuple[Filter, ...] = ()
    since: str | None = None
    until: str | None = None
    """The first and the last month that count."""
    include: frozenset[str] = frozenset()
    """What a match may have begun with, besides what is usual."""

    @property
    def analysed(self) -> bool:
        """Whether it asks for what only analyses tell."""
        return any(one.number in ANALYSED for one in self.metrics)


class Answer(msgspec.Struct, frozen=True):
    """What one metric is for one group: how many cases were measured, of how many; the value, with
    its 95 % interval; and what was counted, where the value is shrunk.
    """

    metric: str
    key: Key
    n: int
    of: int
    value: float | None
    low: float | None
    high: float | None
    raw: float | None


class _Sums(msgspec.Struct):
    """What is added up of the cases of a group."""

    of: int = 0
    n: int = 0
    total: float = 0.0
    squares: float = 0.0
    seats: float = 0.0


def answers(table: Table, question: Question, pause: Pause) -> list[Answer]:
    """What a table says to a question, group by group; TooManyGroups."""
    groups = _groups(table, question, pause)
    return [
        _answer(metric, key, _sums(table, metric, rows, pause))
        for metric in question.metrics
        for key, rows in groups.items()
    ]


def matches_in(table: Table, question: Question, pause: Pause) -> int:
    """How many matches a question is about."""
    found: set[int] = set()
    for start, counts in _counting(table, question):
        found.update(compress(table.match[start : start + AT_ONCE], counts))
        pause()
    return len(found)


def _groups(table: Table, question: Question, pause: Pause) -> Mapping[Key, array[int]]:
    """The rows of each group; a row may be in several."""
    dimensions = question.by
    columns = [table.columns[one.column] for one in dimensions]
    stored = [column.stored for column in columns]
    groups: dict[Key, array[int]] = defaultdict(lambda: array("I"))

    @lru_cache(MOST_GROUPS)
    def keys(*codes: int) -> list[Key]:
        found = zip(dimensions, stored, codes, strict=True)
        return list(product(*(one.values(values[code]) for one, values, code in found)))

    for start, counts in _counting(table, question):
        rows = compress(range(start, start + AT_ONCE), counts)
        codes = [compress(column.codes[start : start + AT_ONCE], counts) for column in columns]
        for row, *found in zip(rows, *codes, strict=True):
            for key in keys(*found):
                groups[key].append(row)
        if len(groups) > MOST_GROUPS:
            raise TooManyGroups
        pause()
    return groups


def _counting(table: Table, question: Question) -> Iterator[tuple[int, Sequence[bool]]]:
    """Portions of the rows: the number of the first, and whether each of them counts."""
    wanted = [
        (table.columns[name].codes, list(map(test, table.columns[name].stored)))
        for name, test in _tests(question)
    ]
    for start in range(0, table.rows, AT_ONCE):
        portions = [
            map(counts.__getitem__, codes[start : start + AT_ONCE]) for codes, counts in wanted
        ]
        yield start, list(map(all, zip(*portions, strict=True)))


def _tests(question: Question) -> Iterator[tuple[str, Test]]:
    """Of the columns that matter, what has to be stored in a row that counts."""
    begun = {USUAL, *question.include}
    yield "begun", begun.__contains__
    if question.since or question.until:
        first, last = question.since or "", question.until or "~"
        yield "month", lambda month: first <= str(month) <= last
    for one in question.filters:
        yield one.dimension.column, one.passes


def _sums(table: Table, metric: Metric, rows: Sequence[int], pause: Pause) -> _Sums:
    """What is added up of a group; of a match once, however many of its seats are in the group."""
    sums = _Sums()
    seen: set[int] = set()
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        if metric.of == "match":
            first = {table.match[row]: row for row in some if table.match[row] not in seen}
            seen |= first.keys()
            some = list(first.values())
        values = _values(table, metric, some)
        sums.of += len(some)
        sums.n += len(values)
        sums.total += fsum(values)
        sums.squares += fsum(map(mul, values, values))
        if metric.kind == "advantage":
            sums.seats += sum(_seats(table, _measured(table, metric, some)))
        pause()
    return sums


def _values(table: Table, metric: Metric, rows: Sequence[int]) -> Sequence[float]:
    """The numbers of these rows, where there are any."""
    if metric.number not in table.numbers:
        return []  # a category in which nobody has scored yet
    if metric.kind == "advantage":
        rows = _measured(table, metric, rows)
    found: Iterable[float] = map(table.numbers[metric.number].__getitem__, rows)
    if metric.kind == "advantage":
        return list(map(mul, found, _seats(table, rows)))
    if metric.per:
        per = map(table.numbers[metric.per].__getitem__, rows)
        pairs = zip(found, per, strict=True)
        return [one / each for one, each in pairs if one != MISSING and each > 0]
    return [one for one in found if one != MISSING]


def _measured(table: Table, metric: Metric, rows: Sequence[int]) -> Sequence[int]:
    """Those of these rows that have the number."""
    numbers = table.numbers[metric.number]
    return [row for row in rows if numbers[row] != MISSING]


def _seats(table: Table, rows: Sequence[int]) -> list[int]:
    """How many seats there are in the matches of these rows."""
    seats = table.columns["seats"]
    counts = [int(count or 0) for count in seats.stored]
    return [counts[seats.codes[row]] for row in rows]


def _answer(metric: Metric, key: Key, sums: _Sums) -> Answer:
    """A number with its interval, if there is one."""
    n, total = sums.n, sums.total
    value, low, high, raw = None, None, None, None
    if metric.kind == "count":
        value = float(n)
    elif n and metric.kind == "advantage":
        raw = total / n
        value, (low, high) = intervals.advantage(n, total, sums.squares, sums.seats)
    elif n:
        value = total / n
        found = (
            intervals.wilson(total, n)
            if metric.kind == "share"
            else intervals.of_mean(n, total, sums.squares)
        )
        low, high = found or (None, None)
    return Answer(metric.name, key, n, sums.of, value, low, high, raw)
