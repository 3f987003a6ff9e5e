"""Hands the work that is due to the workers, and again if it is not done in time."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Event

from redis import Redis
from redis.exceptions import ConnectionError as Unconnected
from redis.exceptions import TimeoutError as TimedOut

from domain.match.scheduled_work import BOT_QUEUES, QUEUE_OF
from service.live.work_notifier import Bell, waiting
from service.matches.container import wall_clock
from service.runtime.settings import Settings
from service.store.event_store import Due, Store
from workers.dispatch.bot_turns import BotTurns
from workers.dispatch.job_queue import JobQueue
from workers.dispatch.log_once import Trouble

AT_ONCE = 1_000
LOOK_S = 0.4
"""How often the index is looked at: for what falls due later, and what nobody heard of."""

Handed = dict[Due, tuple[float, float]]
"""The work that was handed out: until when to leave it to the workers, since when it was theirs."""


class Dispatcher:
    """Hands out work of some partitions, or of all: at once what it hears of, and whatever it finds
    in the index.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        queue_redis: Redis,
        clock: Callable[[], float] = time.monotonic,
        partitions: Sequence[int] | None = None,
    ) -> None:
        self._store = store
        self._partitions = range(store.partitions) if partitions is None else partitions
        self._jobs = JobQueue(settings, queue_redis)
        self._turns = BotTurns(settings, store, self._jobs, clock)
        self._clock = clock
        self._handed: defaultdict[int, Handed] = defaultdict(dict)  # by partition

    def hear(self, heard: Iterable[Due]) -> int:
        """Hand out work that is due at once in these partitions; the number of jobs."""
        jobs = 0
        for work in heard:
            partition = self._store.partition_of(work.match)
            if partition not in self._partitions:
                continue
            if QUEUE_OF[work.work] in BOT_QUEUES:
                self._turns.hear(work)
            else:
                jobs += self._hand_out(self._handed[partition], [work])
        return jobs + self._turns.hand_out()

    def look(self, now_ms: int) -> int:
        """Hand out what is due in any of these partitions and was not handed out lately; the number
        of jobs.

        One that cannot be looked at holds up no other; but the job queues are the same for all.
        """
        jobs, faults = 0, list[Exception]()
        for partition in waiting(self._store, self._partitions, now_ms) | self._noted():
            try:
                jobs += self._look_at(partition, now_ms)
            except (Unconnected, TimedOut):
                raise
            except Exception as error:  # whatever is wrong with it is raised in the end
                faults.append(error)
        jobs += self._turns.hand_out()
        for fault in faults:
            raise fault
        return jobs

    def _noted(self) -> set[int]:
        """The partitions of which anything is known that may be over by now."""
        return {
            partition for partition, handed in self._handed.items() if handed
        } | self._turns.noted

    @property
    def rest_s(self) -> float:
        """How long to wait for what may be heard, at most."""
        return min(LOOK_S, self._turns.refill_s)

    def _look_at(self, partition: int, now_ms: int) -> int:
        """Of bot turns there may be any number: what else is due never waits behind them."""
        due, handed = self._store.due(partition, now_ms, AT_ONCE), self._handed[partition]
        still = self._handed[partition] = {work: handed[work] for work in due if work in handed}
        jobs = self._hand_out(still, due)
        noted = self._turns.look(partition)
        return jobs + (self._turns.hand_out() if noted else 0)

    def _hand_out(self, handed: Handed, due: Iterable[Due]) -> int:
        now = self._clock()
        fresh = [work for work in due if handed.get(work, (now, 0))[0] <= now]
        for work in fresh:
            self._jobs.put(work)
            _, first = handed.get(work, (now, now))
            handed[work] = (now + self._jobs.patience_s(work.work, now - first), first)
        return len(fresh)


def keep_handing_out(dispatcher: Dispatcher, bell: Bell, stop: Event) -> None:
    """Hand out work until told to stop."""
    trouble, look_at = Trouble(), 0.0
    while not stop.is_set():
        heard = trouble.tried("listen", lambda: bell.heard(dispatcher.rest_s))
        if heard is None:
            stop.wait(LOOK_S)
        trouble.tried("dispatch", partial(dispatcher.hear, heard or ()))
        if time.monotonic() >= look_at:
            trouble.tried("dispatch", lambda: dispatcher.look(wall_clock()))
            look_at = time.monotonic() + LOOK_S
