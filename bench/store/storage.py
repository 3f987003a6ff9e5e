"""The event store on a Redis that writes every append to disk."""

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

from bench.load.limits import best_time, cpu_time, spread, time_call
from bench.load.matches import AnyGame, build_long_match, play_in_memory
from domain.games import GAMES
from domain.match.log import Draft, Entry, fold_match, make_entry
from domain.match.scheduled_work import due_work
from service.matches.match_cache import MatchCache
from service.store.archive.packs import PackBuilder, pack_file
from service.store.archive.reader import Archive
from service.store.archive.targets import FolderTarget
from service.store.entry_codec import encode_entry
from service.store.event_store import EventStore
from service.store.redis_client import connect
from workers.host.redis.server import run_redis

LONG = 300
VERY_LONG = 2_000
SHORT = 50
CLIENTS = 8
STORED_MATCHES = 5
"""Number of matches of each game that are stored to measure their size."""


def figures(folder: Path) -> dict[str, float]:
    """Figures of appends by one and by eight clients, of a long match, and of memory."""
    with run_redis(folder / "store") as url:
        latencies = _append_matches(url, "one", 30)
        with ProcessPoolExecutor(CLIENTS, mp_context=get_context("spawn")) as pool:
            prefixes = [f"client{number}" for number in range(CLIENTS)]
            each = list(pool.map(_append_matches, [url] * CLIENTS, prefixes, [30] * CLIENTS))
        together = sum(len(seconds) / sum(seconds) for seconds in each)
        store, target = EventStore(connect(url)), FolderTarget(folder / "archive")
        return {
            "appends per second, 1 client": len(latencies) / sum(latencies),
            **spread("append, 1 client", latencies),
            f"appends per second, {CLIENTS} clients": together,
            f"load and fold a match of {LONG} entries, ms": 1000 * _load(store),
            **_past_versions(store),
            **{
                what: figure
                for game in GAMES.values()
                for what, figure in _measure_game(url, game, target)
            },
        }


def _append_matches(url: str, prefix: str, count: int) -> list[float]:
    """Append whole matches; returns the seconds of each append."""
    store = EventStore(connect(url))
    latencies = []
    for number in range(count):
        match_id = f"{prefix}-{number}"
        for record in [record for _, record, _ in play_in_memory(match_id)]:
            begin = time.perf_counter()
            store.append(match_id, record, {})
            latencies.append(time.perf_counter() - begin)
    return latencies


def _measure_game(url: str, game: AnyGame, target: FolderTarget) -> Iterator[tuple[str, float]]:
    """The bytes and processor time of an entry of a game, including all that belongs to it."""
    redis = connect(url)
    redis.flushall()
    store, title = EventStore(redis, 1, Archive(target)), game.title
    matches = [f"match{number:07}" for number in range(STORED_MATCHES)]
    size = _file_size(redis)
    written = [step for match_id in matches for step in _play_random(store, match_id, game)]
    yield f"{title}: entries of a match", len(written) / STORED_MATCHES
    yield f"{title}: bytes of memory per entry", _memory(redis) / len(written)
    yield (
        f"{title}: bytes per entry in the append-only file",
        (_file_size(redis) - size) / len(written),
    )
    first = [step for step in written if step.match_id == matches[0]]
    entries = [step.entry for step in first]
    for what, seconds in {
        "encode": cpu_time(lambda: [step.encode() for step in first], 20),
        "read": cpu_time(lambda: store.read(matches[0]), 20),
        "decode and fold": cpu_time(lambda: fold_match(GAMES, entries), 20),
    }.items():
        yield f"{title}: {what} an entry, us of CPU", 1e6 * seconds / len(first)
    packed = _archive(store, matches, target)
    yield f"{title}: bytes of memory per entry in the archive", _memory(redis) / len(written)
    yield f"{title}: bytes of a pack per entry", packed / len(written)
    yield (
        f"{title}: read a match of the archive, ms",
        1000 * best_time(lambda: EventStore(redis, 1, Archive(target)).read(matches[0]), 20),
    )


def _memory(redis: Redis) -> int:
    """The bytes of streams, the feed and due work."""
    keys = redis.scan_iter("{p*")
    return sum(redis.memory_usage(name, samples=0) or 0 for name in keys)


def _archive(store: EventStore, matches: list[str], target: FolderTarget) -> int:
    """Move matches into a pack, leave their stubs, and return the size of the pack."""
    packing, rows = (
        PackBuilder(),
        {match_id: store.rows.read_stream(match_id) for match_id in matches},
    )
    for match_id in matches:
        packing.add(match_id, rows[match_id], bytes(32))
    pack = packing.build()
    target.write(pack_file(pack.name), pack.data)
    for match_id, stub in pack.stubs.items():
        assert store.rows.replace_by_stub(match_id, rows[match_id][-1], stub)
    return len(pack.data)


class _Step(NamedTuple):
    """An entry, and the decision that it records."""

    match_id: str
    entry: Entry
    draft: Draft

    def encode(self) -> bytes:
        """The stored value."""
        one = self.entry
        again = make_entry(
            self.draft, one.version, one.actor, one.at, one.rules, one.cmd, one.secret
        )
        again = replace(again, head=one.head)
        return encode_entry(self.match_id, again)


def _play_random(store: EventStore, match_id: str, game: AnyGame) -> Iterator[_Step]:
    """Append a random match."""
    for match, record, draft in play_in_memory(match_id, game):
        store.append(match_id, record, due_work(match))
        yield _Step(match_id, record, draft)


def _file_size(redis: Redis) -> int:
    info: Any = redis.info("persistence")
    return int(info["aof_current_size"])


def _past_versions(store: EventStore) -> dict[str, float]:
    """The time to read a past version of a long match, as a ratio to that of a short match."""
    matches = MatchCache(store, GAMES)
    seconds = {length: _each_version(store, matches, length) for length in (SHORT, VERY_LONG)}
    return {
        f"a past version of a match of {SHORT} entries, ms": 1000 * seconds[SHORT],
        f"the same of one of {VERY_LONG}, relative": seconds[VERY_LONG] / seconds[SHORT],
    }


def _each_version(store: EventStore, matches: MatchCache, length: int) -> float:
    """The median seconds to read a past version of a match."""
    match_id = f"of {length}"
    for record in build_long_match(match_id, length):
        store.append(match_id, record, {})
    matches.latest(match_id)
    versions = range(1, length)
    return median(time_call(partial(matches.at, match_id, version)) for version in versions)


def _load(store: EventStore) -> float:
    """Seconds to read a match of LONG entries and fold it, including undone lines."""
    for record in build_long_match("long", LONG):
        store.append("long", record, {})
    return best_time(lambda: fold_match(GAMES, store.read("long")), 10)
