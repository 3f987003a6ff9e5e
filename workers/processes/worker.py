"""A worker process: runs jobs, and continues when Redis is back after an outage."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from redis import Redis
from redis.client import Pipeline
from rq import Queue
from rq.exceptions import StopRequested
from rq.job import Job
from rq.worker import WorkerStatus

from domain.match.scheduled_work import PROMPT_QUEUES, QUEUES
from service.runtime.errors import REDIS_ERRORS
from service.runtime.settings import Settings
from service.store.redis_client import connect
from workers.dispatch.log_once import FailureLog
from workers.jobs.priorities import PriorityWorker

RETRY_S = 1.0
WORKER_TTL_S = 30
"""How long Redis remembers a silent worker; a worker waits for a job a little less."""


class Worker(PriorityWorker):
    """A worker that remembers whether it was asked to stop.

    It does not fork: a forked process would fold the match of each job from its beginning.
    """

    max_connection_wait_time = 2.0
    stop_requested = False
    unexpected_error: Exception | None = None
    """What ended the loop of RQ, which logs it and returns."""

    def __init__(
        self, redis: Redis, failures: FailureLog, queue_names: Sequence[str] = QUEUES
    ) -> None:
        queues = [Queue(name, connection=redis) for name in queue_names]
        super().__init__(queues, connection=redis, worker_ttl=WORKER_TTL_S)
        self._failures = failures

    def register_birth(self) -> None:
        """Register this worker, which needs a writable Redis."""
        super().register_birth()  # type: ignore[no-untyped-call]
        self._failures.log_recovery("work")

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """Wait for the next job."""
        with self._remember_error():
            return super().dequeue_job_and_maintain_ttl(timeout, max_idle_time)

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run a job."""
        with self._remember_error():
            super().execute_job(job, queue)

    @contextmanager
    def _remember_error(self) -> Iterator[None]:
        try:
            yield
        except (*REDIS_ERRORS, StopRequested):
            raise
        except Exception as error:
            self.unexpected_error = error
            raise

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Stop after the current job."""
        self.stop_requested = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Send a heartbeat; StopRequested if this worker was asked to stop.

        The signal handler has raised it before, but code that catches every exception, such as
        logging, may have swallowed it.
        """
        if self.stop_requested and self.get_state() != WorkerStatus.BUSY:
            raise StopRequested
        super().heartbeat(timeout, pipeline)


NICE = 10
"""Niceness of a worker in which bots search: requests come before their thinking."""
ALL_QUEUES: Sequence[str] = QUEUES
"""The queues of a worker that does all work for matches."""
QUICK_QUEUES: Sequence[str] = (*PROMPT_QUEUES, "bots")
"""The queues of a worker that leaves bots that search to other workers."""


def main(settings: Settings, queue_names: Sequence[str] = ALL_QUEUES) -> None:
    """Run jobs from these queues until a signal, most urgent first."""
    redis, failures = connect(settings.queue_url), FailureLog()
    with suppress(StopRequested):  # a signal between two attempts
        while not run_jobs(redis, failures, queue_names):
            time.sleep(RETRY_S)


def run_jobs(redis: Redis, failures: FailureLog, queue_names: Sequence[str] = QUEUES) -> bool:
    """Run jobs from these queues; returns True after a stop request, False if Redis failed. Raises
    any other error that ended the worker.
    """
    try:
        worker = Worker(redis, failures, queue_names)
        worker.work()
    except REDIS_ERRORS as error:
        failures.log_failure("work", error)
        return False
    if worker.unexpected_error:
        raise worker.unexpected_error
    return worker.stop_requested
