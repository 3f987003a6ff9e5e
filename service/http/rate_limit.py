"""Rate limit: requests per minute and caller, per process."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from threading import Lock
from time import monotonic

from flask import Response

from service.errors import TooManyRequests

MINUTE_S = 60
MOST_CALLERS = 10_000  # from here on, minutes that are over are dropped to save memory


class RateLimit:
    """What each caller has left of their minute, which begins with a request; 0 is no limit."""

    def __init__(self, rate: int, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._policy = f'"default";q={rate};w={MINUTE_S}'
        self._lock = Lock()
        self._minutes: dict[str, tuple[float, int]] = {}  # when it is over, how many there were

    def count(self, caller: str) -> None:
        """Count a request; TooManyRequests if it is one too many."""
        if not self._rate:
            return
        now = self._clock()
        with self._lock:
            end, used = self._minutes.get(caller, (0.0, 0))
            if end <= now:
                self._forget(now)
                end, used = now + MINUTE_S, 0
            self._minutes[caller] = (end, used + 1)
        if used >= self._rate:
            raise TooManyRequests(max(1, ceil(end - now)))

    def tell(self, caller: str, response: Response) -> None:
        """Say what is left."""
        if self._rate and (minute := self._minutes.get(caller)):
            end, used = minute
            left, seconds = max(0, self._rate - used), max(1, ceil(end - self._clock()))
            response.headers.add("RateLimit-Policy", self._policy)
            response.headers.add("RateLimit", f'"default";r={left};t={seconds}')

    def _forget(self, now: float) -> None:
        """Drop the minutes that are over, once there are many of them."""
        if len(self._minutes) >= MOST_CALLERS:
            self._minutes = {who: one for who, one in self._minutes.items() if one[0] > now}
