"""Subscriptions become jobs, jobs become threads, and a slow receiver delays only itself."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import pytest
from redis import Redis
from rq import Queue

from projections.outbox.plan import due_key, outbox_space, warnings_key
from service.store.event_store import EventStore
from tests.support.patience import eventually
from workers.dispatch.delivery_work import QUEUE, DeliveryDispatcher
from workers.processes import deliveries
from workers.processes.deliveries import SenderThreads

NOW = 1_000


@pytest.fixture
def store(redis_client: Redis) -> EventStore:
    return EventStore(redis_client)


def waiting(store: EventStore) -> list[str]:
    return sorted(Queue(QUEUE, connection=store.redis).job_ids)


def test_a_due_subscription_is_dispatched_once(store: EventStore) -> None:
    first, other = outbox_space(3), outbox_space(7)
    store.redis.zadd(due_key(first), {"w1": 0, "w2": NOW + 1})
    store.redis.zadd(due_key(other), {"w1": 0})
    store.redis.zadd(warnings_key(other), {"w3": NOW, "w4": NOW + 1})
    dispatcher = DeliveryDispatcher(store, store.redis)
    assert dispatcher.dispatch_due(NOW) == 2
    assert dispatcher.dispatch_due(NOW) == 0
    assert (
        DeliveryDispatcher(store, store.redis).dispatch_due(NOW) == 2
    )  # another dispatcher knows of no job yet
    assert waiting(store) == ["webhook-w1", "webhook-w3"]
    assert DeliveryDispatcher(store, store.redis).dispatch_due(NOW + 1) == 4
    assert waiting(store) == ["webhook-w1", "webhook-w2", "webhook-w3", "webhook-w4"]


def test_a_job_waits_only_while_all_threads_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "THREAD_WAIT_S", 0.05)
    threads, over, done = SenderThreads(2), Event(), list[int]()

    def work(goes_on: Callable[[], bool]) -> None:
        over.wait()
        done.append(1)

    assert [threads.run(work) for _ in range(3)] == [True, True, False]
    over.set()
    eventually(lambda: len(done) == 2)
    eventually(lambda: threads.run(work))


def test_a_failing_sender_frees_its_thread() -> None:
    threads, done = SenderThreads(1), Event()

    def failing(goes_on: Callable[[], bool]) -> None:
        raise ValueError

    assert threads.run(failing)
    assert threads.run(lambda goes_on: done.set())
    eventually(done.is_set)


def test_stop_ends_all_threads_soon() -> None:
    threads, begun, ended = SenderThreads(1), Event(), Event()

    def work(goes_on: Callable[[], bool]) -> None:
        begun.set()
        eventually(lambda: not goes_on())
        ended.set()

    threads.run(work)
    begun.wait()
    threads.stop()
    assert ended.is_set()
