"""Serves addresses in turn: the one that has kept the loop busy for the shortest time comes next.

A web process runs all requests on one event loop, each in steps between two waits. Steps that are
ready at the same moment queue here by address (start-time fair queueing), so a caller waits for the
step in progress and for their own earlier ones, however many an other address has sent.

After a long step, its address rests while the loop looks for new requests a few times; so it does
after short steps that took as long, while others have work. A response of Redis passes through
several callbacks, each in another pass of the loop, until its step is ready, and without a rest
each pass would hold a long step of another address. Nobody rests for the steps of others: those of
a player may be long as well.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar

from service.runtime.event_loop import StepResult

T = TypeVar("T")
TURN_S, ALONE_S, PASS_S = 0.001, 0.005, 0.02
"""How long short steps of an address run before the loop looks for new requests, if others use the
loop and if it is alone, and those of all together: each look costs as much as several steps, and
the commands to Redis of one pass leave in one write.
"""
LONG_PASS_S = 0.005
"""How long the long steps of a pass take together: a request passes the loop several times before
it ends, and many addresses may have one long step each in every pass.
"""
REST_PASSES, MAX_REST_S = 6, 0.003
"""How many passes of the loop a rest takes, and how long at most."""
MAX_AHEAD_S = 0.005
"""How much more than an address that rests another one may have used and still run: a player whose
steps are long as well does not wait for the rests of a crowd.
"""
SHARED_S = 0.25
"""How long the loop counts as shared after the address in service has changed."""
MAX_ADDRESSES = 10_000
"""Number of addresses whose use is known, unless the settings say otherwise; the one that sent no
request for the longest time is dropped first. What it has in progress keeps its share.
"""


class AddressShare:
    """The share that the requests of an address have of the loop, and their steps that wait."""

    __slots__ = ("_queue", "address", "used", "waiting")

    def __init__(self, queue: StepQueue, address: str, used: float) -> None:
        """`used` is for how many seconds the address counts as having kept the loop busy."""
        self._queue, self.address, self.used = queue, address, used
        self.waiting: deque[tuple[Callable[[], Any], StepResult[Any]]] | None = None
        """The steps that are ready, each with its future result; None if there are none."""

    def run_step(self, step: Callable[[], T]) -> StepResult[T]:
        """Run a step when it is the turn of this address; return its future result."""
        return self._queue.run(self, step)

    def charge(self, seconds: float) -> None:
        """Add processor time that a request used elsewhere."""
        self._queue.charge(self, seconds)


class StepQueue:
    """The steps that are ready to run on an event loop."""

    def __init__(
        self,
        on_charge: Callable[[str, float], object] = lambda address, seconds: None,
        on_blocked: Callable[[float], object] = lambda seconds: None,
        clock: Callable[[], float] = time.perf_counter,
        max_addresses: int = MAX_ADDRESSES,
    ) -> None:
        """`on_charge` receives the address and the seconds of each step, and of what a request did
        in a thread; `on_blocked` those of each step from TURN_S on, which blocked the loop.
        """
        self._on_charge, self._on_blocked = on_charge, on_blocked
        self._clock = clock
        self._max_addresses = max_addresses
        self._shares: OrderedDict[str, AddressShare] = OrderedDict()
        self._ready: list[tuple[float, int, AddressShare]] = []
        """A heap with each address that has waiting steps and does not rest, by what it used."""
        self._resting: dict[AddressShare, tuple[int, float]] = {}
        """At which pass of the loop the rest of an address ends, and when at the latest."""
        self._passes = 0
        self._last: AddressShare | None = None
        self._shared_until = 0.0
        """The address served last, and until when the loop counts as shared by several."""
        self._serial = count()
        self._now = 0.0
        """The least that addresses in service or at rest have used: nobody counts as less."""
        self._scheduled = False

    def share_of(self, address: str) -> AddressShare:
        """Return the share of an address."""
        if (share := self._shares.get(address)) is not None:
            self._shares.move_to_end(address)
            return share
        share = self._shares[address] = AddressShare(self, address, self._now)
        if len(self._shares) > self._max_addresses:
            self._shares.popitem(last=False)
        return share

    def run(self, share: AddressShare, step: Callable[[], T]) -> StepResult[T]:
        """Run a step when it is the turn of its address; return its future result."""
        result: StepResult[T] = StepResult(loop=asyncio.get_running_loop())
        if not self._scheduled:
            self._schedule()
            self._finish(share, step, result, self._clock())
            return result
        if share.waiting is None:
            share.waiting = deque()
            self._enqueue(share)
        share.waiting.append((step, result))
        return result

    def charge(self, share: AddressShare, seconds: float) -> None:
        """Add to what an address has used."""
        share.used = self._used_by(share) + seconds
        self._on_charge(share.address, seconds)

    def _used_by(self, share: AddressShare) -> float:
        return max(self._now, share.used)

    def _least_at_rest(self) -> float:
        return min(map(self._used_by, self._resting))

    def _schedule(self) -> None:
        self._scheduled = True
        asyncio.get_running_loop().call_soon(self._run_waiting)

    def _enqueue(self, share: AddressShare) -> None:
        """Give an address with waiting steps its turn, unless it rests."""
        if share not in self._resting:
            heappush(self._ready, (self._used_by(share), next(self._serial), share))

    def _take(self) -> AddressShare | None:
        """Remove and return the address whose turn it is, if any: nobody gets far ahead of one that
        rests.
        """
        if not self._ready:
            return None
        if self._resting and self._ready[0][0] > self._least_at_rest() + MAX_AHEAD_S:
            return None
        return heappop(self._ready)[2]

    def _start_rest(self, share: AddressShare, now: float) -> None:
        self._resting[share] = self._passes + REST_PASSES, now + MAX_REST_S

    def _end_rests(self, now: float) -> None:
        """End the rests that have lasted long enough."""
        for share, (passes, until) in [*self._resting.items()]:
            if self._passes >= passes or now >= until:
                del self._resting[share]
                if share.waiting:
                    self._enqueue(share)

    def _run_waiting(self) -> None:
        """Run the steps whose turn it is: one, or several short ones."""
        self._scheduled, now = False, self._clock()
        self._passes += 1
        if self._resting:
            self._end_rests(now)
        until, long_s = now + PASS_S, 0.0
        ran: dict[AddressShare, float] = {}
        while now < until and long_s < LONG_PASS_S and (share := self._take()):
            assert share.waiting
            began = now
            now = self._finish(share, *share.waiting.popleft(), began)
            if now - began >= TURN_S:
                long_s += now - began
            ran[share] = ran_s = ran.get(share, 0.0) + now - began
            is_shared = now < self._shared_until
            is_turn_over = ran_s >= (TURN_S if is_shared else ALONE_S)
            if is_turn_over and is_shared:
                self._start_rest(share, now)
            if not share.waiting:  # the next one is another's, and does not prolong this turn
                share.waiting = None
                continue
            self._enqueue(share)
            if is_turn_over:
                break
        if self._ready or self._resting:
            self._schedule()

    def _finish(
        self, share: AddressShare, step: Callable[[], T], result: StepResult[T], began: float
    ) -> float:
        """Run a step and set its result; after a long one the address rests. Return when it
        ended.
        """
        used = self._used_by(share)
        self._now = min(used, self._least_at_rest()) if self._resting else used
        if share is not self._last:
            self._last, self._shared_until = share, began + SHARED_S
        try:
            result.set_result(step())
        except BaseException as error:
            result.set_exception(error)
        ended = self._clock()
        seconds = ended - began
        share.used = used + seconds
        self._on_charge(share.address, seconds)
        if seconds >= TURN_S:
            self._on_blocked(seconds)
            self._start_rest(share, ended)
        return ended
