"""The cost of idle open matches: memory by kind of key, partitions, feeds, timers,
lists, a rebuild, a backup, a start.

They are copies of one started match of each game: real entries by the real append script, with
other ids and names. `BENCH_OPEN` is their number.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from msgspec.msgpack import encode
from msgspec.structs import replace
from redis import Redis

from bench.load.limits import best_time, time_call
from domain.audit.texts import with_head
from domain.engine.dice import Luck, choose
from domain.engine.game import legal_moves
from domain.games import GAMES
from domain.match.decisions import lobby, playing
from domain.match.log import Draft, Entry, apply_events, make_entry
from domain.match.scheduled_work import Work, due_changes, due_work
from domain.match.state import Chair, ClockRule, Match
from projections import PROJECTIONS
from projections.lists.matches import find
from projections.lists.turns import find_turns
from service.accounts.players import Players
from service.live.work_notifier import partitions_with_work
from service.matches.commands import new_match_id
from service.matches.seeds import Seeds
from service.runtime.settings import Settings
from service.store.event_store import APPEND_SCRIPT, APPEND_SHA, EventStore
from service.store.idempotency import command_id
from service.store.redis_client import connect
from tests.support.patience import eventually
from tests.support.redis_process import RedisProcess
from workers.dispatch.due_work import Dispatcher
from workers.tools.rebuild import rebuild_projections
from workers.tools.store.backup import write_backup

SIZE = 10_000
MOVES = 3
"""Moves of each match."""
MATCHES_PER_PLAYER = 20
"""Matches of each player."""
DAY_MS = 86_400_000
NOON = 1_700_000_000_000
MATCH_SEED = bytes(32)
NAMES = ("TheMatch", "TheFirst", "TheSecond")
PROCESSES = 2
PIPELINE_APPENDS = 500
SAMPLE_KEYS = 400
"""Number of keys of each kind whose memory is measured."""
ACCOUNTS = 500
"""Number of players that are registered to measure the memory of one."""
Pattern = Sequence[tuple[Entry, Mapping[Work, int | None]]]
"""The entries of a match, each with the work that changes with it."""


def figures(folder: Path) -> dict[str, float]:
    """All figures, for as many matches as the environment says."""
    return dict(measure(folder, int(os.environ.get("BENCH_OPEN", SIZE))))


def measure(folder: Path, size: int) -> Iterator[tuple[str, float]]:
    """Yield each figure as soon as it is measured."""
    with _servers(folder) as (server, queue):
        redis = connect(server.url)
        store, settings = EventStore(redis), Settings(events_url=server.url, queue_url=queue.url)
        yield "open matches", size
        yield "filling, s", time_call(lambda: fill(server.url, size))
        yield from _memory_figures(redis, "filled")
        yield from _partitions(store)
        yield from _timers(settings, store, connect(queue.url))
        yield "the append-only file, bytes per match", _bytes_in(server.folder) / size
        yield "a start from it, s", _time_restart(server)
        yield (
            "folding all projections, s",
            time_call(lambda: rebuild_projections(settings, PROJECTIONS)),
        )
        yield from _memory_figures(redis, "folded")
        yield "players with 10 tables each, bytes per player", _account(redis)
        yield from _by_kind(redis, size)
        yield from _pages(redis, store.partitions)
        yield from _on_disk(server, redis)
        yield "a backup, s", time_call(lambda: write_backup(store, folder / "backup"))
        yield "a backup, bytes per match", (folder / "backup").stat().st_size / size


@cache
def build_pattern(game: str) -> Pattern:
    """The entries of a match of this game that two players have started, with one day for each
    move.
    """
    match, luck, found = Match(GAMES[game], MATCH_SEED), Luck(game), list[Any]()
    chairs = tuple(Chair(player=name) for name in NAMES[1:])
    plan = lobby.Plan(
        match=NAMES[0], host=NAMES[1], chairs=chairs, seed_given=True, expires=NOON,
        clock=ClockRule(per_move_s=DAY_MS // 1000),
    )  # fmt: skip

    def record(draft: Draft) -> None:
        version, before = match.version + 1, due_work(match) if match.version else {}
        command, secret = (
            command_id(NAMES[1], str(version), ""),
            b"" if match.version else MATCH_SEED,
        )
        at = NOON + version
        made = make_entry(draft, version, NAMES[1], at, match.game.rules, command, secret)
        made = with_head(NAMES[0], match, made, draft)
        apply_events(match, made, draft.events)
        found.append((made, due_changes(before, due_work(match))))

    record(lobby.create(match.game, plan, MATCH_SEED, NOON))
    for _ in range(MOVES):
        moves = legal_moves(match.game, match.state, match.seats_to_move[0])
        record(playing.move(match, choose(luck, moves), NOON))
    return found


def copy_match(game: str, match: str, first: str, second: str, later_ms: int) -> Pattern:
    """The same entries with this id and these players, `later_ms` later."""
    names = [
        (encode(old), encode(new)) for old, new in zip(NAMES, (match, first, second), strict=True)
    ]
    return [
        (_as_entry(one, names, first, later_ms), _later(work, later_ms))
        for one, work in build_pattern(game)
    ]


def _later(work: Mapping[Work, int | None], ms: int) -> Mapping[Work, int | None]:
    return {kind: at and at + ms for kind, at in work.items()}


def _as_entry(one: Entry, names: Sequence[tuple[bytes, bytes]], actor: str, later: int) -> Entry:
    events = one.events
    for old, new in names:
        events = events.replace(old, new)
    return replace(one, actor=actor, at=one.at + later, events=events)


def fill(url: str, size: int) -> None:
    """Append matches whose timers fall due throughout a day."""
    share = -(-size // PROCESSES)
    EventStore(connect(url)).redis.script_load(APPEND_SCRIPT)
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        filling = [
            pool.submit(_fill, url, begin, min(begin + share, size), size)
            for begin in range(0, size, share)
        ]
        for one in filling:
            one.result()


class _PipelinedStore(EventStore):
    """An event store that appends many entries in one round trip."""

    def __init__(self, redis: Redis) -> None:
        super().__init__(redis)
        self._pipe = redis.pipeline(transaction=False)

    def _run_append(self, keys: Sequence[str], *values: bytes | str | int) -> list[Any]:
        self._pipe.evalsha(APPEND_SHA, len(keys), *keys, *values)
        if len(self._pipe) >= PIPELINE_APPENDS:
            self.flush()
        return [b"appended", 0]

    def flush(self) -> None:
        """Append the collected entries."""
        for outcome, _ in self._pipe.execute():
            assert outcome == b"appended"


def _fill(url: str, begin: int, end: int, size: int) -> None:
    store, games, players = (
        _PipelinedStore(connect(url)),
        list(GAMES),
        max(2, 2 * size // MATCHES_PER_PLAYER),
    )
    for number in range(begin, end):
        match, later = new_match_id("idle", str(number)), number * DAY_MS // size
        first, second = (f"u{(2 * number + one) % players:015}" for one in (0, 1))
        for record, work in copy_match(games[number % len(games)], match, first, second, later):
            store.append(match, record, work)
    store.flush()


@contextmanager
def _servers(folder: Path) -> Iterator[tuple[RedisProcess, RedisProcess]]:
    """A Redis for the events and one for the queues; neither waits for a disk."""
    folders = folder / "events", folder / "queue"
    for one in folders:
        one.mkdir(parents=True)
    events = RedisProcess(
        folders[0], "--appendfsync", "no", "--stream-node-max-bytes", "2048",
        "--auto-aof-rewrite-percentage", "0", tcp=True,
    )  # fmt: skip
    queue = RedisProcess(folders[1], "--appendonly", "no", tcp=True)
    try:
        yield events, queue
    finally:
        events.kill()
        queue.kill()


def _memory_figures(redis: Redis, when: str) -> Iterator[tuple[str, float]]:
    memory = redis.info("memory")
    yield f"memory once {when}, MB", memory["used_memory"] / 1e6
    yield f"resident memory once {when}, MB", memory["used_memory_rss"] / 1e6


def _account(redis: Redis) -> float:
    """The bytes of memory of a player with a token and the seeds of some tables."""
    players, seeds = Players(redis, 0, 0), Seeds(redis)
    for number in range(ACCOUNTS):
        player = players.register(f"Player {number}", NOON)[0].id
        for table in range(10):
            seeds.take(player, f"t{number:05}{table:06}")
    keys = [key for kind in ("player", "name", "token") for key in redis.scan_iter(f"*{kind}:*")]
    return sum(int(redis.memory_usage(key) or 0) for key in keys) / ACCOUNTS


def _by_kind(redis: Redis, size: int) -> Iterator[tuple[str, float]]:
    """The bytes of memory per match of each kind of key, from a sample."""
    counts, some = Counter[str](), defaultdict[str, list[bytes]](list)
    for key in redis.scan_iter("{p*", count=10_000):
        kind = _kind(key)
        counts[kind] += 1
        if len(some[kind]) < SAMPLE_KEYS:
            some[kind].append(key)
    for kind, count in counts.most_common():
        weights = [int(redis.memory_usage(key) or 0) for key in some[kind]]
        yield f"keys: {kind}", count
        yield f"bytes per match: {kind}", count * sum(weights) / len(weights) / size


def _kind(key: bytes) -> str:
    """The kind of a key: `match`, `feed`, `work:deadlines`, `rm:turns:of`."""
    _, first, second, *more = [*key.decode(errors="replace").split(":"), "", "", ""]
    if first == "rm":
        return f"rm:{second}:{more[2] or 'position'}"  # without version and generation
    return f"work:{second}" if first == "work" else first


def _partitions(store: EventStore) -> Iterator[tuple[str, float]]:
    lengths = [store.feed_length(partition) for partition in range(store.partitions)]
    mean = sum(lengths) / len(lengths)
    yield "feeds: entries", sum(lengths)
    yield "the largest partition relative to the mean", max(lengths) / mean
    yield "the smallest partition relative to the mean", min(lengths) / mean


def _timers(settings: Settings, store: EventStore, queue: Redis) -> Iterator[tuple[str, float]]:
    """The time to look for due work when there is none, and when many matches have some."""
    first, partitions = NOON + DAY_MS, range(store.partitions)
    yield "timers", sum(store.count_work().values())
    dispatcher = Dispatcher(settings, store, queue)
    query_s = best_time(lambda: partitions_with_work(store, partitions, first - 1), 5)
    yield "query for due work, none is due, ms", 1000 * query_s
    scan_s = best_time(lambda: dispatcher.scan(first - 1), 5)
    yield "scan of the dispatcher, none is due, ms", 1000 * scan_s
    late, jobs = first + DAY_MS // 100, list[int]()
    yield "scan when a hundredth is due, s", time_call(lambda: jobs.append(dispatcher.scan(late)))
    yield "jobs handed out by that scan", jobs[-1]
    yield (
        "second scan, all are handed out, s",
        time_call(lambda: jobs.append(dispatcher.scan(late))),
    )
    yield "jobs handed out by the second scan", jobs[-1]
    queue.flushall()
    again = Dispatcher(settings, store, queue)
    all_due = first + 2 * DAY_MS
    yield "scan when all are due, s", time_call(lambda: jobs.append(again.scan(all_due)))
    yield "jobs handed out when all are due", jobs[-1]


def _pages(redis: Redis, partitions: int) -> Iterator[tuple[str, float]]:
    """Milliseconds of a page of some lists."""
    player = f"u{0:015}"
    pages: Mapping[str, Callable[[], object]] = {
        "the lobby": partial(find, redis, partitions),
        "matches of a game in play": partial(find, redis, partitions, game="qin", status="active"),
        "a player's matches": partial(find, redis, partitions, player=player, viewer=player),
        "a player's turns": partial(find_turns, redis, partitions, player),
    }
    for name, read in pages.items():
        yield f"{name}, ms", 1000 * best_time(read, 20)


def _on_disk(server: RedisProcess, redis: Redis) -> Iterator[tuple[str, float]]:
    """The size of the append-only file with the lists before and after a rewrite, and the time of a
    start.
    """
    yield "the append-only file with lists, MB", _bytes_in(server.folder) / 1e6
    redis.bgrewriteaof()
    yield "rewriting it, s", time_call(lambda: eventually(lambda: _is_rewritten(redis)))
    info = {**redis.info("stats"), **redis.info("persistence")}
    yield "pause for the fork, ms", info["latest_fork_usec"] / 1000
    yield "additional memory for the rewrite, MB", info["aof_last_cow_size"] / 1e6
    yield "the append-only file after that, MB", _bytes_in(server.folder) / 1e6
    yield "a start from that, s", _time_restart(server)


def _is_rewritten(redis: Redis) -> bool:
    info = redis.info("persistence")
    return not info["aof_rewrite_in_progress"] and not info["aof_rewrite_scheduled"]


def _bytes_in(folder: Path) -> int:
    """The bytes of the append-only file of a server, all parts together."""
    return sum(file.stat().st_size for file in (folder / "appendonlydir").iterdir())


def _time_restart(server: RedisProcess) -> float:
    server.kill()
    return time_call(server.start)
