"""Hands the work that is due to the workers, and again if it is not done in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from redis import Redis

from service.settings import Settings
from service.store import Due, Store
from workers.bot_turns import BotTurns
from workers.job_queue import JobQueue

AT_ONCE = 1_000


class Dispatcher:
    """Hands out the work of one partition."""

    def __init__(
        self,
        store: Store,
        jobs: JobQueue,
        turns: BotTurns,
        partition: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._jobs = jobs
        self._turns = turns
        self._partition = partition
        self._clock = clock
        self._handed: dict[Due, tuple[float, float]] = {}  # until when to leave it; since when

    def dispatch(self, now_ms: int) -> int:
        """Enqueue what is due and was not enqueued lately; the number of jobs.

        Of bot turns there may be any number: what else is due never waits behind them.
        """
        handed = self._hand_out(now_ms)
        self._turns.look(self._partition)
        return handed + self._turns.hand_out()

    def _hand_out(self, now_ms: int) -> int:
        due = self._store.due(self._partition, now_ms, AT_ONCE)
        now = self._clock()
        self._handed = {work: self._handed[work] for work in due if work in self._handed}
        fresh = [work for work in due if self._handed.get(work, (now, 0))[0] <= now]
        for work in fresh:
            self._jobs.put(work)
            _, first = self._handed.get(work, (now, now))
            self._handed[work] = (now + self._jobs.patience_s(work.work, now - first), first)
        return len(fresh)


def dispatchers(
    settings: Settings,
    store: Store,
    queue_redis: Redis,
    clock: Callable[[], float] = time.monotonic,
) -> Sequence[Dispatcher]:
    """One for each partition; all hand out bot turns together."""
    jobs = JobQueue(settings, queue_redis)
    turns = BotTurns(settings, store, jobs, clock)
    return [
        Dispatcher(store, jobs, turns, partition, clock) for partition in range(store.partitions)
    ]
