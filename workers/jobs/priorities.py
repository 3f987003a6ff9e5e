"""A worker's lanes: what is urgent first, and neither kind of bots waits for ever for the other."""

from __future__ import annotations

from time import monotonic

from rq import Queue
from rq.job import Job

from domain.match.scheduled_work import BOT_QUEUES, PROMPT_QUEUES
from workers.jobs.hard_limit import HardLimit
from workers.jobs.lean_worker import LeanWorker

QUICK, DEEP = BOT_QUEUES
REMEMBERED_S = 2.0


class LaneWorker(LeanWorker):
    """Takes quick bots before those that search, unless the quick ones had more of its time."""

    death_penalty_class = HardLimit
    _lead = 0.0  # seconds that quick bots had more, as far as is remembered

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Do a job, and see to whose turn it is next."""
        began = monotonic()
        super().execute_job(job, queue)
        self.note(queue.name, monotonic() - began)

    def note(self, lane: str, seconds: float) -> None:
        """Note that a lane had so many seconds, and order the lanes anew."""
        if lane not in BOT_QUEUES:
            return
        gained = seconds * ((lane == QUICK) - (lane == DEEP))
        self._lead = max(-REMEMBERED_S, min(REMEMBERED_S, self._lead + gained))
        bots = (DEEP, QUICK) if self._lead > 0 else (QUICK, DEEP)
        by_name = {queue.name: queue for queue in self.queues}
        self._ordered_queues = [
            by_name[name] for name in (*PROMPT_QUEUES, *bots) if name in by_name
        ]
