"""Hands out subscriptions for which there is something to do: each becomes a job."""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Event

from redis import Redis
from rq import Queue

from projections.outbox.plan import due_wishes
from service.channels.discord.channel_followers import followed
from service.channels.discord.follow_up_jobs import QUEUE as DISCORD
from service.matches.container import wall_clock
from service.store.event_store import Store
from workers.dispatch.job_queue import Call, UniqueJobs
from workers.dispatch.log_once import Trouble

QUEUE = "webhooks"
LOOK_S = 0.4
"""How often the outbox is looked at, if nothing was planned here."""
AGAIN_S = 0.2
"""How soon a subscription is handed out again that still has something to do."""
JOB_S = 40
PATIENCE_S = 10.0
"""How long a job may have begun and not ended, until it is taken for dead."""


class Dispatcher:
    """Hands out the subscriptions for which there is something to do in some partitions, or in all.

    Of one for which there is something in several, whoever works on them hands out the same job.
    """

    def __init__(
        self, store: Store, queue_redis: Redis, partitions: Sequence[int] | None = None
    ) -> None:
        self._redis = store.redis
        self._partitions = range(store.partitions) if partitions is None else partitions
        self._queue = Queue(QUEUE, connection=queue_redis)
        self._of_discord = Queue(DISCORD, connection=queue_redis)
        self._jobs = UniqueJobs()
        self._handed: dict[str, float] = {}

    def look(self, now_ms: int) -> int:
        """Hand out what is due and was not handed out just now; the number of jobs."""
        now = time.monotonic()
        self._handed = {name: until for name, until in self._handed.items() if until > now}
        due = due_wishes(self._redis, self._partitions, now_ms)
        fresh = sorted(due - self._handed.keys())
        for name in fresh:
            self._hand_out(name)
            self._handed[name] = now + AGAIN_S
        return len(fresh)

    def _hand_out(self, name: str) -> None:
        if match := followed(name):
            job = Call(
                f"discord-{match}",
                "workers.jobs.discord_followers.follow",
                (match,),
                JOB_S,
                PATIENCE_S,
            )
            self._jobs.put(self._of_discord, job)
            return
        job = Call(
            f"webhook-{name}", "workers.processes.deliveries.deliver", (name,), JOB_S, PATIENCE_S
        )
        self._jobs.put(self._queue, job)


def keep_handing_out(dispatcher: Dispatcher, planned: Event, stop: Event) -> None:
    """Hand out subscriptions until told to stop: once something was planned, and now and then."""
    trouble = Trouble()
    while not stop.is_set():
        planned.wait(LOOK_S)
        planned.clear()
        trouble.tried("hand_out_webhooks", lambda: dispatcher.look(wall_clock()))
