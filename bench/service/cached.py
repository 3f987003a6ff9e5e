"""Folded matches in a process: the time to look back, memory, and garbage collection."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import log
from pathlib import Path
from statistics import quantiles
from typing import Any

from bench.load.limits import time_call
from bench.load.matches import PLAYER, build_long_match, play_in_memory
from domain.games import GAMES
from domain.match.decisions import undo
from domain.match.log import Draft, apply_events, make_entry
from domain.match.state import Match
from service.matches.match_cache import MatchCache
from service.store.event_store import EventStore
from service.store.redis_client import connect
from workers.host.redis.server import run_redis

LENGTHS = (39, 390, 3_900)
"""Entries of a match that a client reads back, undoes and redoes; the time should not grow with
them.
"""

TABLES = (50, 500, 5_000)
"""Tables that one process serves."""

GAME = GAMES["tigris_euphrates"]
ENTRIES_PER_TABLE = 195  # entries of a table, and moves before all are undone
STEPS = 500


def figures(folder: Path) -> dict[str, float]:
    """The slow end of unit may grow with a match, and the exponents: 0 means constant."""
    with run_redis(folder / "cached", fsync="no") as url:
        store = EventStore(connect(url))
        for length in LENGTHS:
            for record in build_long_match(f"of {length}", length, GAME, ENTRIES_PER_TABLE):
                store.append(f"of {length}", record, {})
        jumps = [1000 * _jump(store, length) for length in LENGTHS]
        past = [_p99(partial(_steps, store, length)) for length in LENGTHS]
        back = [_p99(partial(_back_and_forth, store, length)) for length in LENGTHS]
        return {
            **dict(_row("first read of the last version but one, ms", "entries", LENGTHS, jumps)),
            **dict(_row("past version, step by step, p99 ms", "entries", LENGTHS, past)),
            **dict(_row("undo and redo, p99 ms", "entries", LENGTHS, back)),
            **_memory_figures(store),
        }


def _row(
    name: str, unit: str, sizes: Sequence[int], values: Sequence[float]
) -> Iterator[tuple[str, float]]:
    for size, value in zip(sizes, values, strict=True):
        yield f"{name}, {size:,} {unit}", value
    yield f"{name}: exponent", log(values[-1] / values[0]) / log(sizes[-1] / sizes[0])


def _p99(measure: Callable[[], list[float]]) -> float:
    """The 99th percentile, in milliseconds."""
    return 1000 * quantiles(measure(), n=100)[98]


def _jump(store: EventStore, length: int) -> float:
    """Seconds to read the last version but one, in a match of which only the last version is
    cached.
    """
    matches = MatchCache(store, GAMES)
    matches.latest(f"of {length}")
    return time_call(partial(matches.at, f"of {length}", length - 1))


def _steps(store: EventStore, length: int) -> list[float]:
    """Seconds of each step through a match, from its beginning."""
    matches = MatchCache(store, GAMES)
    matches.latest(f"of {length}")
    return [time_call(partial(matches.at, f"of {length}", version)) for version in range(1, length)]


def _back_and_forth(store: EventStore, length: int) -> list[float]:
    """Seconds to decide and fold an undo of the last move, and its redo."""
    match, seconds = MatchCache(store, GAMES).latest(f"of {length}"), []
    for decide in (_undo_last, undo.redo) * STEPS:
        begin = time.perf_counter()
        match = _apply(match, decide(match, PLAYER, 0))
        seconds.append(time.perf_counter() - begin)
    return seconds


def _undo_last(match: Match, player: str, now: int) -> Draft:
    return undo.undo(match, player, match.line[-2].version, now)


def _apply(match: Match, draft: Draft) -> Match:
    after = match.copy()
    record = make_entry(draft, match.version + 1, PLAYER, 0, match.game.rules)
    apply_events(after, record, draft.events)
    after.version = match.version  # the version stays the same, so the length does too
    return after


def _memory_figures(store: EventStore) -> dict[str, float]:
    """The megabytes of tables in a process, and its longest garbage collection."""
    entries = [record for _, record, _ in play_in_memory("table", GAME)][:ENTRIES_PER_TABLE]
    found: dict[str, float] = {}
    for tables in TABLES:
        for number in range(tables):
            if not store.version(f"table {number}"):
                for record in entries:
                    store.append(f"table {number}", record, {})
        gc.collect()
        gc.freeze()  # all imports, as a web process does before it serves
        before, matches = _resident(), MatchCache(store, GAMES)
        for number in range(tables):
            matches.latest(f"table {number}")
        found[f"{tables:,} tables of {ENTRIES_PER_TABLE} entries, MB"] = _resident() - before
        found[f"full garbage collection with {tables:,} tables, ms"] = _collection()
        del matches
    return found


def _collection() -> float:
    """Milliseconds of a garbage collection without imported objects."""
    return 1000 * min(time_call(gc.collect) for _ in range(3))


def _resident() -> float:
    pages: Any = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * 4096 / 1e6
