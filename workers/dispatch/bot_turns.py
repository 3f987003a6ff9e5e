"""Hands out the bot turns of all partitions, a few at a time, in fair shares."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf

from domain.match.scheduled_work import BOT_QUEUES, QUEUE_OF, Queue
from service.runtime.settings import Settings
from service.runtime.shares.fair_queue import FairQueue, Payer
from service.store.event_store import BotTurn, DueWork, EventStore
from workers.dispatch.bot_quota import BotQuota
from workers.dispatch.job_queue import JobQueue
from workers.dispatch.payers import Payers

MAX_QUEUED: Mapping[Queue, int] = {"bots": 4, "thinking": 1}
"""Maximum number of jobs in each queue, so that an urgent job never waits behind more."""

MIN_REFILL_S: Mapping[Queue, float] = {"bots": 0.005, "thinking": 0.05}
"""Minimum time between two refills of a queue while turns wait."""

MAX_REFILL_S = 0.05
SWEEP_INTERVAL_S = 2.0


@dataclass
class KnownTurn:
    """A turn that the dispatcher knows: until when it belongs to the workers, since when, and the
    version of its match if a notification gave it.
    """

    turn: BotTurn
    until: float = inf
    first: float = inf
    version: int | None = None


@dataclass
class PartitionState:
    """The state of a partition: its turns by match, and how far its index has been read."""

    turns: dict[str, KnownTurn] = field(default_factory=dict)
    read_to: int = 0
    sweep_at: float = 0.0


@dataclass
class RefillPause:
    """The time until the next refill of a queue: as long as the queue has been full already,
    because workers that have taken nothing so far will not take anything soon.
    """

    seconds: float
    min_s: float
    full_since: float = inf

    def adapt(self, now: float, free: int, handed: int) -> None:
        """Adapt the time after a refill: `free` is the number of free places, `handed` the number
        of turns.
        """
        self.full_since = inf if free > 0 else min(self.full_since, now)
        all_held_up = handed < free
        full_s = MAX_REFILL_S if all_held_up else now - self.full_since
        self.seconds = min(max(self.min_s, full_s), MAX_REFILL_S)


class BotTurns:
    """Waiting turns are in memory only, since the index of the event store has them too. The
    lengths of the queues show what workers have, so no counter can be wrong.
    """

    def __init__(
        self,
        settings: Settings,
        store: EventStore,
        jobs: JobQueue,
        payers: Payers,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._jobs = jobs
        self._quota = BotQuota(jobs.redis)
        self._quota_s = settings.bot_quota_seconds
        self._clock = clock
        self._queues: Mapping[Queue, FairQueue[BotTurn]] = {
            queue: FairQueue() for queue in BOT_QUEUES
        }
        self._partitions: defaultdict[int, PartitionState] = defaultdict(PartitionState)
        self._payers = payers
        self._pauses = {
            queue: RefillPause(least_s, least_s) for queue, least_s in MIN_REFILL_S.items()
        }

    @property
    def refill_s(self) -> float:
        """Seconds until the next refill; infinite if no turn waits."""
        return min((self._pauses[queue].seconds for queue in self._waiting()), default=inf)

    @property
    def partitions(self) -> set[int]:
        """The partitions with known turns."""
        return {partition for partition, state in self._partitions.items() if state.turns}

    def add(self, work: DueWork) -> None:
        """Add a turn from a notification."""
        partition = self._store.partition_of(work.match)
        state = self._partitions[partition]
        known = state.turns.get(work.match)
        if known is None or known.turn.at < work.at:
            turn = BotTurn(work.work, work.match, work.at)
            self._add_turn(state, turn, self._payers.of_match(work.match), work.version)

    def scan(self, partition: int) -> bool:
        """Read new turns of a partition from the index, and all of them at each sweep.

        Returns whether any of them can be handed out.
        """
        has_new = False
        now, state = self._clock(), self._partitions[partition]
        sweep = now >= state.sweep_at
        turns = self._store.bot_turns(partition, 0 if sweep else state.read_to)
        if sweep:
            self._drop_done(state, {turn.match for turn in turns})
            state.sweep_at, state.read_to = now + SWEEP_INTERVAL_S, 0
        for turn in turns:
            known = state.turns.get(turn.match)
            if known is not None and known.turn == turn and known.until > now:
                continue
            if turn.is_claimed and (known is None or known.turn != turn):
                self._leave_claimed(state, turn, now)
            else:
                self._add_turn(state, turn, self._payers.of_match(turn.match))
                has_new = True
        state.read_to = max((turn.at for turn in turns), default=state.read_to)
        return has_new

    def hand_out(self) -> int:
        """Put as many turns into the queues as may wait there; returns the number of jobs."""
        waiting = self._waiting()
        if not waiting:
            return 0
        lengths = self._jobs.lengths()
        over_quota = self._quota.hosts_over(self._quota_s) if self._quota_s else set()
        return sum(
            self._refill(queue, MAX_QUEUED[queue] - lengths[queue], over_quota) for queue in waiting
        )

    def _waiting(self) -> list[Queue]:
        return [queue for queue, shares in self._queues.items() if len(shares)]

    def _refill(self, queue: Queue, free: int, over_quota: set[str]) -> int:
        handed = self._fill(queue, free, over_quota)
        self._pauses[queue].adapt(self._clock(), free, handed)
        return handed

    def _fill(self, queue: Queue, free: int, over_quota: set[str]) -> int:
        shares = self._queues[queue]
        for handed in range(free):
            found = shares.next_item(lambda payer, _: payer.owner not in over_quota)
            if found is None:
                return handed
            _, turn = found
            known = self._partitions[self._store.partition_of(turn.match)].turns[turn.match]
            version = known.version or self._store.version(turn.match)
            if version:  # the match may be corrupt
                self._jobs.put(DueWork(turn.work, turn.match, version, turn.at))
            shares.serve(turn.match)
            self._leave_to_workers(known)
        return max(0, free)

    def _leave_to_workers(self, known: KnownTurn) -> None:
        """Leave a turn to the workers: longer each time, because they do not seem to manage it."""
        now = self._clock()
        known.first = min(known.first, now)
        known.until = now + self._jobs.redispatch_after_s(known.turn.work, now - known.first)

    def _leave_claimed(self, state: PartitionState, turn: BotTurn, now: float) -> None:
        """Leave a turn to the worker that has claimed it, as if it had been handed out now."""
        self._discard(turn.match)
        known = state.turns[turn.match] = KnownTurn(turn)
        self._leave_to_workers(known)

    def _add_turn(
        self, state: PartitionState, turn: BotTurn, payer: Payer, version: int | None = None
    ) -> None:
        known = state.turns.get(turn.match)
        if known is None or known.turn != turn:
            known = state.turns[turn.match] = KnownTurn(turn, version=version)
        known.until = inf
        self._discard(turn.match)
        self._queues[QUEUE_OF[turn.work]].add(payer, turn.match, turn)

    def _drop_done(self, state: PartitionState, due: set[str]) -> None:
        """Drop the turns of matches that are no longer due."""
        for match in state.turns.keys() - due:
            del state.turns[match]
            self._discard(match)

    def _discard(self, match: str) -> None:
        for shares in self._queues.values():
            shares.discard(match)
