"""The RQ queues: work becomes a job, which waits there only once."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct
from redis import Redis
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus

from domain.match import scheduled_work
from domain.match.scheduled_work import QUEUE_OF, QUEUES, Work
from service.runtime.settings import Settings
from service.store.event_store import Due

AGAIN_S = 10.0
LATEST_S = 3600.0
KEEP_S = 60
TIMEOUT_S = 3  # beyond the time of a bot: sooner than the work is handed out again
BOT_AGAIN_S = 5.0  # likewise
QUICK_S = 0.5
"""How long a bot may think that does not search: most need a tenth of it."""


class Call(Struct, frozen=True):
    """A job: a function by its name, what it is given, how long it may take, and after which time
    it is given up if it has begun and not ended.
    """

    id: str
    function: str
    args: tuple[str | int, ...]
    timeout_s: int
    patience_s: float


class UniqueJobs:
    """Puts jobs into queues, where each waits only once."""

    def __init__(self) -> None:
        self._begun: dict[str, datetime] = {}  # when a job began that was left to its worker

    def put(self, queue: Queue, call: Call) -> None:
        """Enqueue a job, replacing one that was started but not finished in time."""
        try:
            self._push(queue, call)
        except DuplicateJobError:
            if self._given_up(queue, call):
                self._push(queue, call)

    def _push(self, queue: Queue, call: Call) -> None:
        queue.enqueue_call(
            call.function,
            args=call.args,
            job_id=call.id,
            unique=True,
            timeout=call.timeout_s,
            result_ttl=0,  # a job that is done leaves nothing, so that its id is free again
            failure_ttl=KEEP_S,
            retry=Retry(max=2),
        )

    def _given_up(self, queue: Queue, call: Call) -> bool:
        """Delete a job unless it waits in its queue or has just begun; whether it is gone."""
        try:
            job = Job.fetch(call.id, connection=queue.connection)
        except NoSuchJobError:
            return True
        if queue.get_job_position(job.id) is not None or self._just_begun(job, call):
            return False
        job.delete()
        return True

    def _just_begun(self, job: Job, call: Call) -> bool:
        """Whether a worker took this job a moment ago.

        Its clock may be wrong, or ours; so it is believed once only.
        """
        before, began = self._begun.pop(job.id, None), job.started_at
        if job.get_status(refresh=False) != JobStatus.STARTED or began is None or before == began:
            return False
        self._begun[job.id] = began
        age = datetime.now(UTC) - began.replace(tzinfo=UTC)  # noqa: TID251 - see above
        return age.total_seconds() < call.patience_s


class JobQueue:
    """Where workers take their jobs from."""

    def __init__(self, settings: Settings, redis: Redis) -> None:
        self.redis = redis
        self._bot_s = settings.bot_seconds
        self._queues = {name: Queue(name, connection=redis) for name in QUEUES}
        self._jobs = UniqueJobs()

    def patience_s(self, work: Work, so_far: float = 0) -> float:
        """How long work is left to the workers before it is handed out again: longer each time, by
        half of the seconds that it took so far, but by no more than an hour.
        """
        is_bot = QUEUE_OF[work] in scheduled_work.BOT_QUEUES
        least = thinking_s(work, self._bot_s) + BOT_AGAIN_S if is_bot else AGAIN_S
        return least + min(so_far / 2, LATEST_S)

    def lengths(self) -> dict[scheduled_work.Queue, int]:
        """How many jobs wait in each queue."""
        with self.redis.pipeline(transaction=False) as pipe:
            for queue in self._queues.values():
                pipe.llen(queue.key)
            return dict(zip(QUEUES, pipe.execute(), strict=True))

    def put(self, work: Due) -> None:
        """Enqueue a job, replacing one that was started but not finished in time."""
        timeout = int(thinking_s(work.work, self._bot_s) + TIMEOUT_S)
        args, patience = (work.match, work.version), self.patience_s(work.work)
        call = Call(job_id(work), f"workers.jobs.match_jobs.{work.work}", args, timeout, patience)
        self._jobs.put(self._queues[QUEUE_OF[work.work]], call)


def thinking_s(work: Work, most: float) -> float:
    """How long a bot may think, of the `most` seconds that the strongest have."""
    return most if work == "think" else min(most, QUICK_S)


def job_id(work: Due) -> str:
    """The same for the same work, so that it is in its queue only once."""
    return f"{work.work}-{work.match}-{work.version}"
