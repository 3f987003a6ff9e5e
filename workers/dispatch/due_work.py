"""Hands out due work to the workers, and hands it out again if it is not done in time."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Event

from redis import Redis
from redis.exceptions import ConnectionError as Unconnected
from redis.exceptions import TimeoutError as TimedOut

from domain.match.outages import Outage
from domain.match.scheduled_work import BOT_QUEUES, QUEUE_OF
from service.live.work_notifier import WorkNotifier, partitions_with_work
from service.matches.container import wall_clock
from service.runtime.settings import Settings
from service.runtime.shares.cache_shares import PAYERS
from service.store.event_store import DueWork, EventStore
from workers.dispatch.bot_turns import BotTurns
from workers.dispatch.job_queue import JobQueue
from workers.dispatch.log_once import FailureLog
from workers.dispatch.payers import Payers
from workers.dispatch.plan_turns import PlanTurns

MAX_DUE = 1_000
SCAN_INTERVAL_S = 0.4
"""How often the index is scanned: for work that falls due later, and for missed notifications."""

LOOK_BACK_MS = 60_000
"""How long ago an outage may have ended that the dispatcher learns of, as when it starts."""
NOTICEABLE = 100
"""An outage moves a deadline noticeably that is less than a hundred times its length away."""

HandedOut = dict[DueWork, tuple[float, float]]
"""Work that was handed out: until when it belongs to the workers, and since when."""


class Dispatcher:
    """Hands out the work of some partitions, or of all: at once on a notification, otherwise from
    the index.
    """

    def __init__(
        self,
        settings: Settings,
        store: EventStore,
        queue_redis: Redis,
        clock: Callable[[], float] = time.monotonic,
        partitions: Sequence[int] | None = None,
    ) -> None:
        self._store = store
        self._partitions = range(store.partitions) if partitions is None else partitions
        self._jobs = JobQueue(settings, queue_redis)
        payers = Payers(store, PAYERS.max_entries(settings.cache_mb))
        self._turns = BotTurns(settings, store, self._jobs, payers, clock)
        self._plans = PlanTurns(self._jobs, payers, clock)
        self._clock = clock
        self._known_outages: Sequence[Outage] = ()
        self._handed_out: defaultdict[int, HandedOut] = defaultdict(dict)  # by partition

    def hand_out_notified(self, notified: Iterable[DueWork]) -> int:
        """Hand out work from notifications, if it is in these partitions; returns the number of
        jobs.
        """
        jobs = 0
        for work in notified:
            partition = self._store.partition_of(work.match)
            if partition not in self._partitions:
                continue
            if QUEUE_OF[work.work] in BOT_QUEUES:
                self._turns.add(work)
            else:
                jobs += self._hand_out(self._handed_out[partition], [work])
        return jobs + self._turns.hand_out() + self._plans.hand_out()

    def scan(self, now_ms: int) -> int:
        """Hand out the due work of these partitions that was not handed out recently; returns the
        number of jobs.

        If a partition fails, the others still get their turn, and the error is raised at the end.
        If the connection fails, it is raised at once, because the job queues are shared.
        """
        jobs, faults = 0, list[Exception]()
        now_ms = self._due_until(now_ms)
        for partition in (
            partitions_with_work(self._store, self._partitions, now_ms)
            | self._find_known_partitions()
        ):
            try:
                jobs += self._scan_partition(partition, now_ms)
            except (Unconnected, TimedOut):
                raise
            except Exception as error:  # raised at the end
                faults.append(error)
        jobs += self._turns.hand_out() + self._plans.hand_out()
        for fault in faults:
            raise fault
        return jobs

    def _due_until(self, now_ms: int) -> int:
        """Return until when deadlines are handed out now.

        While the service is away they wait. After an outage, those that it has moved noticeably are
        handed out, due or not: their jobs record the new deadlines.
        """
        record = self._store.uptime.record(now_ms)
        if self._store.uptime.is_silent(now_ms):
            return record.at
        recent = (one for one in record.outages if one.end > now_ms - LOOK_BACK_MS)
        lengths = [one.end - one.start for one in recent if one not in self._known_outages]
        self._known_outages = record.outages
        return now_ms + NOTICEABLE * max(lengths, default=0)

    def _find_known_partitions(self) -> set[int]:
        """Return the partitions with known work, which may be done by now."""
        return {
            partition for partition, handed in self._handed_out.items() if handed
        } | self._turns.partitions

    @property
    def max_wait_s(self) -> float:
        """Maximum time to wait for notifications."""
        return min(SCAN_INTERVAL_S, self._turns.refill_s, self._plans.refill_s)

    def _scan_partition(self, partition: int, now_ms: int) -> int:
        """Hand out the due work of a partition; other work never waits behind its bot turns."""
        due, handed = self._store.due_work(partition, now_ms, MAX_DUE), self._handed_out[partition]
        still = self._handed_out[partition] = {work: handed[work] for work in due if work in handed}
        jobs = self._hand_out(still, due)
        has_turns = self._turns.scan(partition)
        return jobs + (self._turns.hand_out() if has_turns else 0)

    def _hand_out(self, handed_out: HandedOut, due: Iterable[DueWork]) -> int:
        """Hand out work that is not handed out already, plans in their share; return the number of
        jobs so far.
        """
        now, jobs = self._clock(), 0
        fresh = [work for work in due if handed_out.get(work, (now, 0))[0] <= now]
        for work in fresh:
            if work.work == "plan":
                self._plans.add(work)
            else:
                self._jobs.put(work)
                jobs += 1
            _, first = handed_out.get(work, (now, now))
            handed_out[work] = (now + self._jobs.redispatch_after_s(work.work, now - first), first)
        return jobs


def run_dispatcher(dispatcher: Dispatcher, notifier: WorkNotifier, stop: Event) -> None:
    """Hand out work until `stop` is set."""
    failures, scan_at = FailureLog(), 0.0
    while not stop.is_set():
        notified = failures.run("listen", lambda: notifier.receive(dispatcher.max_wait_s))
        if notified is None:
            stop.wait(SCAN_INTERVAL_S)
        failures.run("dispatch", partial(dispatcher.hand_out_notified, notified or ()))
        if time.monotonic() >= scan_at:
            failures.run("dispatch", lambda: dispatcher.scan(wall_clock()))
            scan_at = time.monotonic() + SCAN_INTERVAL_S
