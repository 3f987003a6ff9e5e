"""The event store on a Redis that writes every append to the disk."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from bench.limits import best, spread, timed
from bench.matches import in_memory, long_match
from domain.games import GAMES
from domain.match.log import fold_match
from service.match_cache import MatchCache
from service.store import Store, connect
from workers.host.redis_server import embedded_redis

LONG = 300
VERY_LONG = 2_000
SHORT = 50
CLIENTS = 8


def figures(folder: Path) -> dict[str, float]:
    """Appends by one and by eight clients, loading of a long match, memory of an entry."""
    with embedded_redis(folder / "store") as url:
        latencies = _append_matches(url, "one", 30)
        with ProcessPoolExecutor(CLIENTS, mp_context=get_context("spawn")) as pool:
            prefixes = [f"client{number}" for number in range(CLIENTS)]
            each = list(pool.map(_append_matches, [url] * CLIENTS, prefixes, [30] * CLIENTS))
        together = sum(len(seconds) / sum(seconds) for seconds in each)
        store = Store(connect(url))
        entries, used = store.footprint()
        return {
            "appends per second, 1 client": len(latencies) / sum(latencies),
            **spread("append, 1 client", latencies),
            f"appends per second, {CLIENTS} clients": together,
            "bytes of memory per entry": used / entries,
            f"load and fold a match of {LONG} entries, ms": 1000 * _load(store),
            **_past_versions(store),
        }


def _append_matches(url: str, prefix: str, count: int) -> list[float]:
    """Append whole matches; the seconds that each append took."""
    store = Store(connect(url))
    latencies = []
    for number in range(count):
        match_id = f"{prefix}-{number}"
        for record in [record for _, record, _ in in_memory(match_id)]:
            begin = time.perf_counter()
            store.append(match_id, record, {})
            latencies.append(time.perf_counter() - begin)
    return latencies


def _past_versions(store: Store) -> dict[str, float]:
    """How long any past version of a long match takes beside one of a short match, as a ratio."""
    matches = MatchCache(store, GAMES)
    seconds = {length: _each_version(store, matches, length) for length in (SHORT, VERY_LONG)}
    return {
        f"a past version of a match of {SHORT} entries, ms": 1000 * seconds[SHORT],
        f"the same of one of {VERY_LONG}, as a ratio": seconds[VERY_LONG] / seconds[SHORT],
    }


def _each_version(store: Store, matches: MatchCache, length: int) -> float:
    """Seconds that a past version of a match takes, the middle of all versions."""
    match_id = f"of {length}"
    for record in long_match(match_id, length):
        store.append(match_id, record, {})
    matches.latest(match_id)
    versions = range(1, length)
    return median(timed(partial(matches.at, match_id, version)) for version in versions)


def _load(store: Store) -> float:
    """Seconds to read a match of LONG entries from the store and fold it: undone lines included."""
    for record in long_match("long", LONG):
        store.append("long", record, {})
    return best(lambda: fold_match(GAMES, store.read("long")), 10)
