"""Quotas per hour and address, counted in Redis for all processes."""

from __future__ import annotations

from redis import Redis

from service.runtime.errors import TooManyRequests

HOUR_S = 3_600


class Quota:
    """A limit on uses per clock hour; 0 turns it off."""

    def __init__(self, redis: Redis, name: str, limit: int) -> None:
        self._redis = redis
        self._name = name
        self._limit = limit

    def use(self, caller: str, now: int) -> None:
        """Count one use at a time (ms since the epoch). Raises TooManyRequests above the limit."""
        if not self._limit:
            return
        hour, ms = divmod(now, HOUR_S * 1000)
        key = f"quota:{self._name}:{caller}:{hour}"
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.incr(key)
            pipe.expire(key, HOUR_S)
            used: int = pipe.execute()[0]
        if used > self._limit:
            limit = f"{self._limit} {self._name} per hour"
            raise TooManyRequests(HOUR_S - ms // 1000, limit, self._name)
