"""Queries about facts: which metrics to compute, of which matches and seats, in which groups."""

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
from projections.statistics.dimensions import Dimension, Value, filter_text
from projections.statistics.metrics import ANALYSIS_NUMBERS, Metric
from projections.statistics.storage import MISSING, USUAL, StoredValue
from projections.statistics.table import Table

ROWS_PER_BATCH = 1_000
"""Number of rows between two pauses: about a millisecond of work."""
MAX_GROUPS = 10_000

Pause = Callable[[], object]
"""Lets other work run; may raise if the query has run for too long."""
GroupKey = tuple[Value, ...]
ValueTest = Callable[[StoredValue], bool]
"""Whether a row with this stored value counts."""


class TooManyGroups(Exception):
    """The query has more groups than MAX_GROUPS."""


class Filter(msgspec.Struct, frozen=True):
    """The values of a dimension that count, as texts."""

    dimension: Dimension
    texts: frozenset[str]

    def passes(self, stored: StoredValue) -> bool:
        """Return whether a row with this stored value counts."""
        return not self.texts.isdisjoint(map(filter_text, self.dimension.values(stored)))


class StatisticsQuery(msgspec.Struct, frozen=True):
    """A query about a table."""

    metrics: tuple[Metric, ...]
    by: tuple[Dimension, ...] = ()
    """At most two."""
    filters: tuple[Filter, ...] = ()
    since: str | None = None
    until: str | None = None
    """The first and the last month that count."""
    include: frozenset[str] = frozenset()
    """Other ways to begin, besides the usual one, that count."""

    @property
    def needs_analyses(self) -> bool:
        """Whether it asks for a metric that comes from analyses."""
        return any(one.number in ANALYSIS_NUMBERS for one in self.metrics)


class MetricResult(msgspec.Struct, frozen=True):
    """A metric of one group: the number of measured cases, and of all cases; the value with its 95
    % interval; and the raw value if `value` is shrunk.
    """

    metric: str
    key: GroupKey
    n: int
    total: int
    value: float | None
    low: float | None
    high: float | None
    raw: float | None


class _Sums(msgspec.Struct):
    """Sums over the cases of a group."""

    of: int = 0
    n: int = 0
    total: float = 0.0
    squares: float = 0.0
    seats: float = 0.0


def evaluate(table: Table, query: StatisticsQuery, pause: Pause) -> list[MetricResult]:
    """Return the results of a query, group by group. Raises TooManyGroups."""
    groups = _group_rows(table, query, pause)
    return [
        _metric_result(metric, key, _sum_group(table, metric, rows, pause))
        for metric in query.metrics
        for key, rows in groups.items()
    ]


def count_matches(table: Table, query: StatisticsQuery, pause: Pause) -> int:
    """Return the number of matches that a query covers."""
    found: set[int] = set()
    for start, counts in _counting_rows(table, query):
        found.update(compress(table.match[start : start + ROWS_PER_BATCH], counts))
        pause()
    return len(found)


def _group_rows(
    table: Table, query: StatisticsQuery, pause: Pause
) -> Mapping[GroupKey, array[int]]:
    """Return the rows of each group; a row may be in several."""
    dimensions = query.by
    columns = [table.columns[one.column] for one in dimensions]
    stored = [column.values for column in columns]
    groups: dict[GroupKey, array[int]] = defaultdict(lambda: array("I"))

    @lru_cache(MAX_GROUPS)
    def keys(*codes: int) -> list[GroupKey]:
        found = zip(dimensions, stored, codes, strict=True)
        return list(product(*(one.values(values[code]) for one, values, code in found)))

    for start, counts in _counting_rows(table, query):
        rows = compress(range(start, start + ROWS_PER_BATCH), counts)
        codes = [
            compress(column.codes[start : start + ROWS_PER_BATCH], counts) for column in columns
        ]
        for row, *found in zip(rows, *codes, strict=True):
            for key in keys(*found):
                groups[key].append(row)
        if len(groups) > MAX_GROUPS:
            raise TooManyGroups
        pause()
    return groups


def _counting_rows(table: Table, query: StatisticsQuery) -> Iterator[tuple[int, Sequence[bool]]]:
    """Batches of rows: the number of the first row, and whether each row counts."""
    tests = [
        (table.columns[name].codes, list(map(test, table.columns[name].values)))
        for name, test in _row_tests(query)
    ]
    for start in range(0, table.rows, ROWS_PER_BATCH):
        portions = [
            map(counts.__getitem__, codes[start : start + ROWS_PER_BATCH])
            for codes, counts in tests
        ]
        yield start, list(map(all, zip(*portions, strict=True)))


def _row_tests(query: StatisticsQuery) -> Iterator[tuple[str, ValueTest]]:
    """Yield the columns that matter, each with a test of its stored values."""
    beginnings = {USUAL, *query.include}
    yield "begun", beginnings.__contains__
    if query.since or query.until:
        first, last = query.since or "", query.until or "~"
        yield "month", lambda month: first <= str(month) <= last
    for one in query.filters:
        yield one.dimension.column, one.passes


def _sum_group(table: Table, metric: Metric, rows: Sequence[int], pause: Pause) -> _Sums:
    """Return the sums over a group; each match counts once, even with several seats in
    the group.
    """
    sums = _Sums()
    seen: set[int] = set()
    for start in range(0, len(rows), ROWS_PER_BATCH):
        some = rows[start : start + ROWS_PER_BATCH]
        if metric.subject == "match":
            first = {table.match[row]: row for row in some if table.match[row] not in seen}
            seen |= first.keys()
            some = list(first.values())
        values = _values(table, metric, some)
        sums.of += len(some)
        sums.n += len(values)
        sums.total += fsum(values)
        sums.squares += fsum(map(mul, values, values))
        if metric.kind == "advantage":
            sums.seats += sum(_seat_counts(table, _rows_with_number(table, metric, some)))
        pause()
    return sums


def _values(table: Table, metric: Metric, rows: Sequence[int]) -> Sequence[float]:
    """Return the numbers of these rows, without missing ones."""
    if metric.number not in table.numbers:
        return []  # no seat has scored in this category yet
    if metric.kind == "advantage":
        rows = _rows_with_number(table, metric, rows)
    found: Iterable[float] = map(table.numbers[metric.number].__getitem__, rows)
    if metric.kind == "advantage":
        return list(map(mul, found, _seat_counts(table, rows)))
    if metric.per:
        per = map(table.numbers[metric.per].__getitem__, rows)
        pairs = zip(found, per, strict=True)
        return [one / each for one, each in pairs if one != MISSING and each > 0]
    return [one for one in found if one != MISSING]


def _rows_with_number(table: Table, metric: Metric, rows: Sequence[int]) -> Sequence[int]:
    """Return the rows that have this number."""
    numbers = table.numbers[metric.number]
    return [row for row in rows if numbers[row] != MISSING]


def _seat_counts(table: Table, rows: Sequence[int]) -> list[int]:
    """Return the number of seats in the match of each row."""
    seats = table.columns["seats"]
    counts = [int(count or 0) for count in seats.values]
    return [counts[seats.codes[row]] for row in rows]


def _metric_result(metric: Metric, key: GroupKey, sums: _Sums) -> MetricResult:
    """Return a result with its interval, if there is one."""
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
            intervals.wilson_interval(total, n)
            if metric.kind == "share"
            else intervals.mean_interval(n, total, sums.squares)
        )
        low, high = found or (None, None)
    return MetricResult(metric.name, key, n, sums.of, value, low, high, raw)
