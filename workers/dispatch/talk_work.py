"""Hands out the erasing of talk about matches that ended long ago: a job for each partition."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from redis import Redis
from rq import Queue

from service.matches.container import wall_clock
from service.store.event_store import EventStore
from service.talk.storage import Talk
from workers.dispatch.job_queue import Call, UniqueJobs
from workers.dispatch.log_once import FailureLog

QUEUE = "scoring"
"""The queue of the jobs: that of other work that no player waits for."""
POLL_S = 60.0
"""How often the index of talk is read."""
JOB_TIMEOUT_S = 60
JOB_DEAD_AFTER_S = 60.0


class TalkDispatcher:
    """Hands out the erasing in some partitions."""

    def __init__(self, store: EventStore, queue_redis: Redis, partitions: Sequence[int]) -> None:
        self._talk = Talk(store)
        self._partitions = partitions
        self._queue = Queue(QUEUE, connection=queue_redis)
        self._jobs = UniqueJobs()

    def dispatch_due(self, now_ms: int) -> int:
        """Hand out a job for each partition in which something is due; return their number."""
        due = [one for one in self._partitions if self._talk.due(one, now_ms, 1)]
        for partition in due:
            job = Call(
                f"talk-{partition}",
                "workers.jobs.talk.erase",
                (partition,),
                JOB_TIMEOUT_S,
                JOB_DEAD_AFTER_S,
            )
            self._jobs.put(self._queue, job)
        return len(due)


def run_dispatcher(dispatcher: TalkDispatcher, stop: Event) -> None:
    """Hand out work until `stop` is set."""
    failures = FailureLog()
    while True:
        failures.run("dispatch_talk", lambda: dispatcher.dispatch_due(wall_clock()))
        if stop.wait(POLL_S):
            return
