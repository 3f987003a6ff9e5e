"""The RQ queues: due work becomes a job that waits there only once."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

from msgspec import Struct
from redis import Redis
from rq import Queue, Retry
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus

from domain.match import scheduled_work
from domain.match.scheduled_work import QUEUE_OF, QUEUES, Work
from service.runtime.settings import Settings
from service.store.event_store import DueWork

REDISPATCH_S = 10.0
MAX_DELAY_S = 3600.0
FAILURE_TTL_S = 60
EXTRA_TIMEOUT_S = 3
"""Added to the time of a bot; shorter than the time until work is handed out again."""
BOT_REDISPATCH_S = 5.0
"""Added to the time of a bot."""
QUICK_BOT_S = 0.5
"""How long a bot that does not search may think; most need a tenth of it."""


class Call(Struct, frozen=True):
    """A job: the name of a function, its arguments, its time limit, and the time after which a
    started job counts as dead.
    """

    id: str
    function: str
    args: tuple[str | int, ...]
    timeout_s: int
    dead_after_s: float


class UniqueJobs:
    """Enqueues jobs so that each waits only once."""

    def __init__(self) -> None:
        self._start_times: dict[str, datetime] = {}  # start time of jobs left once

    def put(self, queue: Queue, call: Call) -> None:
        """Enqueue a job; it replaces one that was started but not finished in time."""
        try:
            self._push(queue, call)
        except DuplicateJobError:
            if self._delete_dead(queue, call):
                with suppress(DuplicateJobError):  # another dispatcher was faster
                    self._push(queue, call)

    def _push(self, queue: Queue, call: Call) -> None:
        queue.enqueue_call(
            call.function,
            args=call.args,
            job_id=call.id,
            unique=True,
            timeout=call.timeout_s,
            result_ttl=0,  # a finished job leaves nothing, so its id is free again
            failure_ttl=FAILURE_TTL_S,
            retry=Retry(max=2),
        )

    def _delete_dead(self, queue: Queue, call: Call) -> bool:
        """Delete a job unless it waits or has just begun; return whether it is gone."""
        try:
            job = Job.fetch(call.id, connection=queue.connection)
        except NoSuchJobError:
            return True
        if queue.get_job_position(job.id) is not None or self._has_just_begun(job, call):
            return False
        job.delete()
        return True

    def _has_just_begun(self, job: Job, call: Call) -> bool:
        """Return whether a worker started this job a moment ago.

        The clock of either machine may be wrong, so the start time is believed only once.
        """
        before, began = self._start_times.pop(job.id, None), job.started_at
        if job.get_status(refresh=False) != JobStatus.STARTED or began is None or before == began:
            return False
        self._start_times[job.id] = began
        age = datetime.now(UTC) - began.replace(tzinfo=UTC)  # noqa: TID251 - see above
        return age.total_seconds() < call.dead_after_s


class JobQueue:
    """The queues from which the workers take their jobs."""

    def __init__(self, settings: Settings, redis: Redis) -> None:
        self.redis = redis
        self._max_bot_s = settings.bot_seconds
        self._queues = {name: Queue(name, connection=redis) for name in QUEUES}
        self._jobs = UniqueJobs()

    def redispatch_after_s(self, work: Work, so_far: float = 0) -> float:
        """Return how long work is left to the workers before it is handed out again: longer each
        time, by half of the seconds so far, but at most by an hour.
        """
        is_bot = QUEUE_OF[work] in scheduled_work.BOT_QUEUES
        least = bot_time_s(work, self._max_bot_s) + BOT_REDISPATCH_S if is_bot else REDISPATCH_S
        return least + min(so_far / 2, MAX_DELAY_S)

    def lengths(self) -> dict[scheduled_work.Queue, int]:
        """Return the number of jobs in each queue."""
        with self.redis.pipeline(transaction=False) as pipe:
            for queue in self._queues.values():
                pipe.llen(queue.key)
            return dict(zip(QUEUES, pipe.execute(), strict=True))

    def put(self, work: DueWork) -> None:
        """Enqueue a job; it replaces one that was started but not finished in time."""
        timeout = int(bot_time_s(work.work, self._max_bot_s) + EXTRA_TIMEOUT_S)
        args, patience = (work.match, work.version), self.redispatch_after_s(work.work)
        call = Call(job_id(work), f"workers.jobs.match_jobs.{work.work}", args, timeout, patience)
        self._jobs.put(self._queues[QUEUE_OF[work.work]], call)


def bot_time_s(work: Work, max_s: float) -> float:
    """Return how long a bot may think; `most` is the limit of the bots that search."""
    return max_s if work == "think" else min(max_s, QUICK_BOT_S)


def job_id(work: DueWork) -> str:
    """Return the id of the job for this work; the same work has the same id, so it is in its queue
    only once.
    """
    return f"{work.work}-{work.match}-{work.version}"
