"""What lists and a rebuild take with ten times as many matches, and ten times as many again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import log
from pathlib import Path

from redis import Redis

from bench.load.limits import best, timed
from bench.load.many import fill
from domain.match.events import RatingChange
from projections import PROJECTIONS
from projections.lists.matches import find, hosted
from projections.lists.results import record_of
from projections.lists.turns import waiting_for
from projections.progress import progress
from service import ratings
from service.runtime.settings import Settings
from service.store.event_store import Store
from service.store.redis_client import connect
from workers.host.redis_server import embedded_redis
from workers.tools.rebuild import fold_anew

SIZES = (1_000, 10_000, 100_000)
"""Matches; `ANNALS_BENCH_MATCHES` is the most there will be."""

KINDS = ("open", "begun", "resigned")
ME, FRIEND, LIMIT = "everywhere", "friend0", 50
FRIENDS = 100
PAGES: Mapping[str, Callable[[Redis, int], object]] = {
    "the lobby": lambda redis, n: find(redis, n, limit=LIMIT),
    "open tables of a game": lambda redis, n: find(redis, n, game="qin", status="open"),
    "a player's matches": lambda redis, n: find(redis, n, player=ME, viewer=ME),
    "a player's open tables": lambda redis, n: find(redis, n, player=ME, status="open"),
    "what a player has not": lambda redis, n: find(redis, n, player=FRIEND, status="aborted"),
    "a player's turns": lambda redis, n: waiting_for(redis, n, ME),
    "a leaderboard": lambda redis, _: ratings.standings(redis, "qin"),
    "a player's record": lambda redis, n: record_of(redis, n, ME),
    "how many tables a host has": lambda redis, n: hosted(redis, n, ME),
    "how far the projections are": progress,
}


def figures(folder: Path) -> dict[str, float]:
    """Milliseconds of a page of each list, seconds of a rebuild, and the exponents of their growth:
    0 is as long for any number of matches, 1 is ten times as long for ten times as many.
    """
    most = int(os.environ.get("ANNALS_BENCH_MATCHES", SIZES[-1]))
    sizes, found, begin = [size for size in SIZES if size <= most], dict[str, list[float]](), 0
    with embedded_redis(folder / "growth", fsync="no") as url:
        for size in sizes:
            _grow(url, begin, size)
            for name, value in _measured(url).items():
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
    """Let there be so many matches, and as many competitors."""
    fill(url, KINDS, begin, end, FRIENDS)
    redis = connect(url)
    changes = (
        RatingChange(f"u{n}", (25, 8), (20 + n % 997 / 100, 7), 1, 0) for n in range(begin, end)
    )
    ratings.remember(redis, "qin", f"all before {end}", list(changes))
    ratings.catch_up(redis, "qin")


def _measured(url: str) -> dict[str, float]:
    redis = connect(url)
    store = Store(redis)
    seconds = timed(lambda: fold_anew(Settings(events_url=url), PROJECTIONS))
    pages = {
        f"{name}, ms": 1000 * best(partial(read, redis, store.partitions), 20)
        for name, read in PAGES.items()
    }
    entries = sum(store.feed_length(partition) for partition in range(store.partitions))
    return {**pages, "a rebuild, s": seconds, "a rebuild, us an entry": 1e6 * seconds / entries}
