"""The event store on a Redis that writes every append to the disk."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from msgspec.structs import replace
from redis import Redis

from bench.load.limits import best, cpu, spread, timed
from bench.load.matches import AnyGame, in_memory, long_match
from domain.games import GAMES
from domain.match.log import Draft, Entry, entry, fold_match
from domain.match.scheduled_work import due
from service.matches.match_cache import MatchCache
from service.store.archive.packs import Packing, file_of
from service.store.archive.reader import Archive
from service.store.archive.targets import Folder
from service.store.entry_codec import row_of
from service.store.event_store import Store
from service.store.redis_client import connect
from workers.host.redis_server import embedded_redis

LONG = 300
VERY_LONG = 2_000
SHORT = 50
CLIENTS = 8
STORED = 5
"""Matches of each game that are recorded to be weighed."""


def figures(folder: Path) -> dict[str, float]:
    """Appends by one and by eight clients, loading of a long match, memory of an entry."""
    with embedded_redis(folder / "store") as url:
        latencies = _append_matches(url, "one", 30)
        with ProcessPoolExecutor(CLIENTS, mp_context=get_context("spawn")) as pool:
            prefixes = [f"client{number}" for number in range(CLIENTS)]
            each = list(pool.map(_append_matches, [url] * CLIENTS, prefixes, [30] * CLIENTS))
        together = sum(len(seconds) / sum(seconds) for seconds in each)
        store, target = Store(connect(url)), Folder(folder / "archive")
        return {
            "appends per second, 1 client": len(latencies) / sum(latencies),
            **spread("append, 1 client", latencies),
            f"appends per second, {CLIENTS} clients": together,
            f"load and fold a match of {LONG} entries, ms": 1000 * _load(store),
            **_past_versions(store),
            **{
                what: figure
                for game in GAMES.values()
                for what, figure in _stored(url, game, target)
            },
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


def _stored(url: str, game: AnyGame, target: Folder) -> Iterator[tuple[str, float]]:
    """Bytes and CPU that an entry of a game takes, all that belongs to it included."""
    redis = connect(url)
    redis.flushall()
    store, title = Store(redis, 1, Archive(target)), game.title
    matches = [f"match{number:07}" for number in range(STORED)]
    size = _file_size(redis)
    written = [step for match_id in matches for step in _recorded(store, match_id, game)]
    yield f"{title}: entries of a match", len(written) / STORED
    yield f"{title}: bytes of memory per entry", _memory(redis) / len(written)
    yield (
        f"{title}: bytes per entry in the append-only file",
        (_file_size(redis) - size) / len(written),
    )
    first = [step for step in written if step.match_id == matches[0]]
    entries = [step.entry for step in first]
    for what, seconds in {
        "encode": cpu(lambda: [step.encoded() for step in first], 20),
        "read": cpu(lambda: store.read(matches[0]), 20),
        "decode and fold": cpu(lambda: fold_match(GAMES, entries), 20),
    }.items():
        yield f"{title}: {what} an entry, us of CPU", 1e6 * seconds / len(first)
    packed = _archived(store, matches, target)
    yield f"{title}: bytes of memory per entry in the archive", _memory(redis) / len(written)
    yield f"{title}: bytes of a pack per entry", packed / len(written)
    yield (
        f"{title}: read a match of the archive, ms",
        1000 * best(lambda: Store(redis, 1, Archive(target)).read(matches[0]), 20),
    )


def _memory(redis: Redis) -> int:
    """Bytes of all that belongs to entries, by themselves: streams, the feed, due work."""
    keys = redis.scan_iter("{p*")
    return sum(redis.memory_usage(name, samples=0) or 0 for name in keys)


def _archived(store: Store, matches: list[str], target: Folder) -> int:
    """Put matches into a pack, whose size this is, and leave their stubs."""
    packing, rows = Packing(), {match_id: store.rows.stored(match_id) for match_id in matches}
    for match_id in matches:
        packing.add(match_id, rows[match_id], bytes(32))
    pack = packing.closed()
    target.write(file_of(pack.name), pack.data)
    for match_id, stub in pack.stubs.items():
        assert store.rows.put_away(match_id, rows[match_id][-1], stub)
    return len(pack.data)


class _Step(NamedTuple):
    """An entry, and the decision that it records."""

    match_id: str
    entry: Entry
    draft: Draft

    def encoded(self) -> bytes:
        """The value that is stored."""
        one = self.entry
        again = entry(self.draft, one.version, one.actor, one.at, one.rules, one.cmd, one.secret)
        again = replace(again, head=one.head)
        return row_of(self.match_id, again)


def _recorded(store: Store, match_id: str, game: AnyGame) -> Iterator[_Step]:
    """Record a match played at random."""
    for match, record, draft in in_memory(match_id, game):
        store.append(match_id, record, due(match))
        yield _Step(match_id, record, draft)


def _file_size(redis: Redis) -> int:
    info: Any = redis.info("persistence")
    return int(info["aof_current_size"])


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
