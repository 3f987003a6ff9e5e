"""Async Redis for several requests on one loop, with a real Redis that is killed and stopped."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from redis import Redis
from redis.crc import key_slot
from redis.exceptions import ConnectionError as Unconnected
from redis.exceptions import ResponseError, WatchError
from redis.exceptions import TimeoutError as TimedOut
from structlog.testing import capture_logs

from domain.match.log import Entry
from service.runtime.async_redis import LoopPool
from service.runtime.errors import StoreUnavailable
from service.runtime.event_loop import on_loop, pause, run, start_background, wait
from service.store.event_store import AppendSuccess, EventStore
from service.store.redis_client import connect
from tests.support.patience import PATIENCE_S, eventually
from tests.support.redis_process import RedisProcess, cluster


def on_a_loop(function: Callable[[], object]) -> object:
    return asyncio.run(run(function))


def entry(version: int) -> Entry:
    return Entry(version, "Moved", "ann", 0, b"", b"\x90", 1, b"command%d" % version)


@pytest.fixture
def client(redis_client: Redis, redis_url: str) -> Redis:
    return connect(redis_url, LoopPool)


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> float:
    """How long a client that connects now waits for a reply (seconds)."""
    monkeypatch.setattr("service.store.redis_client.REPLY_TIMEOUT_S", 0.3)
    return 0.3


def test_many_ask_on_one_connection_and_each_gets_their_own_reply(
    client: Redis, redis_client: Redis
) -> None:
    replies = {}

    def ask(number: int) -> None:
        client.set(f"key{number}", number)
        with client.pipeline() as pipe:
            pipe.get(f"key{number}").incr(f"key{number}")
            replies[number] = pipe.execute()

    async def all_at_once() -> None:
        await asyncio.gather(*(run(ask, number) for number in range(200)))

    before = redis_client.info()["total_connections_received"]
    asyncio.run(all_at_once())
    assert replies == {number: [b"%d" % number, number + 1] for number in range(200)}
    assert redis_client.info()["total_connections_received"] == before + 1


def test_blocking_and_watching_clients_have_a_separate_connection(client: Redis) -> None:
    heard = []

    def listen() -> None:
        heard.append(client.xread({"news": "0-0"}, block=1_000 * PATIENCE_S))

    def tell() -> None:
        start_background(listen)
        with client.pipeline() as pipe:
            pipe.watch("news")
            client.get("other")
            pipe.multi()
            pipe.xadd("news", {"a": "b"}, id="1-0")
            assert pipe.execute() == [b"1-0"]
        while not heard:
            client.ping()

    on_a_loop(tell)
    assert heard == [[[b"news", [(b"1-0", {b"a": b"b"})]]]]


def test_a_command_that_lets_redis_wait_gets_that_time(
    brief: float, redis_client: Redis, redis_url: str
) -> None:
    client = connect(redis_url, LoopPool)

    def listen() -> None:
        heard = client.xread({"news": "0-0"}, block=1_000 * PATIENCE_S)
        assert heard == [[b"news", [(b"1-0", {b"a": b"b"})]]]

    async def tell_late() -> None:
        listening = asyncio.create_task(run(listen))
        await asyncio.wait([listening], timeout=3 * brief)
        redis_client.xadd("news", {"a": "b"}, id="1-0")
        await listening

    asyncio.run(tell_late())


def test_a_watching_client_learns_that_the_connection_broke(
    client: Redis, redis_client: Redis
) -> None:
    def change() -> None:
        with client.pipeline() as pipe:
            pipe.watch("news")
            redis_client.client_kill_filter(_id=pipe.client_id())
            while pipe.connection.transport.session:
                pause(0.01)
            redis_client.set("news", "other")
            pipe.multi()
            pipe.set("news", "mine")
            with pytest.raises(WatchError):
                pipe.execute()
            pipe.watch("news")
            pipe.multi()
            assert pipe.get("news").execute() == [b"other"]

    on_a_loop(change)


def test_an_error_of_redis_concerns_only_the_caller_that_caused_it(client: Redis) -> None:
    def ask() -> None:
        client.set("text", "a")
        with pytest.raises(ResponseError):
            client.incr("text")
        assert client.get("text") == b"a"

    on_a_loop(ask)


def test_an_unexpected_error_breaks_only_the_connection(client: Redis) -> None:
    wire = client.connection_pool.shared
    ping = client.connection_pool.template.pack_command("PING")

    def ask() -> None:
        beyond = wire.send([*ping, *ping], 1)
        assert wait(beyond[0]) == b"PONG"
        while wire.session:
            pause(0.01)
        assert client.echo("mine") == b"mine"
        received = wire.send(ping, 1) + wire.send(["no bytes"], 1)
        assert [type(wait(reply)) for reply in received] == [Unconnected, Unconnected]
        assert client.echo("mine") == b"mine"

    with capture_logs() as lines:
        on_a_loop(ask)
    assert [type(line["exc_info"]) for line in lines] == [IndexError, TypeError]


def test_it_connects_again_after_a_kill(tmp_path: Path) -> None:
    server = RedisProcess(tmp_path)
    store = EventStore(connect(server.url, LoopPool))

    def play() -> None:
        assert store.append("m", entry(1), {}) == AppendSuccess(1)
        server.kill()
        with pytest.raises(StoreUnavailable):
            store.append("m", entry(2), {})
        server.start()
        assert store.append("m", entry(2), {}) == AppendSuccess(2)
        assert [one.version for one in store.read("m")] == [1, 2]

    try:
        on_a_loop(play)
    finally:
        server.kill()


def test_a_loop_that_stood_still_itself_does_not_blame_redis(
    brief: float, redis_client: Redis, redis_url: str
) -> None:
    client = connect(redis_url, LoopPool)

    def ask() -> None:
        ping = client.connection_pool.template.pack_command("PING")
        client.ping()
        start_background(time.sleep, 3 * brief)
        [reply] = client.connection_pool.shared.send(ping, 1)
        assert wait(reply) == b"PONG"

    on_a_loop(ask)


@pytest.mark.parametrize("size", [1, 100_000], ids=["small", "more than a socket takes"])
def test_a_stalled_redis_blocks_no_caller_for_ever(brief: float, tmp_path: Path, size: int) -> None:
    server = RedisProcess(tmp_path)
    client = connect(server.url, LoopPool)

    def echo(number: int) -> bool:
        said = b"%02d" % number * size
        assert client.echo(said) == said
        return True

    def ask_in_vain(number: int) -> None:
        with pytest.raises(TimedOut):
            echo(number)

    async def play() -> None:
        await run(eventually, client.ping)
        os.kill(server.pid, signal.SIGSTOP)
        await asyncio.gather(*(run(ask_in_vain, number) for number in range(20)))
        await run(ask_in_vain, 20)
        await run(ask_in_vain, 21)
        os.kill(server.pid, signal.SIGCONT)
        await asyncio.gather(*(run(eventually, lambda n=n: echo(n)) for n in range(22, 42)))

    try:
        asyncio.run(play())
    finally:
        server.kill()


def test_a_cluster_works_as_well(tmp_path: Path) -> None:
    with cluster(tmp_path) as url:
        store = EventStore(connect(url, LoopPool))

        def play() -> None:
            assert store.append("m", entry(1), {}) == AppendSuccess(1)
            partition = store.partition_of("m")
            [(_, found)] = store.read_batch({partition: 0}, 10)[partition]
            assert found == entry(1)

        on_a_loop(play)


def test_the_loop_does_not_sleep_while_a_cluster_says_that_it_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sleep(_seconds: float) -> None:
        assert not on_loop()

    with cluster(tmp_path) as url, Redis.from_url(url.partition("?")[0]) as server:
        store = EventStore(connect(url, LoopPool))
        assert key_slot(b"{p%d}" % store.partition_of("m")) > 0
        server.execute_command("CLUSTER", "DELSLOTS", 0)
        eventually(lambda: b"cluster_state:fail" in server.execute_command("CLUSTER", "INFO"))

        def play() -> None:
            with pytest.raises(StoreUnavailable):
                store.append("m", entry(1), {})
            assert "errorstat_CLUSTERDOWN" in server.info("errorstats")
            server.execute_command("CLUSTER", "ADDSLOTS", 0)
            while b"cluster_state:fail" in server.execute_command("CLUSTER", "INFO"):
                pause(0.05)
            assert store.append("m", entry(1), {}) == AppendSuccess(1)

        monkeypatch.setattr(time, "sleep", sleep)
        on_a_loop(play)


def ask_pool(client: Redis, command: str) -> object:
    pool = client.connection_pool
    assert isinstance(pool, LoopPool)
    return pool.send_command(command)


@pytest.mark.parametrize("ask", [Redis.execute_command, ask_pool])
def test_what_a_caller_held_is_free_once_redis_refused(
    client: Redis, ask: Callable[..., object]
) -> None:
    """At once: the error is part of no cycle that the garbage collector would have to find."""
    held = list[weakref.ref[set[int]]]()

    def fail() -> None:
        mine = set[int]()
        held.append(weakref.ref(mine))
        ask(client, "NOSUCHCOMMAND")

    def fail_and_go_on() -> None:
        with suppress(ResponseError):
            fail()

    gc.disable()
    try:
        on_a_loop(fail_and_go_on)
        assert [one() for one in held] == [None]
    finally:
        gc.enable()
