"""An RQ worker with four round trips to Redis per job instead of thirty.

RQ still keeps the queues, failed jobs and retries. This worker skips what RQ records about workers,
because Annals has its own logs and metrics.
"""

from __future__ import annotations

from time import monotonic

from redis.client import Pipeline
from rq import Queue, SimpleWorker
from rq.executions import Execution
from rq.job import Job
from rq.utils import now
from rq.worker import WorkerStatus

HEARTBEAT_S = 10.0
"""How often a worker sends a heartbeat (Redis forgets it after more than a minute) and checks
whether it is suspended.
"""


class LeanWorker(SimpleWorker):
    """Runs each job in the process that waits for it, so that loaded code and caches stay warm."""

    _heartbeat_at = _check_at = 0.0

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Send a heartbeat every HEARTBEAT_S seconds."""
        if monotonic() >= self._heartbeat_at:
            self._heartbeat_at = monotonic() + HEARTBEAT_S
            super().heartbeat(timeout, pipeline)

    def check_for_suspension(self, burst: bool) -> None:
        """Check every HEARTBEAT_S seconds whether an operator has run `rq suspend`."""
        if monotonic() >= self._check_at:
            self._check_at = monotonic() + HEARTBEAT_S
            super().check_for_suspension(burst)

    def procline(self, message: str) -> None:
        """Keep the title of the process, which says what it is."""

    def set_state(self, state: str, pipeline: Pipeline | None = None) -> None:
        """Set the state in memory only."""
        self._state = state

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run a job; a stop request takes effect after it."""
        self.set_state(WorkerStatus.BUSY)
        self.perform_job(job, queue)
        self.set_state(WorkerStatus.IDLE)

    def prepare_job_execution(
        self, job: Job, remove_from_intermediate_queue: bool = False, **__: object
    ) -> None:
        """Record that a job has started and when it counts as dead.

        A worker with one queue takes jobs by way of an intermediate list; the job is removed from
        it here.
        """
        with self.connection.pipeline() as pipe:
            if remove_from_intermediate_queue:
                [queue] = self.queues
                pipe.lrem(queue.intermediate_queue_key, 1, job.id)
            ttl = self.get_heartbeat_ttl(job)
            self.execution = Execution.create(job, ttl, pipe, self.name)
            job.prepare_for_execution(self.name, pipe)
            pipe.execute()

    def handle_execution_ended(self, job: Job, *_: object, **__: object) -> None:
        """Record when a job has ended."""
        job.ended_at = now()

    def handle_job_success(self, job: Job, *_: object, **__: object) -> None:
        """Delete a finished job, so that its id is free again."""
        with self.connection.pipeline() as pipe:
            pipe.delete(job.key)
            self.cleanup_execution(job, pipe)
            pipe.execute()
