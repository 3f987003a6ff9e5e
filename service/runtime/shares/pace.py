"""Admits the requests of each address at the pace of what they cost.

An address that keeps a web process busy for longer than its rate allows waits before its next
request begins. So the process has time for others, and leaves the processor to the processes that
work for all.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from math import ceil

from service.runtime.errors import TooManyRequests

MINUTE_S = 60
BURST_S = 0.5
"""How long an address may keep the process busy before it has to wait."""
RESERVE_S = 0.09
"""What a request counts for until it has ended, so that few begin before their cost is known."""
MAX_DEBT_S = 2.0
"""How long an address waits at most after a request, however much that cost: the first ones of a
process fill caches for all.
"""
CHECK_INTERVAL_S = 0.005
"""How often requests that wait are looked at."""
MAX_WAIT_S = 5.0
"""How long a request waits before it is refused."""
MAX_ADDRESSES = 10_000
"""Number of addresses whose use is known; the one that used something longest ago is dropped."""


class Pace:
    """How far ahead of its rate each address is, and its requests that wait for that."""

    def __init__(
        self, seconds_per_minute: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """An address may keep the process busy for this long; 0 is no limit."""
        self._seconds = seconds_per_minute
        self._rate = seconds_per_minute / MINUTE_S
        self._clock = clock
        self._paid_at: OrderedDict[str, float] = OrderedDict()
        """When the rate has paid for all that an address has used."""
        self._waiting: dict[str, deque[tuple[float, asyncio.Future[bool]]]] = {}
        """The requests of an address that wait, each with the time of its refusal."""

    def charge(self, address: str, seconds: float) -> None:
        """Add time that an address has used."""
        if not self._rate:
            return
        now = self._clock()
        paid_at = max(self._paid_at.get(address, 0.0), now) + seconds / self._rate
        self._paid_at[address] = min(paid_at, now + BURST_S / self._rate + MAX_DEBT_S)
        self._paid_at.move_to_end(address)
        if len(self._paid_at) > MAX_ADDRESSES:
            self._paid_at.popitem(last=False)

    @asynccontextmanager
    async def admit(self, address: str) -> AsyncIterator[TooManyRequests | None]:
        """Hold a place for a request of this address, once it may begin; yields a refusal if that
        took too long.
        """
        is_admitted = self._admit_now(address) or await self._wait(address)
        try:
            yield None if is_admitted else self._refusal(address)
        finally:
            if is_admitted:
                self.charge(address, -RESERVE_S)

    def _admit_now(self, address: str) -> bool:
        """Reserve a place unless others wait or the address is ahead of its rate."""
        if address in self._waiting or self._debt_s(address) > 0:
            return False
        self.charge(address, RESERVE_S)
        return True

    async def _wait(self, address: str) -> bool:
        """Return whether the request may begin, once that is clear."""
        if address not in self._waiting:
            self._waiting[address] = deque()
            self._check_later(address)
        admitted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting[address].append((self._clock() + MAX_WAIT_S, admitted))
        return await admitted

    def _debt_s(self, address: str) -> float:
        """Return for how long an address must not begin a request."""
        if not self._rate:
            return 0.0
        return self._paid_at.get(address, 0.0) - self._clock() - BURST_S / self._rate

    def _check_later(self, address: str) -> None:
        asyncio.get_running_loop().call_later(CHECK_INTERVAL_S, self._check, address)

    def _check(self, address: str) -> None:
        """Admit the first requests that wait, and refuse those whose time is over."""
        waiting = self._waiting[address]
        while waiting:
            refused_at, admitted = waiting[0]
            may_begin = self._debt_s(address) <= 0
            if not (admitted.done() or may_begin or refused_at <= self._clock()):
                break
            waiting.popleft()
            if not admitted.done():  # its caller is still there
                admitted.set_result(may_begin)
                if may_begin:
                    self.charge(address, RESERVE_S)
        if waiting:
            self._check_later(address)
        else:
            del self._waiting[address]

    def _refusal(self, address: str) -> TooManyRequests:
        limit = f"{self._seconds:g} seconds of processor time per minute"
        return TooManyRequests(max(1, ceil(self._debt_s(address))), limit, "processor")
