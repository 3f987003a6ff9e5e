"""The log of what operators did to players and matches."""

from __future__ import annotations

from typing import Any

import msgspec
from redis import Redis

_KEY = "admin"


class AdminAction(msgspec.Struct, frozen=True):
    """An action of an operator, who is a player, by their id, or a user of the machine. `at` is in
    ms since the epoch.
    """

    at: int
    operator: str
    action: str
    subject: str
    reason: str = ""


class AdminLog:
    """The admin log in Redis, ordered by time. It only grows, but reasons can be erased."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def add(self, action: AdminAction) -> None:
        """Add an action before it is carried out."""
        self._redis.zadd(_KEY, {msgspec.json.encode(action): action.at})

    def latest(self, count: int) -> list[AdminAction]:
        """Return the latest actions, the newest first."""
        return self.page(None, count)[0]

    def page(self, before: int | None, limit: int) -> tuple[list[AdminAction], int | None]:
        """Return at most `limit` actions, the newest first, and the `before` of the next page: the
        number of actions that are older, or None.
        """
        last = self._redis.zcard(_KEY) if before is None else before
        first = max(0, last - limit)
        rows: Any = self._redis.zrange(_KEY, first, last - 1) if last else []
        actions = [msgspec.json.decode(row, type=AdminAction) for row in reversed(rows)]
        return actions, first or None

    def actions_with_reason(self, subject: str) -> list[AdminAction]:
        """Return the actions on a player or match that have a reason."""
        rows: Any = self._redis.zrange(_KEY, 0, -1)
        actions = (msgspec.json.decode(row, type=AdminAction) for row in rows)
        return [action for action in actions if action.subject == subject and action.reason]

    def erase_reasons(self, subject: str) -> None:
        """Erase the reasons of all actions on a player."""
        for action in self.actions_with_reason(subject):
            self.add(msgspec.structs.replace(action, reason=""))
            self._redis.zrem(_KEY, msgspec.json.encode(action))
