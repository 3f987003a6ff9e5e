"""The store acknowledges an entry once a replica also has it on disk."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unconnected

from domain.match.decisions import lobby
from domain.match.decisions.lobby import Plan
from domain.match.state import Chair
from service.matches.commands import Metadata, Receipt, create, execute
from service.matches.container import Annals, open_annals
from service.runtime.async_redis import LoopPool
from service.runtime.errors import StoreUnavailable
from service.runtime.event_loop import on_loop, run
from service.runtime.settings import Settings, read_settings
from service.store import replicas as service_replicas
from service.store.event_store import AppendConflict, AppendSuccess, EventStore
from service.store.redis_client import connect
from service.store.replicas import Replicas
from tests.engine.toy import GAME
from tests.service.store.test_event_store import entry
from tests.support.documented_keys import is_documented
from tests.support.patience import eventually
from tests.support.redis_process import RedisProcess
from workers.host.errors import CannotRun
from workers.host.redis.checks import refuse_unconfirmed
from workers.tools.store.stored_keys import treatment_of

pytestmark = pytest.mark.slow


SHORT = (("WAIT", 1, 50), ("WAITAOF", 1, 1, 50))


class Pair:
    """A server and its replica."""

    def __init__(self, folder: Path) -> None:
        self.folders = folder / "server", folder / "replica"
        for one in self.folders:
            one.mkdir()
        self.server = RedisProcess(self.folders[0], "--repl-diskless-sync-delay", "0", tcp=True)
        port = self.server.url.rpartition(":")[2]
        self.replica = RedisProcess(self.folders[1], "--replicaof", f"127.0.0.1 {port}", tcp=True)
        eventually(self.is_in_step)

    def is_in_step(self) -> bool:
        with self.server.client() as client:
            return bool(client.wait(1, 100))

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Cut the replica off, with a short timeout for confirmations."""
        os.kill(self.replica.pid, signal.SIGSTOP)
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(service_replicas, "WAIT_COMMANDS", SHORT)
                yield
        finally:
            os.kill(self.replica.pid, signal.SIGCONT)
            eventually(self.is_in_step)

    def end(self) -> None:
        self.replica.kill()
        self.server.kill()


@pytest.fixture(scope="module")
def shared_pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    pair = Pair(tmp_path_factory.mktemp("pair"))
    yield pair
    pair.end()


@pytest.fixture
def pair(shared_pair: Pair) -> Pair:
    """An empty server with an empty replica."""
    with shared_pair.server.client() as client:
        client.flushall()
    return shared_pair


def waiting(redis: Redis) -> EventStore:
    return EventStore(redis, replicas=Replicas(redis))


def in_a_thread(play: Callable[[], None]) -> None:
    play()


def on_a_loop(play: Callable[[], None]) -> None:
    asyncio.run(run(play))


@pytest.mark.parametrize("played", [in_a_thread, on_a_loop])
def test_what_a_replica_has_is_appended_and_what_it_has_not_is_refused(
    pair: Pair, played: Callable[[Callable[[], None]], None]
) -> None:
    store = waiting(connect(pair.server.url, LoopPool))

    def play() -> None:
        assert on_loop() == (played is on_a_loop)
        assert store.append("m", entry(1), {}) == AppendSuccess(1)
        with pair.unheard():
            for _ in range(2):  # although it is there, a retry gets no other answer
                with pytest.raises(StoreUnavailable, match="no replica confirmed it"):
                    store.append("m", entry(2), {})
            assert store.append("m", entry(2, "another"), {}) == AppendConflict([entry(2)])
        store.confirm("m")
        assert store.append("m", entry(2), {}) == AppendSuccess(2, is_repeated=True)

    played(play)
    with pair.replica.client() as replica:
        assert replica.xlen(f"{{p{store.partition_of('m')}}}:match:m") == 2


def test_it_takes_one_round_trip(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    redis = pair.server.client()
    store, sent = waiting(redis), list[int]()
    store.append("m", entry(1), {})
    real = redis.connection_pool.connection_class.send_packed_command

    def counting(connection: object, command: object, *more: object, **named: object) -> None:
        sent.append(1)
        real(connection, command, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(redis.connection_pool.connection_class, "send_packed_command", counting)
    assert store.append("m", entry(2), {}) == AppendSuccess(2)
    assert sent == [1]


def test_an_entry_recorded_after_the_connection_broke_is_confirmed_too(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis = pair.server.client()
    store, breaks = waiting(redis), iter([Unconnected("Broken pipe.")])
    store.append("m", entry(1), {})
    real = redis.connection_pool.connection_class.send_packed_command

    def breaking(connection: object, command: object, *more: object, **named: object) -> None:
        for error in breaks:
            raise error
        real(connection, command, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(redis.connection_pool.connection_class, "send_packed_command", breaking)
    with pair.unheard(), pytest.raises(StoreUnavailable, match="no replica confirmed it"):
        store.append("m", entry(2), {})
    assert store.version("m") == 2


def test_a_write_on_another_connection_is_waited_for_too(pair: Pair) -> None:
    with pair.unheard():
        EventStore(pair.server.client()).append("m", entry(1), {})
        with pytest.raises(StoreUnavailable, match="no replica confirmed it"):
            waiting(pair.server.client()).confirm("m")


def test_a_command_that_comes_again_is_confirmed_before_it_is_answered(pair: Pair) -> None:
    annals = toy_annals(pair)
    plan = Plan(match="m", host="ann", chairs=(Chair(player="ann"), Chair()), expires=1 << 45)
    create(annals, plan, GAME, Metadata(actor="ann"))

    def join() -> Receipt:
        bob = Metadata(actor="bob", key="k", fingerprint="f")
        return execute(annals, "m", bob, lambda match, now: lobby.take_seat(match, "bob", 1, now))

    with pair.unheard():
        for _ in range(3):
            with pytest.raises(StoreUnavailable, match="no replica confirmed it"):
                join()
    receipt = join()
    assert (receipt.match.version, receipt.is_repeated) == (2, True)
    assert annals.store.version("m") == 2


def toy_annals(pair: Pair) -> Annals:
    settings = Settings(events_url=pair.server.url, acknowledge="replica")
    return open_annals(settings, {"toy": GAME})


def test_the_number_of_a_seed_is_not_used_before_a_replica_has_it(pair: Pair) -> None:
    seeds = toy_annals(pair).seeds
    taken = seeds.take("ann", "m1")
    with pair.unheard(), pytest.raises(StoreUnavailable):
        seeds.take("ann", "m2")
    assert seeds.take("ann", "m2").index == taken.index + 1


def test_nothing_is_left_of_the_mark_that_is_waited_for(pair: Pair) -> None:
    redis = pair.server.client()
    store = waiting(redis)
    before = redis.keys()
    store.confirm("m")
    eventually(lambda: redis.keys() == before)
    for name in ("{p3}:confirming", "{player:u1:seeds}:confirming"):
        assert is_documented(name)
        assert treatment_of(name) == "passing"


def test_a_server_that_becomes_a_replica_in_between_confirms_nothing(pair: Pair) -> None:
    redis = pair.server.client()
    store = waiting(redis)
    port = pair.replica.url.rpartition(":")[2]
    store.append("m", entry(1), {})
    with pair.replica.client() as other:
        other.execute_command("REPLICAOF", "NO", "ONE")
        redis.execute_command("REPLICAOF", "127.0.0.1", port)
        with pytest.raises(StoreUnavailable):
            store.append("m", entry(2), {})
        redis.execute_command("REPLICAOF", "NO", "ONE")
        other.execute_command("REPLICAOF", "127.0.0.1", pair.server.url.rpartition(":")[2])
    eventually(pair.is_in_step)


def test_servers_that_cannot_confirm_are_refused(pair: Pair) -> None:
    refuse_unconfirmed("EVENTS_REDIS_URL", pair.server.url)
    with pair.server.client() as client:
        client.config_set("appendonly", "no")
        try:
            with pytest.raises(CannotRun, match="appendonly is off, but ANNALS_ACKNOWLEDGE"):
                refuse_unconfirmed("EVENTS_REDIS_URL", pair.server.url)
            with pytest.raises(StoreUnavailable, match="no replica confirmed it"):
                waiting(client).append("m", entry(1), {})
        finally:
            client.config_set("appendonly", "yes")


def test_a_replica_does_not_do_for_a_server_that_has_not_synced_itself(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_replicas, "WAIT_COMMANDS", SHORT)
    with pair.server.client() as client:
        client.config_set("appendfsync", "no")
        try:
            with pytest.raises(StoreUnavailable, match="no replica confirmed it"):
                waiting(client).append("m", entry(1), {})
        finally:
            client.config_set("appendfsync", "always")


def test_our_own_redis_has_no_replica_to_wait_for() -> None:
    with pytest.raises(
        ValueError, match="`annals run` starts none: name one with EVENTS_REDIS_URL"
    ):
        read_settings({"ANNALS_ACKNOWLEDGE": "replica"})
    settings = read_settings({"ANNALS_ACKNOWLEDGE": "replica", "REDIS_URL": "redis://a"})
    assert settings.acknowledge == "replica"
    with pytest.raises(ValueError, match="must be one of server, replica"):
        read_settings({"ANNALS_ACKNOWLEDGE": "all"})
