"""Making the rows of matches, in this process or in several."""

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
from domain.match.log import Damaged, Entry
from domain.match.state import Match
from projections.analyses import analysis_of
from projections.core.months import month_of
from service.analytics.table_folders import IDS, Made
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from service.store.entry_codec import Pointer
from service.store.redis_client import answering
from service.tlog.signed_state import Noted
from workers.host.errors import CannotRun
from workers.tools.helpers import helpers
from workers.tools.tables.parts.feeds import Seen, settled
from workers.tools.tables.parts.formats import FORMATS
from workers.tools.tables.parts.pseudonyms import People, salt_of
from workers.tools.tables.parts.rows import Told, rows_of
from workers.tools.tables.parts.schema import TABLES, Row

AHEAD = 16
"""So many matches for each process are made while an earlier one is waited for."""
NICE = 10
"""Whoever waits for an answer goes first."""


class Lines(NamedTuple):
    """The rows of a match, as they are staged: by table, how many and what."""

    game: str
    month: str
    tables: Mapping[str, tuple[int, bytes]]


Outcome = Lines | str | None
"""What became of a match: its lines, what is damaged of it, or nothing if it does not count."""


class Maker:
    """Makes the lines of matches."""

    def __init__(self, annals: Annals, how: Made) -> None:
        self._annals, self._how = annals, how
        names = annals.players if how.people == IDS else None
        with answering():
            self._people = People(salt_of(annals.store.redis), names)
        self._noted = Noted(annals.store)
        self._format = FORMATS[how.format]()

    def lines(self, pointer: Pointer) -> Outcome:
        """The lines of a match, if it counts at this entry and is wanted."""
        try:
            entries = self._annals.store.read(pointer.match, 0, pointer.version)
            match = settled(self._annals.games, entries)
            if match is None or (match.visibility == "private" and not self._how.private):
                return None
            analysis = self._analysis(match, entries)
            told = Told(analysis, self._log_index(match.id), self._how.fast)
            rows = rows_of(match.game, entries, self._people, told)
        except Damaged as damage:
            return str(damage)
        by_table: Iterable[tuple[str, Sequence[Row]]] = zip(TABLES, rows, strict=True)
        tables = {name: (len(some), self._format.lines(some)) for name, some in by_table}
        return Lines(match.game.key, month_of(rows.matches[0].ended), tables)

    def _analysis(self, match: Match, entries: Sequence[Entry]) -> Analysis | None:
        """The analysis that is kept of a match, or one that is made if these are wanted."""
        store = self._annals.store
        with answering():
            kept = analysis_of(store.redis, store.partition_of(match.id), match.game, match.id)
        if kept is None and self._how.analyse:
            with suppress(CannotBeAnalysed):
                return analyse(match.game, entries, lambda done, of: None)
        return kept

    def _log_index(self, match: str) -> int | None:
        known = self._noted.leaves(match)
        return known.newest if known else None


def made(
    annals: Annals, how: Made, found: Iterable[Seen], processes: int
) -> Iterator[tuple[Seen, Outcome]]:
    """All that was found, in order, each with what became of its match there; CannotRun if one of
    the processes is ended.
    """
    if processes == 1:
        maker = Maker(annals, how)
        for one in found:
            yield one, maker.lines(one.pointer) if one.candidate else None
        return
    try:
        with helpers(processes, _step_back) as pool:
            yield from _made_by(pool, how, found, AHEAD * processes)
    except BrokenProcessPool:
        raise CannotRun(
            "A process that made tables was ended, perhaps for want of memory. What was written is"
            " kept: the same command goes on."
        ) from None


def _step_back() -> None:
    nice(NICE)


def _made_by(
    pool: ProcessPoolExecutor, how: Made, found: Iterable[Seen], ahead: int
) -> Iterator[tuple[Seen, Outcome]]:
    """The same, made by several processes that are never far ahead."""
    waiting = deque[tuple[Seen, Future[Outcome] | None]]()
    awaited = 0
    for one in found:
        future = pool.submit(_elsewhere, how, one.pointer) if one.candidate else None
        waiting.append((one, future))
        awaited += future is not None
        while waiting and (waiting[0][1] is None or awaited > ahead):
            first, future = waiting.popleft()
            awaited -= future is not None
            yield first, future.result() if future else None
    for first, future in waiting:
        yield first, future.result() if future else None


def _elsewhere(how: Made, pointer: Pointer) -> Outcome:
    """Make the lines of a match in a process that was started for it."""
    return _maker(how).lines(pointer)


@cache
def _maker(how: Made) -> Maker:
    return Maker(open_annals(read_settings(environ)), how)
