"""The queues of a worker: urgent work first; neither kind of bot waits for ever, nor do plans."""

from __future__ import annotations

from time import monotonic

from rq import Queue
from rq.job import Job

from domain.match.scheduled_work import BOT_QUEUES, QUEUE_OF, URGENT_QUEUES
from workers.jobs.hard_limit import HardLimit
from workers.jobs.lean_worker import LeanWorker

QUICK, DEEP = BOT_QUEUES
PLANS = QUEUE_OF["plan"]
MAX_LEAD_S = 2.0


class PriorityWorker(LeanWorker):
    """Takes quick bots before those that search, unless quick ones have had more time. Plans come
    after all bots, except for one after each turn of a bot.
    """

    death_penalty_class = HardLimit
    _quick_lead_s = 0.0  # seconds that quick bots had more, limited to MAX_LEAD_S

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run a job, then decide which kind of bot comes next."""
        began = monotonic()
        super().execute_job(job, queue)
        self.record_time(queue.name, monotonic() - began)

    def record_time(self, queue_name: str, seconds: float) -> None:
        """Add the time that a queue has used, and reorder the queues."""
        if queue_name not in (*BOT_QUEUES, PLANS):
            return
        change = seconds * ((queue_name == QUICK) - (queue_name == DEEP))
        self._quick_lead_s = max(-MAX_LEAD_S, min(MAX_LEAD_S, self._quick_lead_s + change))
        bots = (DEEP, QUICK) if self._quick_lead_s > 0 else (QUICK, DEEP)
        others = (*bots, PLANS) if queue_name == PLANS else (PLANS, *bots)
        by_name = {queue.name: queue for queue in self.queues}
        self._ordered_queues = [
            by_name[name] for name in (*URGENT_QUEUES, *others) if name in by_name
        ]
