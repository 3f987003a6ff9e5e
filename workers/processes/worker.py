"""A worker: works off the queues, and goes on when a Redis that was away is there again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import StopRequested
from rq.worker import WorkerStatus

from domain.match.scheduled_work import PROMPT_QUEUES, QUEUES
from service.runtime.settings import Settings
from service.store.redis_client import connect
from workers.dispatch.log_once import Trouble
from workers.jobs.priorities import LaneWorker

PAUSE_S = 1.0
TTL_S = 30
"""How long Redis remembers a worker that is silent; it waits for a job a little less."""


class Worker(LaneWorker):
    """A worker that knows whether it was told to stop.

    It does not fork: one that does would fold the match of each job again from its beginning.
    """

    max_connection_wait_time = 2.0
    told_to_stop = False

    def __init__(self, redis: Redis, trouble: Trouble, lanes: Sequence[str] = QUEUES) -> None:
        queues = [Queue(name, connection=redis) for name in lanes]
        super().__init__(queues, connection=redis, worker_ttl=TTL_S)
        self._trouble = trouble

    def register_birth(self) -> None:
        """Make this worker known, which takes a Redis that can be written."""
        super().register_birth()  # type: ignore[no-untyped-call]
        self._trouble.over("work")

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Stop after the job at hand."""
        self.told_to_stop = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Say now and then that this worker is there; StopRequested if it was told to stop.

        It was raised before, as soon as the signal came; but whoever catches everything, as logging
        does while it writes a line, may have been at work just then.
        """
        if self.told_to_stop and self.get_state() != WorkerStatus.BUSY:
            raise StopRequested
        super().heartbeat(timeout, pipeline)


ALL: Sequence[str] = QUEUES
"""The lanes of a worker that does all there is to do for matches."""
QUICK: Sequence[str] = (*PROMPT_QUEUES, "bots")
"""The lanes of a worker that leaves the bots that search to others."""


def main(settings: Settings, lanes: Sequence[str] = ALL) -> None:
    """Work off these queues until told to stop, the most urgent first."""
    redis, trouble = connect(settings.queue_url), Trouble()
    with suppress(StopRequested):  # between two tries
        while not work(redis, trouble, lanes):
            time.sleep(PAUSE_S)


def work(redis: Redis, trouble: Trouble, lanes: Sequence[str] = QUEUES) -> bool:
    """Work off these queues as long as Redis lets us; whether it was until told to stop."""
    try:
        worker = Worker(redis, trouble, lanes)
        worker.work()
    except RedisError as error:
        trouble.met("work", error)
        return False
    return worker.told_to_stop
