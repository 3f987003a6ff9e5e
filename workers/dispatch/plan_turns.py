"""Hands out the work for plans of all partitions, a little at a time, in fair shares."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from math import inf

from domain.match.scheduled_work import QUEUE_OF
from service.runtime.shares.fair_queue import FairQueue, Payer
from service.store.event_store import DueWork
from workers.dispatch.job_queue import JobQueue
from workers.dispatch.payers import Payers

MAX_QUEUED = 4
"""Maximum number of jobs in the queue, so that a plan of another network waits behind no more."""
PERIOD_S = 0.05
MAX_PER_NETWORK = 2
"""Maximum number of jobs of a network in each period. A job takes 5 ms of the processors, those of
the dispatcher and of the entry included, so a network gets a fifth of a processor.
"""


class PlanTurns:
    """The waiting work, one for each match: it is in the index of the event store as well."""

    def __init__(
        self, jobs: JobQueue, payers: Payers, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._jobs, self._payers, self._clock = jobs, payers, clock
        self._waiting: FairQueue[DueWork] = FairQueue()
        self._handed: Counter[str] = Counter()
        """The jobs of each network in this period."""
        self._ends_at = -inf

    @property
    def refill_s(self) -> float:
        """Seconds until more work may be handed out; infinite if none waits."""
        return PERIOD_S if len(self._waiting) else inf

    def add(self, work: DueWork) -> None:
        """Add work, in place of what is known for its match."""
        self._waiting.add(self._payers.of_match(work.match), work.match, work)

    def hand_out(self) -> int:
        """Put as many jobs into the queue as may wait there; return their number."""
        if not len(self._waiting):
            return 0
        now = self._clock()
        if now >= self._ends_at:
            self._handed.clear()
            self._ends_at = now + PERIOD_S
        free = MAX_QUEUED - self._jobs.lengths()[QUEUE_OF["plan"]]
        for handed in range(free):
            found = self._waiting.next_item(self._has_share)
            if found is None:
                return handed
            match, work = found
            self._handed[self._payers.of_match(match).network] += 1
            self._jobs.put(work)
            self._waiting.serve(match)
        return max(0, free)

    def _has_share(self, payer: Payer, _: DueWork) -> bool:
        return self._handed[payer.network] < MAX_PER_NETWORK
