"""Puts work that is due into the queues, and again if it is not done in time."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from redis import Redis
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus

from domain.match.due import QUEUE_OF, QUEUES
from service.settings import Settings
from service.store import Due, Store

AT_ONCE = 1_000
AGAIN_S = 10.0
LATEST_S = 3600.0
KEEP_S = 60
TIMEOUT_S = 3  # beyond the time of a bot: sooner than the work is handed out again


class Dispatcher:
    """Hands the work of one partition to the workers."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        queue_redis: Redis,
        partition: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._partition = partition
        self._bot_s = settings.bot_seconds
        self._queues = {name: Queue(name, connection=queue_redis) for name in QUEUES}
        self._clock = clock
        self._handed: dict[Due, tuple[float, float]] = {}  # until when to leave it; since when
        self._begun: dict[Due, datetime] = {}  # when a job began that was left to its worker

    def dispatch(self, now_ms: int) -> int:
        """Enqueue what is due and was not enqueued lately; the number of jobs.

        What is still due after that waits longer each time: half as long again as it did in all,
        but at most an hour.
        """
        due = self._store.due(self._partition, now_ms, AT_ONCE)
        now = self._clock()
        self._handed = {work: self._handed[work] for work in due if work in self._handed}
        fresh = [work for work in due if self._handed.get(work, (now, 0))[0] <= now]
        for work in fresh:
            self.enqueue(work)
            _, first = self._handed.get(work, (now, now))
            patience = max(self._patience_s(work), min((now - first) / 2, LATEST_S))
            self._handed[work] = (now + patience, first)
        self._begun = {work: at for work, at in self._begun.items() if work in self._handed}
        return len(fresh)

    def _patience_s(self, work: Due) -> float:
        return self._bot_s + 5 if work.work == "bot" else AGAIN_S

    def enqueue(self, work: Due) -> None:
        """Enqueue a job, replacing one that was started but not finished in time."""
        try:
            self._push(work)
        except DuplicateJobError:
            if self._given_up(work):
                self._push(work)

    def _push(self, work: Due) -> None:
        self._queues[QUEUE_OF[work.work]].enqueue_call(
            f"workers.jobs.{work.work}",
            args=(work.match, work.version),
            job_id=job_id(work),
            unique=True,
            timeout=int(self._bot_s + TIMEOUT_S),
            result_ttl=0,  # a job that is done leaves nothing, so that its id is free again
            failure_ttl=KEEP_S,
            retry=Retry(max=2),
        )

    def _given_up(self, work: Due) -> bool:
        """Delete a job unless it waits in its queue or has just begun; whether it is gone."""
        queue = self._queues[QUEUE_OF[work.work]]
        try:
            job = Job.fetch(job_id(work), connection=queue.connection)
        except NoSuchJobError:
            return True
        if queue.get_job_position(job.id) is not None or self._just_begun(job, work):
            return False
        job.delete()
        return True

    def _just_begun(self, job: Job, work: Due) -> bool:
        """Whether a worker took this job a moment ago.

        Its clock may be wrong, or ours; so it is believed once only.
        """
        began = job.started_at
        if job.get_status(refresh=False) != JobStatus.STARTED or began is None:
            return False
        before, self._begun[work] = self._begun.get(work), began
        age = datetime.now(UTC) - began.replace(tzinfo=UTC)  # noqa: TID251 - see above
        return before != began and age.total_seconds() < self._patience_s(work)


def job_id(work: Due) -> str:
    """The same for the same work, so that it is in its queue only once."""
    return f"{work.work}-{work.match}-{work.version}"
