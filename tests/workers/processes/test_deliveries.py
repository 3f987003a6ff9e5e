"""Subscriptions become jobs, jobs become threads, and nobody waits for a receiver but its own."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import pytest
from redis import Redis
from rq import Queue

from projections.outbox.plan import clocks_key, due_key, space_of_outbox
from service.store.event_store import Store
from tests.support.patience import eventually
from workers.dispatch.delivery_work import QUEUE, Dispatcher
from workers.processes import deliveries
from workers.processes.deliveries import Threads

NOW = 1_000


@pytest.fixture
def store(redis_client: Redis) -> Store:
    return Store(redis_client)


def waiting(store: Store) -> list[str]:
    return sorted(Queue(QUEUE, connection=store.redis).job_ids)


def test_whoever_has_something_to_do_is_handed_out_once(store: Store) -> None:
    first, other = space_of_outbox(3), space_of_outbox(7)
    store.redis.zadd(due_key(first), {"w1": 0, "w2": NOW + 1})
    store.redis.zadd(due_key(other), {"w1": 0})
    store.redis.zadd(clocks_key(other), {"w3": NOW, "w4": NOW + 1})
    dispatcher = Dispatcher(store, store.redis)
    assert dispatcher.look(NOW) == 2
    assert dispatcher.look(NOW) == 0
    assert Dispatcher(store, store.redis).look(NOW) == 2  # another one knows of no job yet
    assert waiting(store) == ["webhook-w1", "webhook-w3"]
    assert Dispatcher(store, store.redis).look(NOW + 1) == 4
    assert waiting(store) == ["webhook-w1", "webhook-w2", "webhook-w3", "webhook-w4"]


def test_a_job_waits_only_when_all_threads_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "FREE_S", 0.05)
    threads, over, done = Threads(2), Event(), list[int]()

    def work(goes_on: Callable[[], bool]) -> None:
        over.wait()
        done.append(1)

    assert [threads.run(work) for _ in range(3)] == [True, True, False]
    over.set()
    eventually(lambda: len(done) == 2)
    eventually(lambda: threads.run(work))


def test_whoever_fails_leaves_its_thread_to_others() -> None:
    threads, done = Threads(1), Event()

    def failing(goes_on: Callable[[], bool]) -> None:
        raise ValueError

    assert threads.run(failing)
    assert threads.run(lambda goes_on: done.set())
    eventually(done.is_set)


def test_all_end_soon_once_told_to_stop() -> None:
    threads, begun, ended = Threads(1), Event(), Event()

    def work(goes_on: Callable[[], bool]) -> None:
        begun.set()
        eventually(lambda: not goes_on())
        ended.set()

    threads.run(work)
    begun.wait()
    threads.stop()
    assert ended.is_set()
