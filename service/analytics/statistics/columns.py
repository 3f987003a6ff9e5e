"""Columns of recently queried games, cached per process, and columns for a single query."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from time import monotonic
from typing import Any

from domain.engine.game import Game
from projections.analyses import count_analyses, read_seat_sums
from projections.statistics.queries import StatisticsQuery
from projections.statistics.reader import GameMonths, RowLocation, find_changed_rows, read_rows
from projections.statistics.storage import MatchRow, read_row
from projections.statistics.table import Table
from service.analytics.statistics.time_slices import TimeSlices
from service.matches.container import Annals

MATCH_BYTES = 1_000
"""What the facts of a match take in memory."""
ROWS_PER_READ = 500
"""Rows per read."""
ROWS_PER_SLICE = 50
"""Rows that are put into columns before other requests get their turn: about a millisecond."""
ANALYSES_CACHE_S = 60.0
"""How long the known analyses count as complete, in seconds."""


class GameColumns:
    """The columns of a game, and up to which position each month is read in each partition."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start over."""
        self.table = Table()
        self.read: dict[tuple[str, int], int] = {}
        self.analyses_at = -ANALYSES_CACHE_S
        self.analyses_seen = (0, 0)
        """The numbers of analyses and of matches at the last check for new analyses."""

    def lacking(self, month: str, positions: Mapping[int, int]) -> Mapping[int, int]:
        """Return the partitions in which a month has changed since it was read, with the position
        read.
        """
        known = {partition: self.read.get((month, partition), 0) for partition in positions}
        return {partition: at for partition, at in known.items() if at < positions[partition]}

    def has_others(self, months: Collection[str]) -> bool:
        """Return whether months other than these are cached."""
        return any(month not in months for month, _ in self.read)


class ColumnCache:
    """Columns of games, up to a total number of matches; each query reads what is new."""

    def __init__(self, annals: Annals, max_matches: int) -> None:
        self._annals = annals
        self._max_matches = max_matches
        self._games: OrderedDict[str, GameColumns] = OrderedDict()

    def of_game(
        self, game: Game[Any], question: StatisticsQuery, found: GameMonths, turns: TimeSlices
    ) -> tuple[Table, bool]:
        """Return the columns that a query needs of a game, the latest months first, and whether all
        of them fit.
        """
        columns = self._games.setdefault(game.key, GameColumns())
        self._games.move_to_end(game.key)
        first, last = question.since or "", question.until or "~"
        months = sorted((one for one in found.months if first <= one <= last), reverse=True)
        complete = self._catch_up(columns, game.key, months, found, turns)
        if not complete and columns.has_others(months):
            columns.clear()
            complete = self._catch_up(columns, game.key, months, found, turns)
        if question.needs_analyses and monotonic() - columns.analyses_at >= ANALYSES_CACHE_S:
            self._add_new_analyses(columns, game, turns)
        return columns.table, complete

    def of_places(
        self,
        locations: Sequence[RowLocation],
        seated: frozenset[str],
        question: StatisticsQuery,
        turns: TimeSlices,
    ) -> Table:
        """Return the columns of the matches at these locations in which all these competitors are
        seated.
        """
        table = Table()
        for start in range(0, len(locations), ROWS_PER_READ):
            some = read_rows(self._annals.store.redis, locations[start : start + ROWS_PER_READ])
            _put_rows(table, some, turns, lambda row: seated <= row.competitors)
        for key in {one.game for one in locations} & self._annals.games.keys():
            if question.needs_analyses:
                self._add_analyses(table, self._annals.games[key], turns)
        return table

    def _catch_up(
        self,
        columns: GameColumns,
        game: str,
        months: Sequence[str],
        found: GameMonths,
        turns: TimeSlices,
    ) -> bool:
        """Read the new rows of these months; return whether they fit."""
        for month in months:
            while lacking := columns.lacking(month, found.months[month]):
                if self._is_full(columns):
                    return False
                page = find_changed_rows(
                    self._annals.store.redis, game, month, lacking, ROWS_PER_READ
                )
                _put_rows(columns.table, read_rows(self._annals.store.redis, page.locations), turns)
                for partition, position in page.up_to.items():
                    known = found.months[month][partition] if partition in page.complete else 0
                    columns.read[month, partition] = max(position, known)
        return True

    def _is_full(self, columns: GameColumns) -> bool:
        """Return whether there is no room; drops the least recently queried games first."""
        while sum(len(one.table.first_rows) for one in self._games.values()) >= self._max_matches:
            if next(iter(self._games.values())) is columns:
                return True
            self._games.popitem(last=False)
        return False

    def _add_new_analyses(self, columns: GameColumns, game: Game[Any], turns: TimeSlices) -> None:
        """Add new analyses, unless the counts show that there are none."""
        store = self._annals.store
        now = count_analyses(store.redis, store.partitions, game), len(columns.table.first_rows)
        if now != columns.analyses_seen:
            self._add_analyses(columns.table, game, turns)
        columns.analyses_seen, columns.analyses_at = now, monotonic()

    def _add_analyses(self, table: Table, game: Game[Any], turns: TimeSlices) -> None:
        """Add the analyses of matches of a game."""
        store = self._annals.store
        open_ = list(table.not_analysed)
        for start in range(0, len(open_), ROWS_PER_READ):
            some = {
                match: store.partition_of(match) for match in open_[start : start + ROWS_PER_READ]
            }
            for match, seats in read_seat_sums(store.redis, game, some).items():
                table.add_analysis(match, seats)
            turns()


def _put_rows(
    table: Table,
    texts: Sequence[bytes],
    turns: TimeSlices,
    wanted: Callable[[MatchRow], bool] = lambda row: True,
) -> None:
    """Put rows into columns, a few at a time."""
    for start in range(0, len(texts), ROWS_PER_SLICE):
        table.add(
            [row for row in map(read_row, texts[start : start + ROWS_PER_SLICE]) if wanted(row)]
        )
        turns()
