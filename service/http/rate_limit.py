"""Rate limits: requests per minute of each caller and of each address, per process."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from threading import Lock
from time import monotonic
from typing import NamedTuple

from service.runtime.errors import TooManyRequests

MINUTE_S = 60
MOST_CALLERS = (
    10_000  # from here on, minutes that are over are dropped now and then, to save memory
)
HOUSEHOLD = 64  # bits of an IPv6 address: whoever has one address has all with these


class Share(NamedTuple):
    """Whose limits count: a caller's (a player, or an address without one), and an address's."""

    caller: str
    address: str


@lru_cache(MOST_CALLERS)
def block_of(address: str | None) -> str:
    """What counts as one address: an IPv4 address, or the network of an IPv6 address."""
    try:
        parsed = ip_address(address or "")
    except ValueError:  # a proxy may name its clients otherwise
        return address or "unknown"
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed, HOUSEHOLD), strict=False))


class RateLimits:
    """The limits of a request: of its caller, and of all callers at its address together."""

    def __init__(self, each: int, address: int, clock: Callable[[], float] = monotonic) -> None:
        self._each = RateLimit("default", each, clock)
        self._address = RateLimit("address", address, clock)

    def count(self, share: Share) -> None:
        """Count a request; TooManyRequests if it is one too many."""
        self._address.count(share.address)
        self._each.count(share.caller)

    def has_room(self, share: Share) -> bool:
        """Whether one more request would not be one too many."""
        return self._address.has_room(share.address) and self._each.has_room(share.caller)

    def told(self, share: Share) -> list[tuple[str, str]]:
        """The headers that say what is left of each."""
        both = ((self._each, share.caller), (self._address, share.address))
        told = [(limit.policy, left) for limit, who in both if (left := limit.left(who))]
        if not told:
            return []
        policies, lefts = zip(*told, strict=True)
        return [("RateLimit-Policy", ", ".join(policies)), ("RateLimit", ", ".join(lefts))]


class RateLimit:
    """What each has left of their minute, which begins with a request; a rate of 0 is no limit."""

    def __init__(
        self,
        name: str,
        rate: int,
        clock: Callable[[], float] = monotonic,
        what: str = "requests",
    ) -> None:
        self._name = name
        self._rate = rate
        self._what = what
        self._clock = clock
        self.policy = f'"{name}";q={rate};w={MINUTE_S}'
        self._lock = Lock()
        self._minutes: dict[str, tuple[float, int]] = {}  # when it is over, how many there were
        self._forget_at = 0

    def count(self, who: str) -> None:
        """Count a request; TooManyRequests if it is one too many."""
        if not self._rate:
            return
        now = self._clock()
        with self._lock:
            end, used = self._minutes.get(who, (0.0, 0))
            if end <= now:
                self._forget(now)
                end, used = now + MINUTE_S, 0
            self._minutes[who] = (end, used + 1)
        if used >= self._rate:
            limit = f"{self._rate} {self._what} a minute"
            raise TooManyRequests(max(1, ceil(end - now)), limit, self._name)

    def has_room(self, who: str) -> bool:
        """Whether one more of them would not be one too many."""
        end, used = self._minutes.get(who, (0.0, 0))
        return used < self._rate or not self._rate or end <= self._clock()

    def left(self, who: str) -> str | None:
        """What is left, as the header `RateLimit` says it; None if nothing was counted."""
        if not self._rate or (minute := self._minutes.get(who)) is None:
            return None
        end, used = minute
        left, seconds = max(0, self._rate - used), max(1, ceil(end - self._clock()))
        return f'"{self._name}";r={left};t={seconds}'

    def _forget(self, now: float) -> None:
        """Drop the minutes that are over, whenever there are many, and twice as many as were kept.

        With each new caller it would take ever longer the more there are.
        """
        if len(self._minutes) >= self._forget_at:
            self._minutes = {who: one for who, one in self._minutes.items() if one[0] > now}
            self._forget_at = max(MOST_CALLERS, 2 * len(self._minutes))
