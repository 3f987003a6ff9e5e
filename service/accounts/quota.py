"""Allowances: what an address may do only so often in an hour, counted for all processes."""

from __future__ import annotations

from redis import Redis

from service.runtime.errors import TooManyRequests

HOUR_S = 3_600


class Allowance:
    """What each may do some times in every hour of the clock; 0 is no limit."""

    def __init__(self, redis: Redis, name: str, most: int) -> None:
        self._redis = redis
        self._name = name
        self._most = most

    def use(self, who: str, now: int) -> None:
        """Do it once more at a time (ms since the epoch); TooManyRequests if that is too often."""
        if not self._most:
            return
        hour, ms = divmod(now, HOUR_S * 1000)
        key = f"allowance:{self._name}:{who}:{hour}"
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.incr(key)
            pipe.expire(key, HOUR_S)
            used: int = pipe.execute()[0]
        if used > self._most:
            limit = f"{self._most} {self._name} an hour"
            raise TooManyRequests(HOUR_S - ms // 1000, limit, self._name)
