"""The RQ queues: work becomes a job, which waits there only once."""

from __future__ import annotations

from datetime import UTC, datetime

from redis import Redis
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus

from domain.match import due
from domain.match.due import QUEUE_OF, QUEUES, Work
from service.settings import Settings
from service.store import Due

AGAIN_S = 10.0
LATEST_S = 3600.0
KEEP_S = 60
TIMEOUT_S = 3  # beyond the time of a bot: sooner than the work is handed out again
BOT_AGAIN_S = 5.0  # likewise
QUICK_S = 0.5
"""How long a bot may think that does not search: most need a tenth of it."""


class JobQueue:
    """Where workers take their jobs from."""

    def __init__(self, settings: Settings, redis: Redis) -> None:
        self.redis = redis
        self._bot_s = settings.bot_seconds
        self._queues = {name: Queue(name, connection=redis) for name in QUEUES}
        self._begun: dict[str, datetime] = {}  # when a job began that was left to its worker

    def patience_s(self, work: Work, so_far: float = 0) -> float:
        """How long work is left to the workers before it is handed out again: longer each time, by
        half of the seconds that it took so far, but by no more than an hour.
        """
        is_bot = QUEUE_OF[work] in due.BOT_QUEUES
        least = thinking_s(work, self._bot_s) + BOT_AGAIN_S if is_bot else AGAIN_S
        return least + min(so_far / 2, LATEST_S)

    def lengths(self) -> dict[due.Queue, int]:
        """How many jobs wait in each queue."""
        with self.redis.pipeline(transaction=False) as pipe:
            for queue in self._queues.values():
                pipe.llen(queue.key)
            return dict(zip(QUEUES, pipe.execute(), strict=True))

    def put(self, work: Due) -> None:
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
            timeout=int(thinking_s(work.work, self._bot_s) + TIMEOUT_S),
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
        before, began = self._begun.pop(job.id, None), job.started_at
        if job.get_status(refresh=False) != JobStatus.STARTED or began is None or before == began:
            return False
        self._begun[job.id] = began
        age = datetime.now(UTC) - began.replace(tzinfo=UTC)  # noqa: TID251 - see above
        return age.total_seconds() < self.patience_s(work.work)


def thinking_s(work: Work, most: float) -> float:
    """How long a bot may think, of the `most` seconds that the strongest have."""
    return most if work == "think" else min(most, QUICK_S)


def job_id(work: Due) -> str:
    """The same for the same work, so that it is in its queue only once."""
    return f"{work.work}-{work.match}-{work.version}"
