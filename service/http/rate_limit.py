"""Rate limits: requests per minute of each caller and each address, per process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from threading import Lock
from time import monotonic
from typing import NamedTuple

from service.runtime.errors import TooManyRequests

MINUTE_S = 60
MAX_CALLERS = 10_000
"""Number of callers whose minutes are known, unless the settings say otherwise."""
MAX_NETWORKS = 2_000
"""Number of addresses whose networks are cached, of some 400 bytes each."""
IPV6_PREFIX_BITS = 64  # bits of an IPv6 network; one customer has all its addresses


class Caller(NamedTuple):
    """Who a request counts for: a caller (a player, or an address without one), and an address."""

    key: str
    address: str


@lru_cache(MAX_NETWORKS)
def network_of(address: str | None) -> str:
    """Return the network that counts as one address: an IPv4 address, or the /64 of an IPv6
    address.
    """
    try:
        parsed = ip_address(address or "")
    except ValueError:  # a proxy may name its clients differently
        return address or "unknown"
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed, IPV6_PREFIX_BITS), strict=False))


class RateLimits:
    """The limits of a request: of its caller, and of all callers at its address together."""

    def __init__(
        self,
        per_caller: int,
        per_address: int,
        clock: Callable[[], float] = monotonic,
        max_callers: int = MAX_CALLERS,
        counted: str = "requests",
        names: tuple[str, str] = ("default", "address"),
    ) -> None:
        """`names` are those of the limits of a caller and of an address."""
        own, shared = names
        self._per_caller = RateLimit(own, per_caller, clock, counted, max_callers)
        self._per_address = RateLimit(shared, per_address, clock, counted, max_callers)

    def count(self, caller: Caller) -> None:
        """Count a request. Raises TooManyRequests if it exceeds a limit."""
        self._per_address.count(caller.address)
        self._per_caller.count(caller.key)

    def has_room(self, caller: Caller) -> bool:
        """Return whether one more request stays within the limits."""
        return self._per_address.has_room(caller.address) and self._per_caller.has_room(caller.key)

    def headers_for(self, caller: Caller) -> list[tuple[str, str]]:
        """Return the headers with the limits and what is left of each."""
        both = ((self._per_caller, caller.key), (self._per_address, caller.address))
        used = [(limit.policy, left) for limit, key in both if (left := limit.remaining(key))]
        if not used:
            return []
        policies, remaining = zip(*used, strict=True)
        return [("RateLimit-Policy", ", ".join(policies)), ("RateLimit", ", ".join(remaining))]


class RateLimit:
    """Counts requests per minute, for each key; a minute begins with a request. A rate of 0 is no
    limit. Of more keys than `max_callers` it drops those whose minutes end first.
    """

    def __init__(
        self,
        name: str,
        rate: int,
        clock: Callable[[], float] = monotonic,
        counted: str = "requests",
        max_callers: int = MAX_CALLERS,
    ) -> None:
        self._name = name
        self._rate = rate
        self._counted = counted
        self._clock = clock
        self.policy = f'"{name}";q={rate};w={MINUTE_S}'
        self._lock = Lock()
        self._minutes: OrderedDict[str, tuple[float, int]] = OrderedDict()
        """When the minute of each key ends, and the requests in it; the one that ends first is
        first.
        """
        self._max_callers = max_callers

    def count(self, key: str) -> None:
        """Count a request. Raises TooManyRequests if it exceeds the limit."""
        if not self._rate:
            return
        now = self._clock()
        with self._lock:
            end, used = self._minutes.get(key, (0.0, 0))
            if end <= now:
                self._minutes.pop(key, None)
                end, used = now + MINUTE_S, 0
            self._minutes[key] = (end, used + 1)
            self._drop_first(now)
        if used >= self._rate:
            limit = f"{self._rate} {self._counted} per minute"
            raise TooManyRequests(max(1, ceil(end - now)), limit, self._name)

    def has_room(self, key: str) -> bool:
        """Return whether one more request stays within the limit."""
        end, used = self._minutes.get(key, (0.0, 0))
        return used < self._rate or not self._rate or end <= self._clock()

    def remaining(self, key: str) -> str | None:
        """Return what is left, as the header `RateLimit` has it, or None if nothing was counted."""
        if not self._rate or (minute := self._minutes.get(key)) is None:
            return None
        end, used = minute
        left, seconds = max(0, self._rate - used), max(1, ceil(end - self._clock()))
        return f'"{self._name}";r={left};t={seconds}'

    def _drop_first(self, now: float) -> None:
        """Drop the first minute if it is over, or if there are too many. As each request adds one
        at most, dropping one is enough.
        """
        first = next(iter(self._minutes))
        if len(self._minutes) > self._max_callers or self._minutes[first][0] <= now:
            del self._minutes[first]
