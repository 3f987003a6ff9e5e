"""Dispatches subscriptions with due work: each becomes a job."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Event
from typing import NamedTuple

from redis import Redis
from rq import Queue

from projections.outbox.due import due_subscriptions
from service.channels.discord.channel_followers import match_of
from service.channels.discord.follow_up_jobs import QUEUE as DISCORD
from service.channels.mail.kinds import player_of
from service.channels.push.kinds import Device, device_of
from service.channels.webhooks.subscriptions import Subscriptions
from service.matches.container import wall_clock
from service.runtime.shares.fair_queue import FairQueue, Payer
from service.store.event_store import EventStore
from workers.dispatch.job_queue import Call, UniqueJobs
from workers.dispatch.log_once import FailureLog
from workers.dispatch.long_waits import LongWaits

QUEUE = "webhooks"
MAIL_QUEUE = "mail"
"""A queue of its own: players who wait for a mail server take no room from webhooks."""
PUSH_QUEUE = "push"
POLL_S = 0.4
"""How often the outbox is polled when no projector of this process has planned anything."""
MAX_QUEUED = 16
"""Maximum number of webhooks in the job queue; others wait here, where networks take turns."""
TOP_UP_S = 0.02
"""How soon the job queue is filled up while webhooks wait."""
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
        self._long_waits = LongWaits(store, self._partitions)
        self._queue = Queue(QUEUE, connection=queue_redis)
        self._mail_queue = Queue(MAIL_QUEUE, connection=queue_redis)
        self._push_queue = Queue(PUSH_QUEUE, connection=queue_redis)
        self._discord_queue = Queue(DISCORD, connection=queue_redis)
        self._jobs = UniqueJobs()
        self._subscriptions = Subscriptions(store.redis, store.partitions, 0)
        self._payers: dict[str, Payer] = {}  # of subscriptions with due work
        self._waiting: FairQueue[int] = FairQueue()  # since when their work is due
        self._dispatched: dict[str, _LastDispatch] = {}

    @property
    def has_waiting(self) -> bool:
        """Whether webhooks wait for room in the job queue."""
        return len(self._waiting) > 0

    def dispatch_due(self, now_ms: int) -> int:
        """Dispatch what is due and was not dispatched just now, as far as the job queue has room;
        returns the number of jobs.
        """
        now = self._clock()
        self._long_waits.end(now_ms)
        found = due_subscriptions(self._redis, self._partitions, now_ms)
        self._dispatched = {
            name: one if found.get(name) == one.due_at else _served(one, now)
            for name, one in self._dispatched.items()
            if name in found or one.until > now
        }
        due = [name for name in sorted(found) if self._is_free(name, now)]
        webhooks = [name for name in due if not self._enqueue_at_once(name)]
        for name in set(due).difference(webhooks):
            self._note_dispatch(name, found[name])
        self._let_wait(found, webhooks)
        return len(due) - len(webhooks) + self.fill_up()

    def fill_up(self) -> int:
        """Enqueue waiting webhooks, networks in turn, as far as the job queue has room; returns
        their number.
        """
        jobs, room = 0, MAX_QUEUED - self._queue.count
        while jobs < room and (first := self._waiting.next_item()):
            name, due_at = first
            self._waiting.serve(name)
            self._enqueue_webhook(name)
            self._note_dispatch(name, due_at)
            jobs += 1
        return jobs

    def _is_free(self, name: str, now: float) -> bool:
        return name not in self._dispatched or self._dispatched[name].until <= now

    def _note_dispatch(self, name: str, due_at: int) -> None:
        last = self._dispatched.get(name)
        pause = last.pause_s if last else REDISPATCH_S
        longer = min(2 * pause, MAX_REDISPATCH_S)
        self._dispatched[name] = _LastDispatch(due_at, self._clock() + pause, longer)

    def _let_wait(self, found: Mapping[str, int], due: Iterable[str]) -> None:
        """Let webhooks wait for room, each in the share of its payer."""
        self._payers = {name: one for name, one in self._payers.items() if name in found}
        for name in self._waiting.keys() - found.keys():
            self._waiting.discard(name)
        for name in due:
            if name not in self._waiting:
                self._waiting.add(self._payer(name), name, found[name])

    def _payer(self, name: str) -> Payer:
        if name not in self._payers:
            self._payers[name] = self._subscriptions.payer(name)
        return self._payers[name]

    def _enqueue_at_once(self, name: str) -> bool:
        """Enqueue the job of channels in Discord, of mail or of push messages; False if it is that
        of a webhook.
        """
        if match := match_of(name):
            self._enqueue_match(match)
        elif player := player_of(name):
            self._enqueue_mail(player)
        elif device := device_of(name):
            self._enqueue_push(device)
        else:
            return False
        return True

    def _enqueue_match(self, match: str) -> None:
        job = Call(
            f"discord-{match}",
            "workers.jobs.discord_followers.follow",
            (match,),
            JOB_TIMEOUT_S,
            JOB_DEAD_AFTER_S,
        )
        self._jobs.put(self._discord_queue, job)

    def _enqueue_mail(self, player: str) -> None:
        """Enqueue the mail of a player: the job only hands it to a thread."""
        job = Call(
            f"mail-{player}",
            "workers.processes.mailer.send",
            (player,),
            JOB_TIMEOUT_S,
            JOB_DEAD_AFTER_S,
        )
        self._jobs.put(self._mail_queue, job)

    def _enqueue_push(self, device: Device) -> None:
        """Enqueue the messages to a browser: the job only hands it to a thread."""
        job = Call(
            f"push-{device.player}-{device.subscription}",
            "workers.processes.pusher.send",
            tuple(device),
            JOB_TIMEOUT_S,
            JOB_DEAD_AFTER_S,
        )
        self._jobs.put(self._push_queue, job)

    def _enqueue_webhook(self, subscription_id: str) -> None:
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
    failures, look_at = FailureLog(), 0.0
    while not stop.is_set():
        is_planned = planned.wait(TOP_UP_S if dispatcher.has_waiting else POLL_S)
        planned.clear()
        if is_planned or time.monotonic() >= look_at:
            failures.run("dispatch_deliveries", lambda: dispatcher.dispatch_due(wall_clock()))
            look_at = time.monotonic() + POLL_S
        else:
            failures.run("dispatch_deliveries", dispatcher.fill_up)
