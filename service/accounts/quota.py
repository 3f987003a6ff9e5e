"""Quotas per minute, hour or day, counted in Redis for all processes."""

from __future__ import annotations

from redis import Redis

from service.runtime.errors import TooManyRequests

MINUTE_S, HOUR_S, DAY_S = 60, 3_600, 86_400
_UNITS = {MINUTE_S: "minute", HOUR_S: "hour", DAY_S: "day"}


class Quota:
    """A limit on uses per clock hour, or per minute or day, in seconds; 0 turns it off."""

    def __init__(self, redis: Redis, name: str, limit: int, period_s: int = HOUR_S) -> None:
        self._redis = redis
        self._name = name
        self._limit = limit
        self._period_s = period_s

    def use(self, caller: str, now: int) -> None:
        """Count one use at a time (ms since the epoch). Raises TooManyRequests above the limit."""
        if not self._limit:
            return
        period, ms = divmod(now, self._period_s * 1000)
        key = f"quota:{self._name}:{caller}:{period}"
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.incr(key)
            pipe.expire(key, self._period_s)
            used: int = pipe.execute()[0]
        if used > self._limit:
            limit = f"{self._limit} {self._name} per {_UNITS[self._period_s]}"
            raise TooManyRequests(self._period_s - ms // 1000, limit, self._name)
