"""What operators set about their service on the page: its name and its public address."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic

import msgspec
from redis import Redis

from service.runtime.errors import REDIS_ERRORS

HOUSE_KEY = "house"
MAX_NAME_CHARS = 40


class House(msgspec.Struct, frozen=True, omit_defaults=True):
    """The name of a service and its address from outside; empty if they are not set."""

    name: str = ""
    public_url: str = ""


_HOUSE = msgspec.json.Decoder(House)


class HouseRecord:
    """The record of the house, in Redis; a process reads it again after `cache_s` seconds."""

    def __init__(self, redis: Redis, cache_s: float) -> None:
        self._redis = redis
        self._cache_s = cache_s
        self._known: House | None = None
        self._until = 0.0

    def read(self) -> House:
        """Return what is stored; while Redis is away, what was stored before.

        Until a process has read it once, each caller asks Redis.
        """
        if self._known is None or monotonic() >= self._until:
            self._until = monotonic() + self._cache_s
            with suppress(*REDIS_ERRORS):
                found = self._redis.get(HOUSE_KEY)
                self._known = _HOUSE.decode(found) if isinstance(found, bytes) else House()
        return self._known or House()

    def write(self, house: House) -> None:
        """Store the house."""
        self._redis.set(HOUSE_KEY, msgspec.json.encode(house))
        self._until = 0.0
