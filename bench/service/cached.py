"""Folded matches in a process: what looking back takes, and what room and care they need."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import log
from pathlib import Path
from statistics import quantiles
from typing import Any

from bench.load.limits import timed
from bench.load.matches import PLAYER, in_memory, long_match
from domain.games import GAMES
from domain.match.decisions import undo
from domain.match.log import Draft, entry, write_down
from domain.match.state import Match
from service.matches.match_cache import MatchCache
from service.store.event_store import Store
from service.store.redis_client import connect
from workers.host.redis_server import embedded_redis

LENGTHS = (39, 390, 3_900)
"""Entries of a match that somebody looks through, and goes back and forth in; the longest may be no
longer for that."""

TABLES = (50, 500, 5_000)
"""Tables that one process serves."""

GAME = GAMES["tigris_euphrates"]
EACH = 195  # entries of a table, and moves before all are undone
STEPS = 500


def figures(folder: Path) -> dict[str, float]:
    """The slow end of what grows with a match, and the exponents: 0 is as long for any length."""
    with embedded_redis(folder / "cached", fsync="no") as url:
        store = Store(connect(url))
        for length in LENGTHS:
            for record in long_match(f"of {length}", length, GAME, EACH):
                store.append(f"of {length}", record, {})
        jumps = [1000 * _jump(store, length) for length in LENGTHS]
        past = [_p99(partial(_steps, store, length)) for length in LENGTHS]
        back = [_p99(partial(_back_and_forth, store, length)) for length in LENGTHS]
        return {
            **dict(_row("a first look at the last version but one, ms", "entries", LENGTHS, jumps)),
            **dict(_row("a past version, step by step, p99 ms", "entries", LENGTHS, past)),
            **dict(_row("undo and redo, p99 ms", "entries", LENGTHS, back)),
            **_room(store),
        }


def _row(
    name: str, what: str, sizes: Sequence[int], values: Sequence[float]
) -> Iterator[tuple[str, float]]:
    for size, value in zip(sizes, values, strict=True):
        yield f"{name}, {size:,} {what}", value
    yield f"{name}: exponent", log(values[-1] / values[0]) / log(sizes[-1] / sizes[0])


def _p99(measure: Callable[[], list[float]]) -> float:
    """Milliseconds that all but one in a hundred stay below."""
    return 1000 * quantiles(measure(), n=100)[98]


def _jump(store: Store, length: int) -> float:
    """Seconds until the last version but one is seen, in a match of which only the last is."""
    matches = MatchCache(store, GAMES)
    matches.latest(f"of {length}")
    return timed(partial(matches.at, f"of {length}", length - 1))


def _steps(store: Store, length: int) -> list[float]:
    """Seconds of each step through a match, from its beginning."""
    matches = MatchCache(store, GAMES)
    matches.latest(f"of {length}")
    return [timed(partial(matches.at, f"of {length}", version)) for version in range(1, length)]


def _back_and_forth(store: Store, length: int) -> list[float]:
    """Seconds of deciding on and folding an undo of the last move, and its redo."""
    match, seconds = MatchCache(store, GAMES).latest(f"of {length}"), []
    for decide in (undo.redo, _undo_one) * STEPS:
        if decide is undo.redo and not match.undone:
            continue
        begin = time.perf_counter()
        match = _recorded(match, decide(match, PLAYER, 0))
        seconds.append(time.perf_counter() - begin)
    return seconds


def _undo_one(match: Match, player: str, now: int) -> Draft:
    return undo.undo(match, player, match.line[-2].version, now)


def _recorded(match: Match, draft: Draft) -> Match:
    after = match.fork()
    record = entry(draft, match.version + 1, PLAYER, 0, match.game.rules)
    write_down(after, record, draft.events)
    after.version = match.version  # however often it goes back and forth, it is as long as it was
    return after


def _room(store: Store) -> dict[str, float]:
    """The megabytes that tables take in a process, and its longest collection of garbage."""
    entries = [record for _, record, _ in in_memory("table", GAME)][:EACH]
    found: dict[str, float] = {}
    for tables in TABLES:
        for number in range(tables):
            if not store.version(f"table {number}"):
                for record in entries:
                    store.append(f"table {number}", record, {})
        gc.collect()
        gc.freeze()  # all that was imported, as a web process does before it serves
        before, matches = _resident(), MatchCache(store, GAMES)
        for number in range(tables):
            matches.latest(f"table {number}")
        found[f"{tables:,} tables of {EACH} entries, MB"] = _resident() - before
        found[f"a full collection of garbage beside {tables:,} tables, ms"] = _collection()
        del matches
    return found


def _collection() -> float:
    """Milliseconds of a collection that leaves out what was there before any table, as imported."""
    return 1000 * min(timed(gc.collect) for _ in range(3))


def _resident() -> float:
    pages: Any = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * 4096 / 1e6
