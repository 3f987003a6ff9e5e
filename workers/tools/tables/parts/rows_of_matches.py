"""Computes the rows of matches, in this process or in several."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from os import environ, nice
from typing import NamedTuple

from domain.analysis.analysis import Analysis, CannotBeAnalysed, analyse
from domain.match.log import CorruptEntry, Entry
from domain.match.state import Match
from projections.analyses import read_analysis
from projections.core.months import month_of
from service.analytics.table_folders import REAL_IDS, TableOptions
from service.matches.container import Annals, open_annals
from service.store.entry_codec import Pointer
from service.store.redis_client import store_errors
from service.tlog.signed_state import SignedStateStore
from workers.host.errors import CannotRun
from workers.tools.helpers import helper_pool
from workers.tools.running_store import read_service_settings
from workers.tools.tables.parts.feeds import FeedItem, complete_match
from workers.tools.tables.parts.formats import FORMATS
from workers.tools.tables.parts.pseudonyms import Pseudonyms, read_salt
from workers.tools.tables.parts.rows import MatchContext, build_rows
from workers.tools.tables.parts.schema import TABLES, Row

MAX_AHEAD = 16
"""Number of matches per process that may be computed while an earlier one is awaited."""
NICE = 10
"""Niceness of the processes: requests come first."""


class StagedRows(NamedTuple):
    """The staged rows of a match: by table, their number and their bytes."""

    game: str
    month: str
    tables: Mapping[str, tuple[int, bytes]]


Outcome = StagedRows | str | None
"""The lines of a match, the reason why it cannot be read, or None if it does not count."""


class RowMaker:
    """Computes the lines of matches."""

    def __init__(self, annals: Annals, how: TableOptions) -> None:
        self._annals, self._options = annals, how
        names = annals.players if how.people == REAL_IDS else None
        with store_errors():
            self._pseudonyms = Pseudonyms(read_salt(annals.store.redis), names)
        self._signed = SignedStateStore(annals.store)
        self._format = FORMATS[how.format]()

    def lines(self, pointer: Pointer) -> Outcome:
        """Return the lines of a match, if it is complete at this entry and the options
        include it.
        """
        try:
            entries = self._annals.store.read(pointer.match, 0, pointer.version)
            match = complete_match(self._annals.games, entries)
            if match is None or (match.visibility == "private" and not self._options.private):
                return None
            analysis = self._analysis(match, entries)
            context = MatchContext(analysis, self._log_index(match.id), self._options.fast)
            rows = build_rows(match.game, entries, self._pseudonyms, context)
        except CorruptEntry as error:
            return str(error)
        by_table: Iterable[tuple[str, Sequence[Row]]] = zip(TABLES, rows, strict=True)
        tables = {name: (len(some), self._format.encode_lines(some)) for name, some in by_table}
        return StagedRows(match.game.key, month_of(rows.matches[0].ended), tables)

    def _analysis(self, match: Match, entries: Sequence[Entry]) -> Analysis | None:
        """Return the stored analysis of a match, or a new one if the options ask for it."""
        store = self._annals.store
        with store_errors():
            stored = read_analysis(store.redis, store.partition_of(match.id), match.game, match.id)
        if stored is None and self._options.analyse:
            with suppress(CannotBeAnalysed):
                return analyse(match.game, entries, lambda done, of: None)
        return stored

    def _log_index(self, match: str) -> int | None:
        known = self._signed.leaf_indices(match)
        return known.newest if known else None


def make_rows(
    annals: Annals, options: TableOptions, items: Iterable[FeedItem], processes: int
) -> Iterator[tuple[FeedItem, Outcome]]:
    """Yield all pointers in order, each with the outcome of its match. Raises CannotRun if a
    process is killed.
    """
    if processes == 1:
        maker = RowMaker(annals, options)
        for one in items:
            yield one, maker.lines(one.pointer) if one.candidate else None
        return
    try:
        with helper_pool(processes, _lower_priority) as pool:
            yield from _make_in_pool(pool, options, items, MAX_AHEAD * processes)
    except BrokenProcessPool:
        raise CannotRun(
            "A helper process was killed, perhaps because memory ran out. Finished batches are"
            " stored: run the same command again to continue."
        ) from None


def _lower_priority() -> None:
    nice(NICE)


def _make_in_pool(
    pool: ProcessPoolExecutor, options: TableOptions, items: Iterable[FeedItem], ahead: int
) -> Iterator[tuple[FeedItem, Outcome]]:
    """Yield the items in order, each with its outcome from several processes; at most `ahead`
    outcomes wait.
    """
    waiting = deque[tuple[FeedItem, Future[Outcome] | None]]()
    awaited = 0
    for one in items:
        future = pool.submit(_make_in_process, options, one.pointer) if one.candidate else None
        waiting.append((one, future))
        awaited += future is not None
        while waiting and (waiting[0][1] is None or awaited > ahead):
            first, future = waiting.popleft()
            awaited -= future is not None
            yield first, future.result() if future else None
    for first, future in waiting:
        yield first, future.result() if future else None


def _make_in_process(options: TableOptions, pointer: Pointer) -> Outcome:
    """Compute the lines of a match in a helper process."""
    return _maker(options).lines(pointer)


@cache
def _maker(options: TableOptions) -> RowMaker:
    return RowMaker(open_annals(read_service_settings(environ)), options)
