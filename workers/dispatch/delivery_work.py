"""Dispatches subscriptions with due work: each becomes a job."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Event
from typing import NamedTuple

from redis import Redis
from rq import Queue

from projections.outbox.plan import due_subscriptions
from service.channels.discord.channel_followers import match_of
from service.channels.discord.follow_up_jobs import QUEUE as DISCORD
from service.matches.container import wall_clock
from service.store.event_store import EventStore
from workers.dispatch.job_queue import Call, UniqueJobs
from workers.dispatch.log_once import FailureLog

QUEUE = "webhooks"
POLL_S = 0.4
"""How often the outbox is polled when no projector of this process has planned anything."""
REDISPATCH_S = 0.2
"""How soon a subscription is dispatched again; twice as long each time while it waits for a sender.
"""
MAX_REDISPATCH_S = 2.0
JOB_TIMEOUT_S = 40
JOB_DEAD_AFTER_S = 10.0
"""A job that has run for this long is considered dead."""


class _LastDispatch(NamedTuple):
    """What was due when a subscription was dispatched last, and when it may be again."""

    due_at: int
    until: float
    pause_s: float


class DeliveryDispatcher:
    """Dispatches the subscriptions with due work in some partitions, or in all.

    If a subscription has work in several partitions, all dispatchers enqueue the same job.
    """

    def __init__(
        self,
        store: EventStore,
        queue_redis: Redis,
        partitions: Sequence[int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._redis = store.redis
        self._partitions = range(store.partitions) if partitions is None else partitions
        self._queue = Queue(QUEUE, connection=queue_redis)
        self._discord_queue = Queue(DISCORD, connection=queue_redis)
        self._jobs = UniqueJobs()
        self._dispatched: dict[str, _LastDispatch] = {}

    def dispatch_due(self, now_ms: int) -> int:
        """Dispatch what is due and was not dispatched just now; returns the number of jobs."""
        now = self._clock()
        found = due_subscriptions(self._redis, self._partitions, now_ms)
        latest = {
            name: one if found.get(name) == one.due_at else _served(one, now)
            for name, one in self._dispatched.items()
            if name in found or one.until > now
        }
        due = sorted(name for name in found if name not in latest or latest[name].until <= now)
        for name in due:
            self._enqueue_job(name)
            pause = latest[name].pause_s if name in latest else REDISPATCH_S
            longer = min(2 * pause, MAX_REDISPATCH_S)
            latest[name] = _LastDispatch(found[name], now + pause, longer)
        self._dispatched = latest
        return len(due)

    def _enqueue_job(self, subscription_id: str) -> None:
        if match := match_of(subscription_id):
            job = Call(
                f"discord-{match}",
                "workers.jobs.discord_followers.follow",
                (match,),
                JOB_TIMEOUT_S,
                JOB_DEAD_AFTER_S,
            )
            self._jobs.put(self._discord_queue, job)
            return
        job = Call(
            f"webhook-{subscription_id}",
            "workers.processes.deliveries.deliver",
            (subscription_id,),
            JOB_TIMEOUT_S,
            JOB_DEAD_AFTER_S,
        )
        self._jobs.put(self._queue, job)


def _served(one: _LastDispatch, now: float) -> _LastDispatch:
    """Return when a subscription may be dispatched again that was served since."""
    return one._replace(until=min(one.until, now + REDISPATCH_S), pause_s=REDISPATCH_S)


def run_dispatcher(dispatcher: DeliveryDispatcher, planned: Event, stop: Event) -> None:
    """Dispatch until `stop` is set: when something was planned, and at each poll."""
    failures = FailureLog()
    while not stop.is_set():
        planned.wait(POLL_S)
        planned.clear()
        failures.run("dispatch_deliveries", lambda: dispatcher.dispatch_due(wall_clock()))
