"""Waiting for what happens next in a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from queue import SimpleQueue
from threading import Event, Lock, Thread

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unconnected
from structlog.testing import capture_logs

from domain.match.log import Entry
from service.live import feed_watcher
from service.live.feed_watcher import Entries, Told, Watcher
from service.store.event_store import Store
from service.store.redis_client import connect
from tests.support.loss import losing
from tests.support.patience import PATIENCE_S, eventually

MATCHES = "abcdefgh"


@pytest.fixture
def store(redis_client: Redis, redis_url: str) -> Store:
    """An empty store with a client of its own, since a watcher ends a moment after the test."""
    return Store(connect(redis_url), partitions=1)


def entry(version: int) -> Entry:
    return Entry(version, "Moved", "ann", 0, b"", b"\x90", 1, b"c%d" % version)


def test_a_bell_rings_for_its_own_match_alone(store: Store) -> None:
    watcher = Watcher(Entries(store))
    with watcher.watching("m", [0]) as (mine, _), watcher.watching("n", [0]) as (other, _):
        store.append("n", entry(1), {})
        assert other.wait(PATIENCE_S)
        assert not mine.wait(0)


class Slow(Entries):
    """A source of two groups that tells where the first one ends only when it may."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.groups = [[0], [1]]
        self.asked, self.may_tell = Event(), Event()

    def ends(self, partitions: Sequence[int]) -> dict[int, int]:
        if 0 in partitions:
            self.asked.set()
            assert self.may_tell.wait(PATIENCE_S)
        return dict.fromkeys(partitions, 0)


def test_nobody_waits_while_another_asks_redis(redis_client: Redis, redis_url: str) -> None:
    store = Store(connect(redis_url), partitions=2)
    source = Slow(store)
    watcher = Watcher(source)
    slow, fast = (next(m for m in MATCHES if store.partition_of(m) == n) for n in (0, 1))
    rang = {slow: Event(), fast: Event()}

    def wait(match: str) -> None:
        with watcher.watching(match, [store.partition_of(match)]) as (bell, _):
            store.append(match, entry(1), {})
            if bell.wait(PATIENCE_S):
                rang[match].set()

    threads = [Thread(target=wait, args=(slow,)), Thread(target=wait, args=(fast,))]
    threads[0].start()
    assert source.asked.wait(PATIENCE_S)
    threads[1].start()
    assert rang[fast].wait(PATIENCE_S)
    assert not rang[slow].is_set()
    source.may_tell.set()
    assert rang[slow].wait(PATIENCE_S)
    for thread in threads:
        thread.join(PATIENCE_S)


def test_all_are_woken_when_it_closes_and_once_however_often_it_is_told(store: Store) -> None:
    """Each connection of a process that ends tells it."""
    watcher = Watcher(Entries(store))
    with watcher.watching("m", [0]) as (bell, _):
        watcher.close()
        assert bell.wait(PATIENCE_S)
        bell.clear()
        watcher.close()
        assert not bell.wait(0)


class Odd(Entries):
    """A source that fails in a way that nobody foresaw, once."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.failed = Event()

    def read(self, after: Mapping[int, int]) -> dict[int, Told]:
        if not self.failed.is_set():
            self.failed.set()
            raise ValueError
        return super().read(after)


def test_whoever_waits_goes_on_after_a_failure_nobody_foresaw(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_watcher, "_PAUSE_S", 0)
    with capture_logs() as lines, Watcher(Odd(store)).watching("m", [0]) as (bell, _):
        assert bell.wait(PATIENCE_S), "they find out by themselves"
        bell.clear()
        store.append("m", entry(1), {})
        assert bell.wait(PATIENCE_S)
    assert [line["event"] for line in lines] == ["following_failed"]


class LeftMeanwhile:
    """A lock that was just held by whoever leaves the first partition."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        watcher._channels[0] = {}

    def __enter__(self) -> None:
        del self._watcher._channels[0]
        self._watcher._lock = Lock()

    def __exit__(self, *_: object) -> None:
        pass


class Noting(Entries):
    """A source that notes from where on it was read."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.read_from: SimpleQueue[Mapping[int, int]] = SimpleQueue()

    def read(self, after: Mapping[int, int]) -> dict[int, Told]:
        self.read_from.put(after)
        return super().read(after)


def test_a_partition_that_was_just_left_is_followed_from_its_end(store: Store) -> None:
    store.append("m", entry(1), {})
    source = Noting(store)
    watcher = Watcher(source)
    watcher._lock = LeftMeanwhile(watcher)  # type: ignore[assignment]  # it stands for one
    with watcher.watching("m", [0]):
        assert source.read_from.get(timeout=PATIENCE_S) == {0: 1}


def test_partitions_of_one_server_are_read_together(redis_client: Redis, redis_url: str) -> None:
    store = Store(connect(redis_url), partitions=2)
    one, other = (next(m for m in MATCHES if store.partition_of(m) == n) for n in (0, 1))
    source = Noting(store)
    watcher = Watcher(source)
    with watcher.watching(one, [0]) as (bell, _), watcher.watching(other, [1]) as (second, _):
        assert source.read_from.get(timeout=PATIENCE_S) == {0: 0, 1: 0}
        store.append(one, entry(1), {})
        assert bell.wait(PATIENCE_S)
        assert source.read_from.get(timeout=PATIENCE_S) == {0: 1, 1: 0}
        store.append(other, entry(1), {})
        assert second.wait(PATIENCE_S)
        assert source.read_from.get(timeout=PATIENCE_S) == {0: 1, 1: 1}


class Failing(Noting):
    """A source that cannot be read for once, when told so."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.fails = Event()

    def read(self, after: Mapping[int, int]) -> dict[int, Told]:
        if self.fails.is_set():
            self.fails.clear()
            raise Unconnected
        return super().read(after)


def test_after_entries_were_lost_with_their_server_the_next_ones_are_told(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_watcher, "_PAUSE_S", 0)
    source = Failing(store)
    with Watcher(source).watching("m", [0]) as (bell, _):
        with losing(store.redis):
            store.append("m", entry(1), {})
            assert bell.wait(PATIENCE_S)
            eventually(lambda: source.read_from.get(timeout=PATIENCE_S) == {0: 1})
        source.fails.set()
        eventually(lambda: source.read_from.get(timeout=PATIENCE_S) == {0: 0})
        bell.clear()
        store.append("m", entry(1), {})
        assert bell.wait(PATIENCE_S)


@pytest.mark.slow
def test_whoever_waits_goes_on_after_redis_answered_nonsense(store: Store) -> None:
    store.append("m", entry(1), {})
    with Watcher(Entries(store)).watching("m", [0]) as (bell, _):
        store.redis.rename("{p0}:feed", "{p0}:aside")
        store.redis.set("{p0}:feed", "no stream")
        assert bell.wait(PATIENCE_S), "they find out by themselves"
        store.redis.rename("{p0}:aside", "{p0}:feed")
        bell.clear()
        store.append("m", entry(2), {})
        assert bell.wait(PATIENCE_S)
