"""What those who run the service have done to players and matches, and when."""

from __future__ import annotations

from typing import Any

import msgspec
from redis import Redis

_KEY = "admin"


class Deed(msgspec.Struct, frozen=True):
    """Something that was done; `at` is in ms since the epoch, `who` is a user of the machine."""

    at: int
    who: str
    action: str
    subject: str
    reason: str = ""


class Journal:
    """All that was done, in Redis by time; it is only added to, and loses words about people."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def note(self, deed: Deed) -> None:
        """Write down what is about to be done."""
        self._redis.zadd(_KEY, {msgspec.json.encode(deed): deed.at})

    def last(self, count: int) -> list[Deed]:
        """What was done last, the newest first."""
        rows: Any = self._redis.zrevrange(_KEY, 0, count - 1)
        return [msgspec.json.decode(row, type=Deed) for row in rows]

    def reasons(self, subject: str) -> list[Deed]:
        """What was done to somebody with a reason in words."""
        rows: Any = self._redis.zrange(_KEY, 0, -1)
        deeds = (msgspec.json.decode(row, type=Deed) for row in rows)
        return [deed for deed in deeds if deed.subject == subject and deed.reason]

    def forget(self, subject: str) -> None:
        """Keep what was done to somebody, but no words about them."""
        for deed in self.reasons(subject):
            self.note(msgspec.structs.replace(deed, reason=""))
            self._redis.zrem(_KEY, msgspec.json.encode(deed))
