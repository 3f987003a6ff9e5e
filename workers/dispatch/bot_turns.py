"""The bot turns of all partitions: handed out a few at a time, in fair shares."""

from __future__ import annotations

import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf

from domain.match.log import Damaged
from domain.match.scheduled_work import BOT_QUEUES, QUEUE_OF, Queue
from projections.core.summary import Summary, fold_entry
from projections.lists.matches import get
from service.accounts.client_networks import origin_of
from service.runtime.settings import Settings
from service.store.event_store import Due, Store, Turn
from service.store.redis_client import answering
from workers.dispatch.bot_quota import Thinking
from workers.dispatch.fair_queue import Payer, Shares
from workers.dispatch.job_queue import JobQueue

AHEAD: Mapping[Queue, int] = {"bots": 4, "thinking": 1}
"""How many jobs wait in each queue at most, so that whoever comes is behind no more of them."""

REFILL_S: Mapping[Queue, float] = {"bots": 0.005, "thinking": 0.05}
"""How long to leave a queue alone at least while turns wait for a place in it."""

REFILL_AT_MOST_S = 0.05
SWEEP_S = 2.0
REMEMBERED = 50_000


@dataclass
class Known:
    """A turn that was noted: until when to leave it to the workers, since when it was theirs; and
    the version of its match, if it was told.
    """

    turn: Turn
    until: float = inf
    first: float = inf
    version: int | None = None


@dataclass
class Partition:
    """What is known of a partition: its turns, by match, and how far its index was read."""

    known: dict[str, Known] = field(default_factory=dict)
    read_to: int = 0
    sweep_at: float = 0.0


@dataclass
class Rest:
    """How long to leave a queue alone: as long again as it has been full already, since nobody will
    take so soon what nobody has taken so far.
    """

    seconds: float
    least_s: float
    full_since: float = inf

    def tried(self, now: float, room: int, handed: int) -> None:
        """There was room for so many jobs, and there were turns for so many of them."""
        self.full_since = inf if room > 0 else min(self.full_since, now)
        all_held_up = handed < room
        full_s = REFILL_AT_MOST_S if all_held_up else now - self.full_since
        self.seconds = min(max(self.least_s, full_s), REFILL_AT_MOST_S)


class BotTurns:
    """What waits is only in memory: the index of the event store has it, too. What workers have is
    told by the lengths of their queues; there is no count that could be wrong.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        jobs: JobQueue,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._jobs = jobs
        self._thinking = Thinking(jobs.redis)
        self._most_s = settings.thinking_seconds
        self._clock = clock
        self._shares: Mapping[Queue, Shares] = {queue: Shares() for queue in BOT_QUEUES}
        self._partitions: defaultdict[int, Partition] = defaultdict(Partition)
        self._payers: OrderedDict[str, Payer] = OrderedDict()
        self._rests = {queue: Rest(least_s, least_s) for queue, least_s in REFILL_S.items()}

    @property
    def refill_s(self) -> float:
        """How soon to hand out more of what waits; endless if nothing does."""
        return min((self._rests[queue].seconds for queue in self._waiting()), default=inf)

    @property
    def noted(self) -> set[int]:
        """The partitions of which turns are known."""
        return {partition for partition, state in self._partitions.items() if state.known}

    def hear(self, work: Due) -> None:
        """Note a turn that has just fallen due."""
        partition = self._store.partition_of(work.match)
        state = self._partitions[partition]
        known = state.known.get(work.match)
        if known is None or known.turn.at < work.at:
            turn = Turn(work.work, work.match, work.at)
            self._note(state, turn, self._payer(partition, work.match), work.version)

    def look(self, partition: int) -> bool:
        """Note the turns of a partition that are new; from time to time look at all of them.

        Whether there was any that may be handed out.
        """
        noted = False
        now, state = self._clock(), self._partitions[partition]
        sweep = now >= state.sweep_at
        turns = self._store.turns(partition, 0 if sweep else state.read_to)
        if sweep:
            self._forget(state, {turn.match for turn in turns})
            state.sweep_at, state.read_to = now + SWEEP_S, 0
        for turn in turns:
            known = state.known.get(turn.match)
            if known is not None and known.turn == turn and known.until > now:
                continue
            if turn.in_hand and (known is None or known.turn != turn):
                self._leave_in_hand(state, turn, now)
            else:
                self._note(state, turn, self._payer(partition, turn.match))
                noted = True
        state.read_to = max((turn.at for turn in turns), default=state.read_to)
        return noted

    def hand_out(self) -> int:
        """Let workers have as many turns as may wait for them; the number of jobs."""
        waiting = self._waiting()
        if not waiting:
            return 0
        lengths = self._jobs.lengths()
        held_up = self._thinking.spent(self._most_s) if self._most_s else set()
        return sum(self._refill(queue, AHEAD[queue] - lengths[queue], held_up) for queue in waiting)

    def _waiting(self) -> list[Queue]:
        return [queue for queue, shares in self._shares.items() if len(shares)]

    def _refill(self, queue: Queue, room: int, held_up: set[str]) -> int:
        handed = self._fill(queue, room, held_up)
        self._rests[queue].tried(self._clock(), room, handed)
        return handed

    def _fill(self, queue: Queue, room: int, held_up: set[str]) -> int:
        shares = self._shares[queue]
        for handed in range(room):
            turn = shares.next(held_up)
            if turn is None:
                return handed
            known = self._partitions[self._store.partition_of(turn.match)].known[turn.match]
            version = known.version or self._store.version(turn.match)
            if version:  # it may be that of no match: damaged
                self._jobs.put(Due(turn.work, turn.match, version, turn.at))
            shares.serve(turn.match)
            self._leave(known)
        return max(0, room)

    def _leave(self, known: Known) -> None:
        """Leave a turn to the workers, longer each time, as they do not seem to manage it."""
        now = self._clock()
        known.first = min(known.first, now)
        known.until = now + self._jobs.patience_s(known.turn.work, now - known.first)

    def _leave_in_hand(self, state: Partition, turn: Turn, now: float) -> None:
        """Leave a turn to the worker who goes on with it, as if it had been handed out just now."""
        self._discard(turn.match)
        known = state.known[turn.match] = Known(turn)
        self._leave(known)

    def _note(self, state: Partition, turn: Turn, payer: Payer, version: int | None = None) -> None:
        known = state.known.get(turn.match)
        if known is None or known.turn != turn:
            known = state.known[turn.match] = Known(turn, version=version)
        known.until = inf
        self._discard(turn.match)
        self._shares[QUEUE_OF[turn.work]].add(payer, turn)

    def _forget(self, state: Partition, due: set[str]) -> None:
        """Forget the turns of matches of which none is due any longer."""
        for match in state.known.keys() - due:
            del state.known[match]
            self._discard(match)

    def _discard(self, match: str) -> None:
        for shares in self._shares.values():
            shares.discard(match)

    def _payer(self, partition: int, match: str) -> Payer:
        """Whose share the turns of a match come from: its own only if nobody can read who is its
        host, for then no bot of it can think.
        """
        return self._payers.get(match) or self._read_payer(partition, match)

    def _read_payer(self, partition: int, match: str) -> Payer:
        with answering():
            summary = self._summary(partition, match)
            if summary is None:
                return Payer(match, match)
            payer = Payer(origin_of(self._store.redis, summary.host) or summary.host, summary.host)
        if summary.status == "active":  # its host stays the same
            self._payers[match] = payer
            if len(self._payers) > REMEMBERED:
                self._payers.popitem(last=False)
        return payer

    def _summary(self, partition: int, match: str) -> Summary | None:
        """A match as the lists know it, or as its entries say where the lists are behind."""
        summary = get(self._store.redis, partition, match)
        if summary is not None and summary.status == "active":
            return summary
        try:
            for entry in self._store.read(match, summary.version if summary else 0):
                summary = fold_entry(summary, match, entry)
        except Damaged:
            return summary
        return summary
