"""A worker of RQ that goes to Redis four times for a job, and not thirty times.

RQ keeps the queues, the jobs that fail or are left, and how often they are tried. What it notes of
workers besides, nobody reads here: logs and metrics tell more.
"""

from __future__ import annotations

from time import monotonic

from redis.client import Pipeline
from rq import Queue, SimpleWorker
from rq.executions import Execution
from rq.job import Job
from rq.utils import now
from rq.worker import WorkerStatus

BEAT_S = 10.0
"""How often a worker says that it is there (Redis forgets it after more than a minute), and looks
whether it is to rest.
"""


class LeanWorker(SimpleWorker):
    """Does a job in the process that waits for it, with all that this has loaded and read."""

    _beat_at = _check_at = 0.0

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Say now and then that this worker is there."""
        if monotonic() >= self._beat_at:
            self._beat_at = monotonic() + BEAT_S
            super().heartbeat(timeout, pipeline)

    def check_for_suspension(self, burst: bool) -> None:
        """Look now and then whether somebody has said `rq suspend`."""
        if monotonic() >= self._check_at:
            self._check_at = monotonic() + BEAT_S
            super().check_for_suspension(burst)

    def set_state(self, state: str, pipeline: Pipeline | None = None) -> None:
        """Keep to itself whether it is busy."""
        self._state = state

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Do a job; whoever tells this worker to stop meanwhile waits for its end."""
        self.set_state(WorkerStatus.BUSY)
        self.perform_job(job, queue)
        self.set_state(WorkerStatus.IDLE)

    def prepare_job_execution(
        self, job: Job, remove_from_intermediate_queue: bool = False, **__: object
    ) -> None:
        """Note that a job has begun, and until when to wait for its end.

        Whoever works off one queue alone takes jobs from it by way of a list, and off that here.
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
        """Note when a job has ended."""
        job.ended_at = now()

    def handle_job_success(self, job: Job, *_: object, **__: object) -> None:
        """Forget a job that is done, so that its id is free again."""
        with self.connection.pipeline() as pipe:
            pipe.delete(job.key)
            self.cleanup_execution(job, pipe)
            pipe.execute()
