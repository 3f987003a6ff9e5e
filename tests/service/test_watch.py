"""Waiting for what happens next in a match."""

from __future__ import annotations

from threading import Event, Thread

import pytest
from redis import Redis

from domain.match.log import Entry
from service.store import Store, connect
from service.watch import Watcher
from tests.patience import PATIENCE_S


@pytest.fixture
def store(redis_client: Redis, redis_url: str) -> Store:
    """An empty store with a client of its own, since a watcher ends a moment after the test."""
    return Store(connect(redis_url), partitions=1)


def entry(version: int) -> Entry:
    return Entry(version, "Moved", "ann", 0, b"", b"[]", 1, str(version))


def test_a_bell_rings_for_its_own_match_alone(store: Store) -> None:
    watcher = Watcher(store, most=4, most_each=4, most_address=4)
    with watcher.watching("m") as (mine, _), watcher.watching("n") as (other, _):
        store.append("n", entry(1), {})
        assert other.wait(PATIENCE_S)
        assert not mine.wait(0)


class Slow(Store):
    """A store that tells where a feed ends only when it may."""

    def __init__(self, url: str) -> None:
        super().__init__(connect(url), partitions=1)
        self.asked, self.may_tell = Event(), Event()

    def feed_length(self, partition: int) -> int:
        self.asked.set()
        assert self.may_tell.wait(PATIENCE_S)
        return super().feed_length(partition)


def test_nobody_waits_while_another_asks_redis(redis_client: Redis, redis_url: str) -> None:
    store = Slow(redis_url)
    watcher = Watcher(store, most=4, most_each=4, most_address=4)
    began, rang = Event(), Event()

    def wait() -> None:
        with watcher.watching("m") as (bell, _):
            began.set()
            if bell.wait(PATIENCE_S):
                rang.set()

    begins = Thread(target=wait)
    begins.start()
    assert store.asked.wait(PATIENCE_S)
    enters = Thread(target=watcher.enter, args=("ann", "192.0.2.1"))
    enters.start()
    enters.join(PATIENCE_S)
    assert watcher.places.total() == 1
    store.may_tell.set()
    assert began.wait(PATIENCE_S)
    store.append("m", entry(1), {})
    assert rang.wait(PATIENCE_S)
    begins.join(PATIENCE_S)


@pytest.mark.slow
def test_whoever_waits_goes_on_after_redis_answered_nonsense(store: Store) -> None:
    store.append("m", entry(1), {})
    with Watcher(store, most=4, most_each=4, most_address=4).watching("m") as (bell, _):
        store.redis.rename("{p0}:feed", "{p0}:aside")
        store.redis.set("{p0}:feed", "no stream")
        assert bell.wait(PATIENCE_S), "they find out by themselves"
        store.redis.rename("{p0}:aside", "{p0}:feed")
        bell.clear()
        store.append("m", entry(2), {})
        assert bell.wait(PATIENCE_S)
