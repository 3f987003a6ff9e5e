"""Admits the requests of each address at the pace of what they cost.

An address that keeps a web process busy for longer than its rate allows waits before its next
request begins. So the process has time for others, and leaves the processor to the processes that
work for all.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
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
"""How often the first request that waits looks whether it may begin."""
MAX_WAIT_S = 5.0
"""How long a request waits before it is refused."""
MAX_WAITING = 200
"""How many requests of an address wait; more are refused at once, because each holds its body."""
MAX_ADDRESSES = 10_000
"""Number of addresses whose use is known; the one that used something longest ago is dropped."""


@dataclass(slots=True)
class _Use:
    """What an address has used, and who waits for it."""

    paid_at: float = 0.0
    """When the rate has paid for all that it has used."""
    reserved_until: float = 0.0
    """When the rate would have paid for the requests in flight."""
    waiting: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """The first of those that wait holds it until it begins."""


class Pace:
    """How far ahead of its rate each address is, and its requests that wait for that."""

    def __init__(
        self, seconds_per_minute: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """An address may keep the process busy for this long; 0 is no limit."""
        self._seconds = seconds_per_minute
        self._rate = seconds_per_minute / MINUTE_S
        self._clock = clock
        self._uses: OrderedDict[str, _Use] = OrderedDict()

    def charge(self, address: str, seconds: float) -> None:
        """Add time that an address has used."""
        if not self._rate:
            return
        use, now = self._use_of(address), self._clock()
        paid_at = max(use.paid_at, now) + seconds / self._rate
        use.paid_at = min(paid_at, now + BURST_S / self._rate + MAX_DEBT_S)

    def waiting(self, address: str) -> int:
        """Return how many requests of an address wait."""
        return self._use_of(address).waiting

    @asynccontextmanager
    async def admit(self, address: str) -> AsyncIterator[TooManyRequests | None]:
        """Hold a place for a request of this address, once it may begin; yields a refusal if that
        took too long, or if too many others wait.
        """
        max_wait_s = MAX_WAIT_S if self.waiting(address) < MAX_WAITING else 0.0
        async with self.delay(address, max_wait_s) as has_place:
            yield None if has_place else self._refusal(address)

    @asynccontextmanager
    async def delay(self, address: str, max_wait_s: float) -> AsyncIterator[bool]:
        """Wait until this address may begin something, for this long at most; yields whether it
        has a place then. What must not be refused goes on without.
        """
        use = self._use_of(address)
        has_place = not self._rate or await self._reserve(use, max_wait_s)
        try:
            yield has_place
        finally:
            if has_place and self._rate:
                use.reserved_until -= RESERVE_S / self._rate

    async def _reserve(self, use: _Use, max_wait_s: float) -> bool:
        """Take a place after those who wait already, once the rate has paid for what was used."""
        if use.waiting or self._debt_s(use) > 0:
            use.waiting += 1
            try:
                async with asyncio.timeout(max_wait_s), use.turn:
                    while self._debt_s(use) > 0:
                        await asyncio.sleep(CHECK_INTERVAL_S)
            except TimeoutError:
                return False
            finally:
                use.waiting -= 1
        use.reserved_until = max(use.reserved_until, self._clock()) + RESERVE_S / self._rate
        return True

    def _use_of(self, address: str) -> _Use:
        if address not in self._uses:
            self._uses[address] = _Use()
            if len(self._uses) > MAX_ADDRESSES:
                self._uses.popitem(last=False)
        self._uses.move_to_end(address)
        return self._uses[address]

    def _debt_s(self, use: _Use) -> float:
        """Return for how long an address must not begin a request."""
        now = self._clock()
        ahead_s = max(use.paid_at - now, 0.0) + max(use.reserved_until - now, 0.0)
        return ahead_s - BURST_S / self._rate

    def _refusal(self, address: str) -> TooManyRequests:
        limit = f"{self._seconds:g} seconds of processor time per minute"
        debt_s = self._debt_s(self._use_of(address))
        return TooManyRequests(max(1, ceil(debt_s)), limit, "processor")
