"""Serves addresses in turn: the one that has kept the loop busy for the shortest time comes next.

A web process runs all requests on one event loop, each in steps between two waits. Steps that are
ready at the same moment queue here by address (start-time fair queueing), so a caller waits for the
step in progress and for their own earlier ones, however many an other address has sent.

After a long step, addresses that had long steps rest while the loop looks for new requests a few
times: a response of Redis passes through several callbacks, each in another pass of the loop, until
its step is ready, and without a rest each pass would hold a long step of others.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple, TypeVar

from service.runtime.event_loop import StepResult

T = TypeVar("T")
TURN_S, PASS_S = 0.001, 0.02
"""How long short steps of an address, and of all together, run before the loop looks for new
requests: each look costs as much as several steps.
"""
REST_PASSES, MAX_REST_S = 6, 0.003
"""How many passes of the loop a rest takes, and how long at most."""
HEAVY_S = 0.25
"""How long after a long step an address rests with others that had one."""
MAX_ADDRESSES = 10_000
"""Number of addresses whose use is known; the one that ran longest ago is dropped first."""


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
    ) -> None:
        """`on_charge` receives the address and the seconds of each step, and of what a request did
        in a thread; `on_blocked` only those for which a step blocked the loop.
        """
        self._on_charge, self._on_blocked = on_charge, on_blocked
        self._clock = clock
        self._waiting: dict[str, deque[_Waiting]] = {}
        self._light: list[tuple[float, int, str]] = []
        self._heavy: list[tuple[float, int, str]] = []
        """Heaps with each address that has waiting steps, by what it has used; in the second one
        those that had long steps.
        """
        self._heavy_until: OrderedDict[str, float] = OrderedDict()
        self._rest_passes, self._rest_until = 0, 0.0
        self._serial = count()
        self._used: OrderedDict[str, float] = OrderedDict()
        self._now = 0.0
        """What the address in service had used: new addresses begin with it."""
        self._scheduled = False

    def share_of(self, address: str) -> AddressShare:
        """Return the share of an address."""
        return AddressShare(self, address)

    def run(self, address: str, step: Callable[[], T]) -> StepResult[T]:
        """Run a step when it is the turn of its address; return its future result."""
        waiting = _Waiting(step, StepResult(loop=asyncio.get_running_loop()))
        is_next = self._rests() and not self._light and not self._is_heavy(address)
        if not self._scheduled or (is_next and address not in self._waiting):
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
        if len(self._used) > MAX_ADDRESSES:
            self._used.popitem(last=False)
        self._on_charge(address, seconds)

    def _used_by(self, address: str) -> float:
        return max(self._used.get(address, 0.0), self._now)

    def _is_heavy(self, address: str) -> bool:
        return self._heavy_until.get(address, 0.0) > self._clock()

    def _rests(self) -> bool:
        return self._rest_passes > 0 and self._clock() < self._rest_until

    def _start_rest(self, address: str) -> None:
        now = self._clock()
        self._rest_passes, self._rest_until = REST_PASSES, now + MAX_REST_S
        self._heavy_until[address] = now + HEAVY_S
        self._heavy_until.move_to_end(address)
        if len(self._heavy_until) > MAX_ADDRESSES:
            self._heavy_until.popitem(last=False)

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._run_waiting)

    def _enqueue(self, address: str) -> None:
        order = self._heavy if self._is_heavy(address) else self._light
        heappush(order, (self._used_by(address), next(self._serial), address))

    def _take(self) -> str | None:
        """Remove and return the address whose turn it is, if any."""
        orders = [self._light] if self._rests() else [self._light, self._heavy]
        order = min(filter(None, orders), default=None)
        return heappop(order)[2] if order else None

    def _run_waiting(self) -> None:
        """Run the steps whose turn it is: one, or several short ones."""
        self._scheduled, now = False, self._clock()
        self._rest_passes = max(0, self._rest_passes - 1)
        until, ran = now + PASS_S, defaultdict[str, float](float)
        while now < until and (address := self._take()):
            some, began = self._waiting[address], now
            is_long = self._finish(address, some.popleft())
            now = self._clock()
            ran[address] += now - began
            if some:
                self._enqueue(address)
            else:
                del self._waiting[address]
            if is_long or ran[address] >= TURN_S:
                break
        if self._waiting or self._rests():
            self._schedule()

    def _finish(self, address: str, waiting: _Waiting) -> bool:
        """Run a step and set its result; return whether it was long."""
        self._now, began = self._used_by(address), self._clock()
        try:
            waiting.result.set_result(waiting.step())
        except BaseException as error:
            waiting.result.set_exception(error)
        seconds = self._clock() - began
        self.charge(address, seconds)
        self._on_blocked(seconds)
        if is_long := seconds >= TURN_S:
            self._start_rest(address)
        return is_long


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
