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
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any, NamedTuple, TypeVar

from service.runtime.event_loop import StepResult

T = TypeVar("T")
TURN_S, ALONE_S, PASS_S = 0.001, 0.005, 0.02
"""How long short steps of an address run before the loop looks for new requests, if others use the
loop and if it is alone, and those of all together: each look costs as much as several steps, and
the commands to Redis of one pass leave in one write.
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
"""Number of addresses whose use is known, unless the settings say otherwise; the one that ran
longest ago is dropped first.
"""


class _Waiting(NamedTuple):
    """A step that waits, and the future of its result."""

    step: Callable[[], Any]
    result: StepResult[Any]


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
        in a thread; `on_blocked` only those for which a step blocked the loop.
        """
        self._on_charge, self._on_blocked = on_charge, on_blocked
        self._clock = clock
        self._max_addresses = max_addresses
        self._waiting: dict[str, deque[_Waiting]] = {}
        self._ready: list[tuple[float, int, str]] = []
        """A heap with each address that has waiting steps and does not rest, by what it used."""
        self._resting: dict[str, tuple[int, float]] = {}
        """At which pass of the loop the rest of an address ends, and when at the latest."""
        self._passes = 0
        self._last, self._shared_until = "", 0.0
        """The address served last, and until when the loop counts as shared by several."""
        self._serial = count()
        self._used: OrderedDict[str, float] = OrderedDict()
        self._now = 0.0
        """The least that addresses in service or at rest have used: new ones begin with it."""
        self._scheduled = False

    def share_of(self, address: str) -> AddressShare:
        """Return the share of an address."""
        return AddressShare(self, address)

    def run(self, address: str, step: Callable[[], T]) -> StepResult[T]:
        """Run a step when it is the turn of its address; return its future result."""
        waiting = _Waiting(step, StepResult(loop=asyncio.get_running_loop()))
        if not self._scheduled:
            self._schedule()
            self._finish(address, waiting)
            return waiting.result
        if address not in self._waiting:
            self._waiting[address] = deque()
            self._enqueue(address)
        self._waiting[address].append(waiting)
        return waiting.result

    def charge(self, address: str, seconds: float) -> None:
        """Add to what an address has used."""
        self._used[address] = self._used_by(address) + seconds
        self._used.move_to_end(address)
        if len(self._used) > self._max_addresses:
            self._used.popitem(last=False)
        self._on_charge(address, seconds)

    def _used_by(self, address: str) -> float:
        return max(self._used.get(address, 0.0), self._now)

    def _schedule(self) -> None:
        self._scheduled = True
        asyncio.get_running_loop().call_soon(self._run_waiting)

    def _enqueue(self, address: str) -> None:
        """Give an address with waiting steps its turn, unless it rests."""
        if address not in self._resting:
            heappush(self._ready, (self._used_by(address), next(self._serial), address))

    def _take(self) -> str | None:
        """Remove and return the address whose turn it is, if any: nobody gets far ahead of one that
        rests.
        """
        least = min(map(self._used_by, self._resting), default=inf)
        if self._ready and self._ready[0][0] <= least + MAX_AHEAD_S:
            return heappop(self._ready)[2]
        return None

    def _start_rest(self, address: str) -> None:
        self._resting[address] = self._passes + REST_PASSES, self._clock() + MAX_REST_S

    def _end_rests(self, now: float) -> None:
        """End the rests that have lasted long enough."""
        for address, (passes, until) in [*self._resting.items()]:
            if self._passes >= passes or now >= until:
                del self._resting[address]
                if address in self._waiting:
                    self._enqueue(address)

    def _run_waiting(self) -> None:
        """Run the steps whose turn it is: one, or several short ones."""
        self._scheduled, now = False, self._clock()
        self._passes += 1
        self._end_rests(now)
        until, ran = now + PASS_S, defaultdict[str, float](float)
        while now < until and (address := self._take()):
            some, began = self._waiting[address], now
            self._finish(address, some.popleft())
            now = self._clock()
            ran[address] += now - began
            is_shared = now < self._shared_until
            is_turn_over = ran[address] >= (TURN_S if is_shared else ALONE_S)
            if is_turn_over and is_shared:
                self._start_rest(address)
            if some:
                self._enqueue(address)
            else:
                del self._waiting[address]
            if is_turn_over:
                break
        if self._waiting or self._resting:
            self._schedule()

    def _finish(self, address: str, waiting: _Waiting) -> None:
        """Run a step and set its result; after a long one the address rests."""
        used = self._used_by(address)
        self._now = min(used, *map(self._used_by, self._resting)) if self._resting else used
        began = self._clock()
        if address != self._last:
            self._last, self._shared_until = address, began + SHARED_S
        try:
            waiting.result.set_result(waiting.step())
        except BaseException as error:
            waiting.result.set_exception(error)
        seconds = self._clock() - began
        self.charge(address, seconds)
        self._on_blocked(seconds)
        if seconds >= TURN_S:
            self._start_rest(address)


class AddressShare(NamedTuple):
    """The share that the requests of an address have of the loop."""

    queue: StepQueue
    address: str

    def run_step(self, step: Callable[[], T]) -> StepResult[T]:
        """Run a step when it is the turn of this address; return its future result."""
        return self.queue.run(self.address, step)

    def charge(self, seconds: float) -> None:
        """Add processor time that a request used elsewhere."""
        self.queue.charge(self.address, seconds)
