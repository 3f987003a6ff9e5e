"""The bot turns of all partitions: handed out a few at a time, in fair shares."""

from __future__ import annotations

import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from threading import Lock

from domain.match.due import BOT_QUEUES, QUEUE_OF, Queue
from domain.match.events import Created
from domain.match.log import Damaged, understanding
from projections.events import known_events
from projections.matches import get
from service.origins import origin_of
from service.settings import Settings
from service.store import Due, Store, Turn
from workers.job_queue import JobQueue
from workers.shares import Payer, Shares
from workers.thinking import Thinking

AHEAD: Mapping[Queue, int] = {"bots": 8, "thinking": 1}
"""How many jobs wait in each queue at most, so that whoever comes is behind no more of them."""

SWEEP_S = 2.0
REMEMBERED = 50_000


@dataclass
class Known:
    """A turn that was noted: until when to leave it to the workers, since when it was theirs."""

    turn: Turn
    until: float = inf
    first: float = inf


@dataclass
class Partition:
    """What is known of a partition: its turns, by match, and how far its index was read."""

    known: dict[str, Known] = field(default_factory=dict)
    read_to: int = 0
    sweep_at: float = 0.0


class BotTurns:
    """Shared by the dispatchers of all partitions in this process.

    What waits is only in memory: the index of the event store has it, too. What workers have is
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
        self._lock = Lock()
        self._shares: Mapping[Queue, Shares] = {queue: Shares() for queue in BOT_QUEUES}
        self._partitions: defaultdict[int, Partition] = defaultdict(Partition)
        self._payers: OrderedDict[str, Payer] = OrderedDict()

    def look(self, partition: int) -> None:
        """Note the turns of a partition that are new; from time to time look at all of them."""
        now, state = self._clock(), self._partitions[partition]
        sweep = now >= state.sweep_at
        turns = self._store.turns(partition, 0 if sweep else state.read_to)
        fresh = [turn for turn in turns if _is_fresh(turn, state.known.get(turn.match), now)]
        payers = [self._payer(partition, turn.match) for turn in fresh]
        with self._lock:
            if sweep:
                self._forget(state, {turn.match for turn in turns})
                state.sweep_at, state.read_to = now + SWEEP_S, 0
            for turn, payer in zip(fresh, payers, strict=True):
                self._note(state, turn, payer)
        state.read_to = max((turn.at for turn in turns), default=state.read_to)

    def hand_out(self) -> int:
        """Let workers have as many turns as may wait for them; the number of jobs."""
        with self._lock:
            waiting = [queue for queue, shares in self._shares.items() if len(shares)]
            if not waiting:
                return 0
            lengths = self._jobs.lengths()
            held_up = self._thinking.spent(self._most_s) if self._most_s else set()
            return sum(
                self._fill(queue, AHEAD[queue] - lengths[queue], held_up) for queue in waiting
            )

    def _fill(self, queue: Queue, room: int, held_up: set[str]) -> int:
        shares = self._shares[queue]
        for handed in range(room):
            turn = shares.next(held_up)
            if turn is None:
                return handed
            if version := self._store.version(turn.match):  # it may be that of no match: damaged
                self._jobs.put(Due(turn.work, turn.match, version, turn.at))
            shares.serve(turn.match)
            self._leave(turn)
        return max(0, room)

    def _leave(self, turn: Turn) -> None:
        """Leave a turn to the workers, longer each time, as they do not seem to manage it."""
        known = self._partitions[self._store.partition_of(turn.match)].known[turn.match]
        now = self._clock()
        known.first = min(known.first, now)
        known.until = now + self._jobs.patience_s(turn.work, now - known.first)

    def _note(self, state: Partition, turn: Turn, payer: Payer) -> None:
        known = state.known.get(turn.match)
        if known is None or known.turn != turn:
            known = state.known[turn.match] = Known(turn)
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
        summary = get(self._store.redis, partition, match)
        host = summary.host if summary else self._who_opened(match)
        if host is None:
            return Payer(match, match)
        payer = Payer(origin_of(self._store.redis, host) or host, host)
        if summary and summary.status == "active":  # its host stays the same
            self._payers[match] = payer
            if len(self._payers) > REMEMBERED:
                self._payers.popitem(last=False)
        return payer

    def _who_opened(self, match: str) -> str | None:
        """The host of a match that is too new for the lists; None if its beginning is damaged."""
        with suppress(Damaged):
            for first in self._store.read(match, to=1):
                with understanding(first):
                    events = known_events(first.events)
                return next((one.host for one in events if isinstance(one, Created)), None)
        return None


def _is_fresh(turn: Turn, known: Known | None, now: float) -> bool:
    """Whether a turn was not noted yet, or workers were given it and did not manage it."""
    return known is None or known.turn != turn or known.until <= now
