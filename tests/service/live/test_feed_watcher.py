"""Waiting for the next entry of a match."""

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
from service.live.feed_watcher import EntrySource, FeedWatcher, Update
from service.store.event_store import EventStore
from service.store.redis_client import connect
from tests.support.loss import losing
from tests.support.patience import PATIENCE_S, eventually

MATCHES = "abcdefgh"


@pytest.fixture
def store(redis_client: Redis, redis_url: str) -> EventStore:
    """An empty store with a separate client, since a watcher ends shortly after the test."""
    return EventStore(connect(redis_url), partitions=1)


def entry(version: int) -> Entry:
    return Entry(version, "Moved", "ann", 0, b"", b"\x90", 1, b"c%d" % version)


def test_a_wakeup_fires_only_for_its_match(store: EventStore) -> None:
    watcher = FeedWatcher(EntrySource(store))
    with (
        watcher.watch_with_wakeup("m", [0]) as (mine, _),
        watcher.watch_with_wakeup("n", [0]) as (other, _),
    ):
        store.append("n", entry(1), {})
        assert other.wait(PATIENCE_S)
        assert not mine.wait(0)


class Slow(EntrySource):
    """A source of two groups that reports the end of the first one only when allowed."""

    def __init__(self, store: EventStore) -> None:
        super().__init__(store)
        self.groups = [[0], [1]]
        self.asked, self.may_tell = Event(), Event()

    def ends(self, partitions: Sequence[int]) -> dict[int, int]:
        if 0 in partitions:
            self.asked.set()
            assert self.may_tell.wait(PATIENCE_S)
        return dict.fromkeys(partitions, 0)


def test_no_caller_waits_while_another_reads_redis(redis_client: Redis, redis_url: str) -> None:
    store = EventStore(connect(redis_url), partitions=2)
    source = Slow(store)
    watcher = FeedWatcher(source)
    slow, fast = (next(m for m in MATCHES if store.partition_of(m) == n) for n in (0, 1))
    rang = {slow: Event(), fast: Event()}

    def wait(match: str) -> None:
        with watcher.watch_with_wakeup(match, [store.partition_of(match)]) as (bell, _):
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


def test_closing_wakes_all_and_only_once(store: EventStore) -> None:
    """Each connection of a process that ends closes it."""
    watcher = FeedWatcher(EntrySource(store))
    with watcher.watch_with_wakeup("m", [0]) as (bell, _):
        watcher.close()
        assert bell.wait(PATIENCE_S)
        bell.clear()
        watcher.close()
        assert not bell.wait(0)


class Odd(EntrySource):
    """A source that raises an unexpected error once."""

    def __init__(self, store: EventStore) -> None:
        super().__init__(store)
        self.failed = Event()

    def read(self, after: Mapping[int, int]) -> dict[int, Update]:
        if not self.failed.is_set():
            self.failed.set()
            raise ValueError
        return super().read(after)


def test_waiting_callers_continue_after_an_unexpected_failure(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_watcher, "_RETRY_S", 0)
    with capture_logs() as lines, FeedWatcher(Odd(store)).watch_with_wakeup("m", [0]) as (bell, _):
        assert bell.wait(PATIENCE_S), "they find out by themselves"
        bell.clear()
        store.append("m", entry(1), {})
        assert bell.wait(PATIENCE_S)
    assert [line["event"] for line in lines] == ["feed_watch_failed"]


class LeftMeanwhile:
    """A lock held by a viewer who is just leaving the first partition."""

    def __init__(self, watcher: FeedWatcher) -> None:
        self._watcher = watcher
        watcher._watches[0] = {}

    def __enter__(self) -> None:
        del self._watcher._watches[0]
        self._watcher._lock = Lock()

    def __exit__(self, *_: object) -> None:
        pass


class Noting(EntrySource):
    """A source that records the cursors at which it was read."""

    def __init__(self, store: EventStore) -> None:
        super().__init__(store)
        self.read_from: SimpleQueue[Mapping[int, int]] = SimpleQueue()

    def read(self, after: Mapping[int, int]) -> dict[int, Update]:
        self.read_from.put(after)
        return super().read(after)


def test_a_partition_that_was_just_left_is_followed_from_its_end(store: EventStore) -> None:
    store.append("m", entry(1), {})
    source = Noting(store)
    watcher = FeedWatcher(source)
    watcher._lock = LeftMeanwhile(watcher)  # type: ignore[assignment]  # it stands for one
    with watcher.watch_with_wakeup("m", [0]):
        assert source.read_from.get(timeout=PATIENCE_S) == {0: 1}


def test_partitions_of_one_server_are_read_together(redis_client: Redis, redis_url: str) -> None:
    store = EventStore(connect(redis_url), partitions=2)
    one, other = (next(m for m in MATCHES if store.partition_of(m) == n) for n in (0, 1))
    source = Noting(store)
    watcher = FeedWatcher(source)
    with (
        watcher.watch_with_wakeup(one, [0]) as (bell, _),
        watcher.watch_with_wakeup(other, [1]) as (second, _),
    ):
        assert source.read_from.get(timeout=PATIENCE_S) == {0: 0, 1: 0}
        store.append(one, entry(1), {})
        assert bell.wait(PATIENCE_S)
        assert source.read_from.get(timeout=PATIENCE_S) == {0: 1, 1: 0}
        store.append(other, entry(1), {})
        assert second.wait(PATIENCE_S)
        assert source.read_from.get(timeout=PATIENCE_S) == {0: 1, 1: 1}


class Failing(Noting):
    """A source that fails once, on demand."""

    def __init__(self, store: EventStore) -> None:
        super().__init__(store)
        self.fails = Event()

    def read(self, after: Mapping[int, int]) -> dict[int, Update]:
        if self.fails.is_set():
            self.fails.clear()
            raise Unconnected
        return super().read(after)


def test_after_entries_were_lost_with_their_server_the_next_ones_are_delivered(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_watcher, "_RETRY_S", 0)
    source = Failing(store)
    with FeedWatcher(source).watch_with_wakeup("m", [0]) as (bell, _):
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
def test_waiting_callers_continue_after_a_malformed_answer_of_redis(store: EventStore) -> None:
    store.append("m", entry(1), {})
    with FeedWatcher(EntrySource(store)).watch_with_wakeup("m", [0]) as (bell, _):
        store.redis.rename("{p0}:feed", "{p0}:aside")
        store.redis.set("{p0}:feed", "no stream")
        assert bell.wait(PATIENCE_S), "they find out by themselves"
        store.redis.rename("{p0}:aside", "{p0}:feed")
        bell.clear()
        store.append("m", entry(2), {})
        assert bell.wait(PATIENCE_S)
