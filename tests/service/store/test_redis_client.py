"""Masters of a cluster are killed: their clients find the replica that took over."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

import pytest
from redis import cluster as redis_cluster
from redis.crc import key_slot
from structlog.testing import capture_logs

from domain.match.scheduled_work import DUE_NOW
from service.live.work_notifier import WorkNotifier, partitions_with_work
from service.runtime.async_redis import LoopPool
from service.runtime.errors import StoreUnavailable
from service.runtime.event_loop import on_loop, pause, run
from service.store.event_store import AppendSuccess, DueWork, EventStore
from service.store.redis_client import CONNECTION_ERRORS, connect
from tests.service.store.test_event_store import entry
from tests.support.cluster_of_six import Cluster, Node, cluster_of_six
from tests.support.patience import eventually
from workers.host.redis.checks import await_redis, check_redis

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster_of_six(tmp_path_factory.mktemp("six"), node_timeout_ms=1_000) as found:
        yield found


@pytest.fixture
def six(shared_cluster: Cluster) -> Iterator[Cluster]:
    """The cluster, empty at the start and whole at the end."""
    for node in shared_cluster.nodes:
        if node.role == "master":
            node.ask("FLUSHALL")
    yield shared_cluster
    for node in shared_cluster.nodes:
        if not node.is_running:
            node.start()
    eventually(shared_cluster.is_whole)


def master(six: Cluster, key: str) -> Node:
    found = six.master_of(key)
    assert found
    return found


def tag(store: EventStore, match: str) -> str:
    return f"{{p{store.partition_of(match)}}}"


def append(store: EventStore, match: str, version: int, **work: int) -> bool:
    """Whether the store records an entry now."""
    try:
        return isinstance(store.append(match, entry(version), work), AppendSuccess)
    except StoreUnavailable:
        return False


def elsewhere(store: EventStore, six: Cluster, gone: Node) -> Iterator[int]:
    """The partitions on other servers."""
    for partition in range(store.partitions):
        if six.master_of(f"{{p{partition}}}") is not gone:
            yield partition


def test_the_store_and_its_notifier_recover_after_a_master_was_killed(six: Cluster) -> None:
    store = EventStore(connect(six.url))
    bell = WorkNotifier(store)
    bell.receive(0.01)
    assert append(store, "m", 1)
    master(six, tag(store, "m")).kill()
    heard: list[DueWork] = []

    def is_notified() -> bool:
        with suppress(StoreUnavailable):
            append(store, "m", store.version("m") + 1, bot=DUE_NOW)
        with suppress(*CONNECTION_ERRORS):
            heard.extend(bell.receive(0.05))
        return bool(heard)

    eventually(is_notified)
    assert heard[0].match == "m"
    assert [one.version for one in store.read("m")] == [*range(1, store.version("m") + 1)]


def test_a_notification_arrives_though_its_subscribed_server_is_gone(six: Cluster) -> None:
    store = EventStore(connect(six.url))
    bell: Any = WorkNotifier(store)
    bell.receive(0.01)
    port = bell._pubsub.node.port
    other = next(name for name in "abcdefgh" if master(six, tag(store, name)).port != port)
    next(node for node in six.nodes if node.port == port).kill()

    def next_work() -> list[DueWork]:
        append(store, other, store.version(other) + 1, bot=DUE_NOW)
        with suppress(*CONNECTION_ERRORS):
            return cast(list[DueWork], bell.receive(0.05))
        return []

    eventually(next_work)


def test_other_servers_serve_their_partitions_while_one_is_down(six: Cluster) -> None:
    store = EventStore(connect(six.url))
    redis: Any = store.redis
    default = redis.get_default_node()
    gone = next(node for node in six.nodes if node.port == default.port)
    others = [*elsewhere(store, six, gone)]
    replica = six.replica_of(gone)
    replica.kill()  # so that no replica takes over
    gone.kill()
    away = {*range(store.partitions)} - {*others}
    assert away
    for partition in others:
        assert store.read_feeds({partition: 0}, 1, block_ms=1) == {}
    assert partitions_with_work(store, range(store.partitions), 1) == away
    with pytest.raises(StoreUnavailable):
        partitions_with_work(store, sorted(away), 1)


def test_a_loop_goes_on_after_a_master_was_killed_and_never_sleeps(
    six: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = EventStore(connect(six.url, LoopPool))
    real = redis_cluster.time.sleep

    def sleep(seconds: float) -> None:
        assert not on_loop()
        real(seconds)

    monkeypatch.setattr(redis_cluster.time, "sleep", sleep)

    def play() -> None:
        assert append(store, "m", 1)
        master(six, tag(store, "m")).kill()
        while not append(store, "m", 2):
            pause(0.05)

    asyncio.run(run(play))
    assert store.version("m") == 2


def test_it_is_found_though_the_server_named_first_is_away(six: Cluster) -> None:
    first = six.nodes[0]
    first.kill()
    eventually(lambda: six.master_of("{p0}") and six.master_of("{p3}") not in (first, None))
    with capture_logs() as lines:
        await_redis("EVENTS_REDIS_URL", six.url)
        assert check_redis("EVENTS_REDIS_URL", six.url) == []
        store = EventStore(connect(six.url))
    assert lines == []
    eventually(lambda: append(store, "n", store.version("n") + 1))


def test_a_partition_moves_to_another_server_while_matches_are_played(six: Cluster) -> None:
    if "MIGRATESLOTS" not in str(six.nodes[0].ask("CLUSTER", "HELP")):
        pytest.skip("this server moves slots key by key, by tools of its own")
    store = EventStore(connect(six.url))
    here = master(six, tag(store, "m"))
    there = next(node for node in six.nodes if node.role == "master" and node is not here)
    slot = key_slot(tag(store, "m").encode())
    for version in range(1, 11):
        assert append(store, "m", version)
    here.ask("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", there.id)

    def append_one() -> bool:
        append(store, "m", store.version("m") + 1)
        return six.master_of(tag(store, "m")) is there

    eventually(append_one)
    eventually(lambda: append(store, "m", store.version("m") + 1))
    assert [one.version for one in store.read("m")] == [*range(1, store.version("m") + 1)]
    there.ask("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", here.id)
    eventually(lambda: six.master_of(tag(store, "m")) is here)
