"""Admits the requests of each address at the pace of what they cost.

An address that keeps a web process busy for longer than its rate allows waits before its next
request begins. So the process has time for others, and leaves the processor to the processes that
work for all.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
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
"""Number of addresses whose use is known, unless the settings say otherwise; the one that used
something longest ago is dropped.
"""


@dataclass(slots=True)
class Use:
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
        self,
        seconds_per_minute: float,
        clock: Callable[[], float] = time.monotonic,
        max_addresses: int = MAX_ADDRESSES,
    ) -> None:
        """An address may keep the process busy for this long; 0 is no limit."""
        self._seconds = seconds_per_minute
        self._rate = seconds_per_minute / MINUTE_S
        self._clock = clock
        self._max_addresses = max_addresses
        self._uses: OrderedDict[str, Use] = OrderedDict()

    def charge(self, address: str, seconds: float) -> None:
        """Add time that an address has used."""
        if not self._rate:
            return
        use, now = self._use_of(address), self._clock()
        paid_at = max(use.paid_at, now) + seconds / self._rate
        use.paid_at = min(paid_at, now + BURST_S / self._rate + MAX_DEBT_S)

    @property
    def has_limit(self) -> bool:
        """Return whether addresses ever wait."""
        return self._rate > 0

    def waiting(self, address: str) -> int:
        """Return how many requests of an address wait."""
        return self._use_of(address).waiting

    def admit(self, address: str) -> Place:
        """Return a place for a request of this address. It is refused if that takes too long, or
        if too many others wait.
        """
        use = self._use_of(address)
        return Place(self, use, MAX_WAIT_S if use.waiting < MAX_WAITING else 0.0)

    def delay(self, address: str, max_wait_s: float) -> Place:
        """Return a place for something that this address begins, after this long at most. What must
        not be refused goes on without.
        """
        return Place(self, self._use_of(address), max_wait_s)

    def must_wait(self, use: Use) -> bool:
        """Return whether what an address begins now has to wait for its place."""
        return use.waiting > 0 or self._debt_s(use) > 0

    async def wait(self, use: Use, max_wait_s: float) -> bool:
        """Wait behind those who wait already until the rate has paid for what was used; return
        whether it has within this time.
        """
        use.waiting += 1
        try:
            async with asyncio.timeout(max_wait_s), use.turn:
                while self._debt_s(use) > 0:
                    await asyncio.sleep(CHECK_INTERVAL_S)
        except TimeoutError:
            return False
        finally:
            use.waiting -= 1
        return True

    def reserve(self, use: Use) -> None:
        """Take a place."""
        use.reserved_until = max(use.reserved_until, self._clock()) + RESERVE_S / self._rate

    def release(self, use: Use) -> None:
        """Give a place back."""
        use.reserved_until -= RESERVE_S / self._rate

    def refusal(self, use: Use) -> TooManyRequests:
        """Return why something of an address is refused."""
        limit = f"{self._seconds:g} seconds of processor time per minute"
        return TooManyRequests(max(1, ceil(self._debt_s(use))), limit, "processor")

    def _use_of(self, address: str) -> Use:
        if (use := self._uses.get(address)) is not None:
            self._uses.move_to_end(address)
            return use
        use = self._uses[address] = Use()
        if len(self._uses) > self._max_addresses:
            self._uses.popitem(last=False)
        return use

    def _debt_s(self, use: Use) -> float:
        """Return for how long an address must not begin a request."""
        now = self._clock()
        ahead_s = max(use.paid_at - now, 0.0) + max(use.reserved_until - now, 0.0)
        return ahead_s - BURST_S / self._rate


class Place:
    """A place that an address holds for the time of a block, which gets a refusal if it has none.

    Each request takes one, so this is no generator, which would take thrice as long.
    """

    __slots__ = ("_is_held", "_max_wait_s", "_pace", "_use")

    def __init__(self, pace: Pace, use: Use, max_wait_s: float) -> None:
        self._pace, self._use, self._max_wait_s = pace, use, max_wait_s
        self._is_held = False

    async def __aenter__(self) -> TooManyRequests | None:
        pace, use = self._pace, self._use
        if not pace.has_limit:
            return None
        if pace.must_wait(use) and not await pace.wait(use, self._max_wait_s):
            return pace.refusal(use)
        pace.reserve(use)
        self._is_held = True
        return None

    async def __aexit__(self, *_: object) -> None:
        if self._is_held:
            self._pace.release(self._use)
