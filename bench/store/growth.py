"""How lists and a rebuild grow with ten and a hundred times as many matches."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import log
from pathlib import Path

from redis import Redis

from bench.load.limits import best_time, time_call
from bench.load.many import fill
from domain.match.outcome import RatingChange
from projections import PROJECTIONS
from projections.lists.matches import count_hosted, find
from projections.lists.results import read_record
from projections.lists.turns import find_turns
from projections.progress import read_progress
from service import ratings
from service.runtime.settings import Settings
from service.store.event_store import EventStore
from service.store.redis_client import connect
from workers.host.redis.server import run_redis
from workers.tools.rebuild import rebuild_projections

SIZES = (1_000, 10_000, 100_000)
"""Numbers of matches; `BENCH_MATCHES` limits them."""

KINDS = ("open", "begun", "resigned")
ME, FRIEND, LIMIT = "everywhere", "friend0", 50
FRIENDS = 100
PAGES: Mapping[str, Callable[[Redis, int], object]] = {
    "the lobby": lambda redis, n: find(redis, n, limit=LIMIT),
    "open tables of a game": lambda redis, n: find(redis, n, game="qin", status="open"),
    "a player's matches": lambda redis, n: find(redis, n, player=ME, viewer=ME),
    "a player's open tables": lambda redis, n: find(redis, n, player=ME, status="open"),
    "an empty list of a player": lambda redis, n: find(redis, n, player=FRIEND, status="aborted"),
    "a player's turns": lambda redis, n: find_turns(redis, n, ME),
    "a leaderboard": lambda redis, _: ratings.standings(redis, "qin"),
    "a player's record": lambda redis, n: read_record(redis, n, ME),
    "number of tables of a host": lambda redis, n: count_hosted(redis, n, ME),
    "progress of the projections": read_progress,
}


def figures(folder: Path) -> dict[str, float]:
    """Milliseconds of a page of each list, seconds of a rebuild, and the exponents of their growth:
    0 means constant, 1 means proportional to the number of matches.
    """
    max_size = int(os.environ.get("BENCH_MATCHES", SIZES[-1]))
    sizes, found, begin = [size for size in SIZES if size <= max_size], dict[str, list[float]](), 0
    with run_redis(folder / "growth", fsync="no") as url:
        for size in sizes:
            _grow(url, begin, size)
            for name, value in _measure(url).items():
                found.setdefault(name, []).append(value)
            begin = size
    return {what: value for name in found for what, value in _row(name, sizes, found[name])}


def _row(name: str, sizes: Sequence[int], values: Sequence[float]) -> Iterator[tuple[str, float]]:
    for size, value in zip(sizes, values, strict=True):
        yield f"{name}, {size:,} matches", value
    if len(sizes) > 1:
        growth = log(values[-1] / values[0]) / log(sizes[-1] / sizes[0])
        yield f"{name}: exponent", growth


def _grow(url: str, begin: int, end: int) -> None:
    """Add matches, and as many competitors."""
    fill(url, KINDS, begin, end, FRIENDS)
    redis = connect(url)
    changes = (
        RatingChange(f"u{n}", (25, 8), (20 + n % 997 / 100, 7), 1, 0) for n in range(begin, end)
    )
    ratings.store_outcome(redis, "qin", f"all before {end}", list(changes))
    ratings.rebuild(redis, "qin")


def _measure(url: str) -> dict[str, float]:
    redis = connect(url)
    store = EventStore(redis)
    seconds = time_call(lambda: rebuild_projections(Settings(events_url=url), PROJECTIONS))
    pages = {
        f"{name}, ms": 1000 * best_time(partial(read, redis, store.partitions), 20)
        for name, read in PAGES.items()
    }
    entries = sum(store.feed_length(partition) for partition in range(store.partitions))
    return {**pages, "a rebuild, s": seconds, "a rebuild, us per entry": 1e6 * seconds / entries}
