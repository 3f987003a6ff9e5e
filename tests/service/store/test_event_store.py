"""The guarantees of the event store, on a real server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from domain.engine.codecs.binary_codec import pack
from domain.match.log import Entry
from domain.match.scheduled_work import DUE_NOW
from service.runtime.errors import StoreUnavailable
from service.runtime.settings import BadSetting
from service.store.entry_codec import ENTRY_FIELD, Pointer, encode_entry
from service.store.event_store import AppendConflict, AppendSuccess, EventStore
from service.store.redis_client import connect
from tests.engine.toy.events import Passed
from tests.engine.toy.moves import Pass
from tests.support.patience import PATIENCE_S, eventually
from tests.support.redis_process import RedisProcess, cluster


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    return EventStore(redis_client)


@pytest.fixture
def process(tmp_path: Path) -> Iterator[RedisProcess]:
    server = RedisProcess(tmp_path)
    yield server
    server.kill()


def entry(version: int, cmd: str = "c", **changes: Any) -> Entry:
    values: dict[str, Any] = {
        "version": version,
        "kind": "Moved",
        "actor": "u1",
        "at": 1_700_000_000_000 + version,
        "move": pack(Pass(0)),
        "events": pack([Passed(0)]),
        "rules": 3,
        "cmd": f"{cmd}{version}".encode(),
    }
    return Entry(**{**values, **changes})


def everything(redis: Redis) -> dict[bytes, bytes | None]:
    return {key: redis.dump(key) for key in redis.scan_iter()}


def in_threads(count: int, work: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=work, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_an_entry_is_read_as_it_was_appended(store: EventStore) -> None:
    first = entry(1, secret=bytes(range(32)), move=b"", actor="bot:größer", cmd=b"\0\xff")
    assert store.append("m", first, {}) == AppendSuccess(1)
    assert store.append("m", entry(2), {}) == AppendSuccess(2)
    assert store.read("m") == [first, entry(2)]


def test_entries_are_read_from_after_one_version_up_to_another(store: EventStore) -> None:
    entries = [entry(version) for version in range(1, 13)]
    for one in entries:
        store.append("m", one, {})
    assert store.read("m", after=9) == entries[9:]
    assert store.read("m", after=1, to=3) == entries[1:3]
    assert store.read("m", limit=2) == entries[:2]
    assert store.read("m", after=12) == []
    assert store.version("m") == 12


def test_a_match_that_was_never_created_is_empty(store: EventStore) -> None:
    assert (store.read("m"), store.version("m")) == ([], 0)


def test_a_slower_writer_gets_the_entries_it_did_not_know(store: EventStore) -> None:
    for version in (1, 2, 3):
        store.append("m", entry(version), {})
    before = everything(store.redis)
    assert store.append("m", entry(2, "other"), {"bot": 1}) == AppendConflict([entry(2), entry(3)])
    assert everything(store.redis) == before


def test_nothing_is_recorded_with_a_gap_before_it(store: EventStore) -> None:
    store.append("m", entry(1), {})
    before = everything(store.redis)
    assert store.append("m", entry(3), {}) == AppendConflict([])
    assert store.append("new", entry(2), {}) == AppendConflict([])
    assert everything(store.redis) == before


def test_of_ten_writers_exactly_one_records_each_version(store: EventStore, redis_url: str) -> None:
    won: list[list[Entry]] = [[] for _ in range(10)]

    def write(n: int) -> None:
        own = EventStore(connect(redis_url))
        for version in range(1, 31):
            one = entry(version, f"w{n}-")
            if isinstance(own.append("m", one, {"bot": version}), AppendSuccess):
                won[n].append(one)

    in_threads(10, write)
    recorded = store.read("m")
    assert [one.version for one in recorded] == list(range(1, 31))
    assert sorted((one for mine in won for one in mine), key=lambda one: one.version) == recorded


def test_an_entry_sent_twice_is_recorded_once_and_known_again(store: EventStore) -> None:
    assert store.append("m", entry(1), {"abort": 5}) == AppendSuccess(1)
    assert store.append("m", entry(1), {"abort": 5}) == AppendSuccess(1, is_repeated=True)
    store.append("m", entry(2), {})
    assert store.append("m", entry(1), {}) == AppendSuccess(1, is_repeated=True)
    assert store.read("m") == [entry(1), entry(2)]
    assert store.feed_length(store.partition_of("m")) == 2


def test_the_same_command_id_of_another_player_is_not_mistaken(store: EventStore) -> None:
    store.append("m", entry(1, actor="u1", cmd=b"same"), {})
    assert isinstance(store.append("m", entry(1, actor="u2", cmd=b"same"), {}), AppendConflict)


def test_the_feed_of_a_partition_has_every_entry_in_order(store: EventStore) -> None:
    ids = [f"m{n}" for n in range(40)]
    for version in (1, 2, 3):
        for match in ids:
            store.append(match, entry(version, kind=f"K{version}"), {})
    for partition in range(16):
        mine = [match for match in ids if store.partition_of(match) == partition]
        expected = [(match, version) for version in (1, 2, 3) for match in mine]
        feed = store.read_feed(partition, 0, 1_000)
        assert [(one.match, one.version) for one in feed] == expected
        assert [one.position for one in feed] == list(range(1, len(expected) + 1))
        assert store.feed_length(partition) == len(expected)
        rows = [(one, entry(one.version, kind=f"K{one.version}")) for one in feed]
        assert store.read_batch({partition: 0}, 1_000).get(partition, []) == rows
    assert sorted(store.match_ids()) == sorted(ids)


def test_a_feed_is_read_on_from_any_position(store: EventStore) -> None:
    for version in range(1, 6):
        store.append("m", entry(version), {})
    partition = store.partition_of("m")
    assert store.read_feed(partition, 2, 2) == [Pointer(3, "m", 3), Pointer(4, "m", 4)]
    assert store.read_feed(partition, 5, 2) == []


def test_a_reader_of_a_feed_wakes_at_the_next_entry(store: EventStore, redis_url: str) -> None:
    partition = store.partition_of("m")
    timer = threading.Timer(0.1, lambda: EventStore(connect(redis_url)).append("m", entry(1), {}))
    timer.start()
    assert store.read_feed(partition, 0, 10, block_ms=PATIENCE_S * 1_000) == [Pointer(1, "m", 1)]
    assert store.read_feed(partition, 1, 10, block_ms=20) == []
    timer.join()


def test_an_append_takes_one_command_and_so_does_a_read(store: EventStore) -> None:
    for version in range(1, 301):
        store.append("m", entry(version), {})

    def commands() -> int:
        return int(store.redis.info("stats")["total_commands_processed"])

    before = commands()
    assert len(store.read("m")) == 300
    assert commands() - before == 2  # one of them reads the statistics
    calls = store.redis.info("commandstats")["cmdstat_evalsha"]["calls"]
    store.append("m", entry(301), {"bot": 1})
    assert store.redis.info("commandstats")["cmdstat_evalsha"]["calls"] == calls + 1


def test_a_server_that_lost_the_script_gets_it_again(store: EventStore) -> None:
    store.append("m", entry(1), {})
    store.redis.script_flush()
    assert store.append("m", entry(2), {}) == AppendSuccess(2)


@pytest.mark.parametrize("removed", ["match:m 2-0", "feed 2-0"])
def test_missing_entries_are_noticed_before_anything_is_written(
    store: EventStore, removed: str
) -> None:
    for version in (1, 2, 3):
        store.append("m", entry(version), {})
    name, row = removed.split()
    store.redis.xdel(f"{{p{store.partition_of('m')}}}:{name}", row)
    before = everything(store.redis)
    with pytest.raises(ResponseError, match="CORRUPT"):
        store.append("m", entry(4 if name == "feed" else 3, "x"), {"bot": 1})
    assert everything(store.redis) == before


@pytest.mark.parametrize("key", ["feed", "work:deadlines", "work:thinking", "match:m"])
def test_a_key_of_the_wrong_kind_stops_the_append_before_it_writes(
    store: EventStore, key: str
) -> None:
    store.redis.rpush(f"{{p{store.partition_of('m')}}}:{key}", "x")
    before = everything(store.redis)
    with pytest.raises(ResponseError, match=r"WRONGTYPE|wrong kind"):
        store.append("m", entry(1), {"think": 1, "deadline": 2})
    assert everything(store.redis) == before


def test_fields_of_a_later_release_are_ignored(store: EventStore) -> None:
    store.append("m", entry(1), {})
    name = f"{{p{store.partition_of('m')}}}:match:m"
    [(_, fields)] = store.redis.xrange(name)
    later = replace(entry(1), version=2)
    store.redis.xadd(name, {**fields, "z": "new", ENTRY_FIELD: encode_entry("m", later)}, id="2-0")
    assert store.read("m", after=1) == [later]


def test_the_number_of_partitions_cannot_change(store: EventStore) -> None:
    assert EventStore(store.redis, 16).partitions == 16
    with pytest.raises(BadSetting, match=r"has 16 partitions.* not 8"):
        EventStore(store.redis, 8)


def test_a_full_server_refuses_an_append_as_a_whole(process: RedisProcess) -> None:
    redis = process.client()
    store = EventStore(connect(process.url))
    store.append("m", entry(1), {"bot": 1})
    before = everything(redis)
    redis.config_set("maxmemory", 1_000)
    with pytest.raises(StoreUnavailable):
        store.append("m", entry(2), {"rate": 2})
    assert everything(redis) == before
    redis.config_set("maxmemory", 0)
    assert store.append("m", entry(2), {"rate": 2}) == AppendSuccess(2)


@pytest.mark.slow
def test_a_server_that_is_gone_is_unavailable_until_it_is_back(process: RedisProcess) -> None:
    store = EventStore(connect(process.url))
    store.append("m", entry(1), {})
    process.kill()
    for call in (
        lambda: store.append("m", entry(2), {}),
        lambda: store.read("m"),
        lambda: store.read_feed(0, 0, 1, 10),
        lambda: store.due_work(0, 1, 1),
    ):
        with pytest.raises(StoreUnavailable):
            call()
    process.start()
    assert store.append("m", entry(2), {}) == AppendSuccess(2)


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(process: RedisProcess) -> None:
    acknowledged: dict[str, list[Entry]] = {f"m{n}": [] for n in range(4)}
    over = threading.Event()

    def write(n: int) -> None:
        store, match = EventStore(connect(process.url)), f"m{n}"
        while not over.is_set():
            one = entry(len(acknowledged[match]) + 1, f"w{n}-")
            try:
                assert isinstance(store.append(match, one, {"bot": DUE_NOW}), AppendSuccess)
            except StoreUnavailable:
                continue  # it may be recorded in the end: the same entry is sent again
            acknowledged[match].append(one)

    def await_entries(count: int) -> None:
        eventually(lambda: min(map(len, acknowledged.values())) >= count)

    def kill_and_restart() -> None:
        for written in (5, 10, 15):
            await_entries(written)
            process.kill()
            process.start()
        await_entries(20)
        over.set()

    in_threads(5, lambda n: kill_and_restart() if n == 4 else write(n))
    store = EventStore(process.client())
    for match, entries in acknowledged.items():
        assert len(entries) >= 20
        assert store.read(match) == entries
        turns = store.bot_turns(store.partition_of(match))
        assert [turn.match for turn in turns].count(match) == 1
        feed = store.read_feed(store.partition_of(match), 0, 100_000)
        mine = [pointer.version for pointer in feed if pointer.match == match]
        assert mine == list(range(1, len(entries) + 1))


@pytest.mark.slow
def test_the_store_works_on_a_cluster(tmp_path: Path) -> None:
    with cluster(tmp_path) as url:
        redis = connect(url)
        store = EventStore(redis)
        for version in (1, 2):
            for n in range(20):
                store.append(f"m{n}", entry(version), {"bot": DUE_NOW})
        assert store.append("m1", entry(2, "x"), {}) == AppendConflict([entry(2)])
        assert sorted(store.match_ids()) == sorted(f"m{n}" for n in range(20))
        feeds = [store.read_batch({p: 0}, 100, 5).get(p, []) for p in range(16)]
        assert sum(map(len, feeds)) == 40
        assert sum(len(store.bot_turns(partition)) for partition in range(16)) == 20
        assert store.count_work()["bots"] == 20
        redis.close()
        assert isinstance(redis, RedisCluster)
        redis.disconnect_connection_pools()


@pytest.mark.parametrize("odd", ["?foo=1", "?socket_timeout=x", "?cluster=true&foo=1"])
def test_an_address_that_asks_for_what_no_redis_has_is_refused(odd: str) -> None:
    with pytest.raises(BadSetting, match=r"^The URL of a Redis has unknown options: [^\n]+$"):
        connect(f"redis://127.0.0.1:1/0{odd}")
