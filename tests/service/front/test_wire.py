"""Redis for many requests on one loop, with a real Redis that is killed and stopped."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from domain.match.log import Entry
from service import wire
from service.errors import StoreUnavailable
from service.event_loop import begin, run
from service.store import Appended, Store, connect
from service.wire import LoopPool
from tests.patience import PATIENCE_S
from tests.redis_process import RedisProcess, cluster


def on_a_loop(function: Callable[[], object]) -> object:
    return asyncio.run(run(function))


def entry(version: int) -> Entry:
    return Entry(version, "Moved", "ann", 0, b"", b"[]", 1, str(version))


@pytest.fixture
def client(redis_client: Redis, redis_url: str) -> Redis:
    return connect(redis_url, LoopPool)


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


def test_whoever_blocks_or_watches_has_a_connection_of_their_own(
    client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "PATIENCE_S", PATIENCE_S + 1)
    heard = []

    def listen() -> None:
        heard.append(client.xread({"news": "0-0"}, block=1_000 * PATIENCE_S))

    def tell() -> None:
        begin(listen)
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


def test_an_error_of_redis_concerns_only_whoever_caused_it(client: Redis) -> None:
    def ask() -> None:
        client.set("text", "a")
        with pytest.raises(ResponseError):
            client.incr("text")
        assert client.get("text") == b"a"

    on_a_loop(ask)


def test_it_connects_again_after_a_kill(tmp_path: Path) -> None:
    server = RedisProcess(tmp_path)
    store = Store(connect(server.url, LoopPool))

    def play() -> None:
        assert store.append("m", entry(1), {}) == Appended(1)
        server.kill()
        with pytest.raises(StoreUnavailable):
            store.append("m", entry(2), {})
        server.start()
        assert store.append("m", entry(2), {}) == Appended(2)
        assert [one.version for one in store.read("m")] == [1, 2]

    try:
        on_a_loop(play)
    finally:
        server.kill()


def test_a_redis_that_stands_still_keeps_nobody_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "PATIENCE_S", 0.1)
    server = RedisProcess(tmp_path)
    store = Store(connect(server.url, LoopPool))

    def play() -> None:
        store.append("m", entry(1), {})
        os.kill(server.pid, signal.SIGSTOP)
        with pytest.raises(StoreUnavailable):
            store.version("m")
        os.kill(server.pid, signal.SIGCONT)
        assert store.version("m") == 1

    try:
        on_a_loop(play)
    finally:
        server.kill()


def test_a_cluster_works_as_well(tmp_path: Path) -> None:
    with cluster(tmp_path) as url:
        store = Store(connect(url, LoopPool))

        def play() -> None:
            assert store.append("m", entry(1), {}) == Appended(1)
            assert store.entries(store.feed(store.partition_of("m"), 0, 10)) == [entry(1)]

        on_a_loop(play)
