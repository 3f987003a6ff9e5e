"""What open matches take while nobody plays: memory by kind of key, partitions, feeds, timers,
lists, a rebuild, a backup, a start.

They are made from one of each game that was begun: real entries by the real append script, under
other ids and names. `ANNALS_BENCH_OPEN` says how many.
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

from bench.load.limits import best, timed
from domain.audit.texts import chained
from domain.engine.dice import Luck, choose
from domain.engine.game import legal_moves
from domain.games import GAMES
from domain.match.decisions import lobby, playing
from domain.match.log import Draft, Entry, entry, write_down
from domain.match.scheduled_work import Work, changes, due
from domain.match.state import Chair, ClockRule, Match
from projections import PROJECTIONS
from projections.lists.matches import find
from projections.lists.turns import waiting_for
from service.accounts.players import Players
from service.live.work_notifier import waiting
from service.matches.commands import new_match_id
from service.matches.seeds import Seeds
from service.runtime.settings import Settings
from service.store.event_store import APPEND, APPEND_SHA, Store
from service.store.idempotency import command_of
from service.store.redis_client import connect
from tests.support.patience import eventually
from tests.support.redis_process import RedisProcess
from workers.dispatch.due_work import Dispatcher
from workers.tools.rebuild import fold_anew
from workers.tools.store.backup import write_backup

SIZE = 10_000
MOVES = 3
"""Moves of each match."""
EACH = 20
"""Matches of each player."""
DAY_MS = 86_400_000
NOON = 1_700_000_000_000
SEED = bytes(32)
NAMES = ("TheMatch", "TheFirst", "TheSecond")
PROCESSES = 2
AT_ONCE = 500
SAMPLE = 400
"""Keys of each kind that are weighed."""
ACCOUNTS = 500
"""Players that are registered, to see what one takes."""
Pattern = Sequence[tuple[Entry, Mapping[Work, int | None]]]
"""The entries of a match, each with the work that changes with it."""


def figures(folder: Path) -> dict[str, float]:
    """All of it, for as many matches as the environment says."""
    return dict(measured(folder, int(os.environ.get("ANNALS_BENCH_OPEN", SIZE))))


def measured(folder: Path, size: int) -> Iterator[tuple[str, float]]:
    """Each figure as soon as it is there."""
    with _servers(folder) as (server, queue):
        redis = connect(server.url)
        store, settings = Store(redis), Settings(events_url=server.url, queue_url=queue.url)
        yield "open matches", size
        yield "filling, s", timed(lambda: fill(server.url, size))
        yield from _told(redis, "filled")
        yield from _partitions(store)
        yield from _timers(settings, store, connect(queue.url))
        yield "the append-only file, bytes a match", _bytes_in(server.folder) / size
        yield "a start from it, s", _restarted(server)
        yield "folding all projections, s", timed(lambda: fold_anew(settings, PROJECTIONS))
        yield from _told(redis, "folded")
        yield "players with 10 tables each, bytes a player", _account(redis)
        yield from _by_kind(redis, size)
        yield from _pages(redis, store.partitions)
        yield from _on_disk(server, redis)
        yield "a backup, s", timed(lambda: write_backup(store, folder / "backup"))
        yield "a backup, bytes a match", (folder / "backup").stat().st_size / size


@cache
def pattern(game: str) -> Pattern:
    """The entries of a match of this game that two people have begun, with a day for each move."""
    match, luck, found = Match(GAMES[game], SEED), Luck(game), list[Any]()
    chairs = tuple(Chair(player=name) for name in NAMES[1:])
    plan = lobby.Plan(
        match=NAMES[0], host=NAMES[1], chairs=chairs, seed_given=True, expires=NOON,
        clock=ClockRule(per_move_s=DAY_MS // 1000),
    )  # fmt: skip

    def record(draft: Draft) -> None:
        version, before = match.version + 1, due(match) if match.version else {}
        command, secret = command_of(NAMES[1], str(version), ""), b"" if match.version else SEED
        at = NOON + version
        made = entry(draft, version, NAMES[1], at, match.game.rules, command, secret)
        made = chained(NAMES[0], match, made, draft)
        write_down(match, made, draft.events)
        found.append((made, changes(before, due(match))))

    record(lobby.create(match.game, plan, SEED, NOON))
    for _ in range(MOVES):
        moves = legal_moves(match.game, match.state, match.awaited[0])
        record(playing.move(match, choose(luck, moves), NOON))
    return found


def as_match(game: str, match: str, first: str, second: str, later_ms: int) -> Pattern:
    """The same under this id, between these players, so much later."""
    names = [
        (encode(old), encode(new)) for old, new in zip(NAMES, (match, first, second), strict=True)
    ]
    return [
        (_as_entry(one, names, first, later_ms), _later(work, later_ms))
        for one, work in pattern(game)
    ]


def _later(work: Mapping[Work, int | None], ms: int) -> Mapping[Work, int | None]:
    return {kind: at and at + ms for kind, at in work.items()}


def _as_entry(one: Entry, names: Sequence[tuple[bytes, bytes]], actor: str, later: int) -> Entry:
    events = one.events
    for old, new in names:
        events = events.replace(old, new)
    return replace(one, actor=actor, at=one.at + later, events=events)


def fill(url: str, size: int) -> None:
    """Record so many matches, whose timers fall due through a whole day."""
    share = -(-size // PROCESSES)
    Store(connect(url)).redis.script_load(APPEND)
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        filling = [
            pool.submit(_fill, url, begin, min(begin + share, size), size)
            for begin in range(0, size, share)
        ]
        for one in filling:
            one.result()


class _Piped(Store):
    """A store that records many entries in one round trip."""

    def __init__(self, redis: Redis) -> None:
        super().__init__(redis)
        self._pipe = redis.pipeline(transaction=False)

    def _script(self, keys: Sequence[str], *values: bytes | str | int) -> list[Any]:
        self._pipe.evalsha(APPEND_SHA, len(keys), *keys, *values)
        if len(self._pipe) >= AT_ONCE:
            self.flush()
        return [b"appended", 0]

    def flush(self) -> None:
        """Record what has come so far."""
        for outcome, _ in self._pipe.execute():
            assert outcome == b"appended"


def _fill(url: str, begin: int, end: int, size: int) -> None:
    store, games, players = _Piped(connect(url)), list(GAMES), max(2, 2 * size // EACH)
    for number in range(begin, end):
        match, later = new_match_id("crowd", str(number)), number * DAY_MS // size
        first, second = (f"u{(2 * number + one) % players:015}" for one in (0, 1))
        for record, work in as_match(games[number % len(games)], match, first, second, later):
            store.append(match, record, work)
    store.flush()


@contextmanager
def _servers(folder: Path) -> Iterator[tuple[RedisProcess, RedisProcess]]:
    """One for the events and one for the queues; neither waits for a disk."""
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


def _told(redis: Redis, when: str) -> Iterator[tuple[str, float]]:
    memory = redis.info("memory")
    yield f"memory once {when}, MB", memory["used_memory"] / 1e6
    yield f"the same {when}, as the system sees it, MB", memory["used_memory_rss"] / 1e6


def _account(redis: Redis) -> float:
    """Bytes of memory of a player with a token and the seeds of some tables."""
    players, seeds = Players(redis, 0, 0, []), Seeds(redis)
    for number in range(ACCOUNTS):
        player = players.register(f"Somebody {number}", NOON)[0].id
        for table in range(10):
            seeds.take(player, f"t{number:05}{table:06}")
    keys = [key for kind in ("player", "name", "token") for key in redis.scan_iter(f"*{kind}:*")]
    return sum(int(redis.memory_usage(key) or 0) for key in keys) / ACCOUNTS


def _by_kind(redis: Redis, size: int) -> Iterator[tuple[str, float]]:
    """Bytes of memory a match of each kind of key, of which some are weighed."""
    counts, some = Counter[str](), defaultdict[str, list[bytes]](list)
    for key in redis.scan_iter("{p*", count=10_000):
        kind = _kind(key)
        counts[kind] += 1
        if len(some[kind]) < SAMPLE:
            some[kind].append(key)
    for kind, count in counts.most_common():
        weights = [int(redis.memory_usage(key) or 0) for key in some[kind]]
        yield f"keys: {kind}", count
        yield f"bytes a match: {kind}", count * sum(weights) / len(weights) / size


def _kind(key: bytes) -> str:
    """What kind of key it is: `match`, `feed`, `work:deadlines`, `rm:turns:of`."""
    _, first, second, *more = [*key.decode(errors="replace").split(":"), "", "", ""]
    if first == "rm":
        return f"rm:{second}:{more[2] or 'position'}"  # after version and generation
    return f"work:{second}" if first == "work" else first


def _partitions(store: Store) -> Iterator[tuple[str, float]]:
    lengths = [store.feed_length(partition) for partition in range(store.partitions)]
    mean = sum(lengths) / len(lengths)
    yield "feeds: entries in all", sum(lengths)
    yield "the largest partition as a ratio to the mean", max(lengths) / mean
    yield "the smallest partition as a ratio to the mean", min(lengths) / mean


def _timers(settings: Settings, store: Store, queue: Redis) -> Iterator[tuple[str, float]]:
    """Looking for what is due, while nothing is, and when many matches are at once."""
    first, partitions = NOON + DAY_MS, range(store.partitions)
    yield "timers", sum(store.work_waiting().values())
    dispatcher = Dispatcher(settings, store, queue)
    asked = best(lambda: waiting(store, partitions, first - 1), 5)
    yield "asking what is due, nothing is, ms", 1000 * asked
    looked = best(lambda: dispatcher.look(first - 1), 5)
    yield "a look of the dispatcher, nothing is due, ms", 1000 * looked
    late, jobs = first + DAY_MS // 100, list[int]()
    yield "a look when a hundredth is due, s", timed(lambda: jobs.append(dispatcher.look(late)))
    yield "jobs that it handed out", jobs[-1]
    yield "the next look, all are handed out, s", timed(lambda: jobs.append(dispatcher.look(late)))
    yield "jobs that it handed out then", jobs[-1]
    queue.flushall()
    again = Dispatcher(settings, store, queue)
    all_due = first + 2 * DAY_MS
    yield "a look when all are due, s", timed(lambda: jobs.append(again.look(all_due)))
    yield "jobs handed out of all", jobs[-1]


def _pages(redis: Redis, partitions: int) -> Iterator[tuple[str, float]]:
    """Milliseconds of a page of some lists."""
    player = f"u{0:015}"
    pages: Mapping[str, Callable[[], object]] = {
        "the lobby": partial(find, redis, partitions),
        "matches of a game in play": partial(find, redis, partitions, game="qin", status="active"),
        "a player's matches": partial(find, redis, partitions, player=player, viewer=player),
        "a player's turns": partial(waiting_for, redis, partitions, player),
    }
    for name, read in pages.items():
        yield f"{name}, ms", 1000 * best(read, 20)


def _on_disk(server: RedisProcess, redis: Redis) -> Iterator[tuple[str, float]]:
    """The append-only file with the lists before and after it was written anew, and a start."""
    yield "the append-only file with lists, MB", _bytes_in(server.folder) / 1e6
    redis.bgrewriteaof()
    yield "writing it anew, s", timed(lambda: eventually(lambda: _is_rewritten(redis)))
    info = {**redis.info("stats"), **redis.info("persistence")}
    yield "standing still meanwhile (fork), ms", info["latest_fork_usec"] / 1000
    yield "memory that it took besides, MB", info["aof_last_cow_size"] / 1e6
    yield "the append-only file then, MB", _bytes_in(server.folder) / 1e6
    yield "a start from that, s", _restarted(server)


def _is_rewritten(redis: Redis) -> bool:
    info = redis.info("persistence")
    return not info["aof_rewrite_in_progress"] and not info["aof_rewrite_scheduled"]


def _bytes_in(folder: Path) -> int:
    """What the append-only file of a server takes, all its pieces."""
    return sum(file.stat().st_size for file in (folder / "appendonlydir").iterdir())


def _restarted(server: RedisProcess) -> float:
    server.kill()
    return timed(server.start)
