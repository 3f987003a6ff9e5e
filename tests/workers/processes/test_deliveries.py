"""Subscriptions become jobs, and jobs wait for threads in fair shares."""

from __future__ import annotations

import pytest
from redis import Redis
from rq import Queue

from projections.outbox.plan import due_key, outbox_space, warnings_key
from service.channels.webhooks.queue.delivery_log import Delivery, DeliveryLog
from service.channels.webhooks.subscriptions import (
    DELETED,
    Secret,
    Subscription,
    Subscriptions,
)
from service.runtime.http_client import RequestError
from service.runtime.shares.fair_queue import Payer
from service.store.event_store import EventStore
from workers.dispatch import delivery_work
from workers.dispatch.delivery_work import MAX_QUEUED, QUEUE, REDISPATCH_S, DeliveryDispatcher
from workers.processes import deliveries
from workers.processes.sender_pool import Receiver, ReceiverSpeeds, SenderPool
from workers.processes.timed_client import TimedClient

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


def test_a_subscription_that_stays_due_is_dispatched_less_often(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_work, "REDISPATCH_S", 1.0)
    monkeypatch.setattr(delivery_work, "MAX_REDISPATCH_S", 8.0)
    store.redis.zadd(due_key(outbox_space(3)), {"w1": 0})
    seconds = 0.0
    dispatcher = DeliveryDispatcher(store, store.redis, clock=lambda: seconds)
    times = []
    for second in range(32):
        seconds = float(second)
        if dispatcher.dispatch_due(NOW):
            times.append(second)
    assert times == [0, 1, 3, 7, 15, 23, 31]
    store.redis.delete(due_key(outbox_space(3)))  # it was served
    seconds = 40.0
    assert dispatcher.dispatch_due(NOW) == 0
    store.redis.zadd(due_key(outbox_space(3)), {"w1": 0})
    assert dispatcher.dispatch_due(NOW) == 1


def test_a_busy_subscription_that_is_served_each_time_is_not_slowed_down(
    store: EventStore,
) -> None:
    seconds, due = 0.0, due_key(outbox_space(3))
    dispatcher = DeliveryDispatcher(store, store.redis, clock=lambda: seconds)
    store.redis.zadd(due, {"w1": 0})
    for at in (0.0, 0.25, 0.7, 1.6):  # it waits for its turn
        seconds = at
        assert dispatcher.dispatch_due(NOW) == 1
    for version in range(1, 9):
        store.redis.zadd(due, {"w1": version})  # it is served and due again between two looks
        assert dispatcher.dispatch_due(NOW) == 0
        seconds += REDISPATCH_S
        assert dispatcher.dispatch_due(NOW) == 1


def test_networks_take_turns_in_the_job_queue(store: EventStore) -> None:
    # given 100 webhooks of one network that are due, in 10 accounts
    subscriptions, due = Subscriptions(store.redis, 16, 10), due_key(outbox_space(3))
    for number in range(100):
        add_webhook(subscriptions, f"w{number:03}", f"p{number % 10}", "7")
        store.redis.zadd(due, {f"w{number:03}": 0})
    dispatcher = DeliveryDispatcher(store, store.redis)
    dispatcher.dispatch_due(NOW)
    # when a webhook of another network becomes due
    add_webhook(subscriptions, "w999", "innocent", "8")
    store.redis.zadd(due, {"w999": 0})
    dispatcher.dispatch_due(NOW)
    # then its job comes after those in the bounded queue, and all others come too
    queue, taken = Queue(QUEUE, connection=store.redis), list[str]()
    while not queue.is_empty():
        taken.append(queue.pop_job_id())
        dispatcher.fill_up()
    assert taken.index("webhook-w999") <= MAX_QUEUED
    assert len(set(taken)) == 101
    assert not dispatcher.has_waiting


def test_a_waiting_webhook_that_is_served_is_not_dispatched(store: EventStore) -> None:
    due = due_key(outbox_space(3))
    store.redis.zadd(due, {f"w{number}": 0 for number in range(MAX_QUEUED + 1)})
    dispatcher = DeliveryDispatcher(store, store.redis)
    assert dispatcher.dispatch_due(NOW) == MAX_QUEUED
    assert dispatcher.has_waiting
    store.redis.delete(due)
    Queue(QUEUE, connection=store.redis).empty()
    assert dispatcher.dispatch_due(NOW) == 0
    assert not dispatcher.has_waiting


def add_webhook(subscriptions: Subscriptions, name: str, player: str, network: str) -> None:
    url, secrets = "https://hooks.example/path", (Secret("s"),)
    subscriptions.add(Subscription(name, player, url, (), 0, secrets, network=network))


@pytest.fixture
def done(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> list[Receiver]:
    """The receivers of what a fresh process hands to its pool."""
    monkeypatch.setenv("REDIS_URL", redis_url)
    found: list[Receiver] = []
    pool = SenderPool(1, ReceiverSpeeds())
    monkeypatch.setattr(pool, "submit", lambda name, receiver, work: found.append(receiver))
    monkeypatch.setattr(deliveries, "pool", lambda: pool)
    monkeypatch.setattr(deliveries, "SPEEDS", ReceiverSpeeds())
    for cached in (deliveries._settings, deliveries._sender):
        cached.cache_clear()
    return found


def test_a_job_hands_its_subscription_to_the_pool(
    redis_client: Redis, done: list[Receiver]
) -> None:
    subscriptions = Subscriptions(redis_client, 16, 5)
    for name, network in (("w1", "77"), ("w2", "")):
        add_webhook(subscriptions, name, f"of-{name}", network)
    for name in ("w1", "w2", "w3"):
        deliveries.deliver(name)
    assert done == [
        Receiver(Payer("77", "of-w1"), "hooks.example"),
        Receiver(Payer("of-w2", "of-w2"), "hooks.example"),
        Receiver(DELETED, ""),
    ]


def test_a_host_is_as_quick_after_a_restart_as_at_its_last_delivery(
    redis_client: Redis, done: list[Receiver]
) -> None:
    subscriptions = Subscriptions(redis_client, 16, 5)
    durations = {"quick": 100, "slow": 9_500, "unknown": None}
    for name, duration_ms in durations.items():
        url = f"https://{name}.example/"
        subscriptions.add(Subscription(name, f"of-{name}", url, (), 0, (Secret("s"),)))
        last = Delivery("m", "move.made", "delivered", 1, 1, 1, duration_ms=duration_ms)
        DeliveryLog(redis_client, name).record(last)
        deliveries.deliver(name)
    hosts = [one.host for one in done if deliveries.SPEEDS.is_quick(one.host)]
    assert hosts == ["quick.example"]


def test_the_client_records_how_quickly_a_host_answers() -> None:
    speeds = ReceiverSpeeds()
    client = TimedClient(speeds, "http://127.0.0.1:9/", True)
    with client, pytest.raises(RequestError):
        client.post({}, b"")
    assert speeds.is_quick("127.0.0.1")
