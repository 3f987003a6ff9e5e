"""Whom a player has muted for themselves, and whose messages a reader does not get."""

from __future__ import annotations

from collections.abc import Collection, Set
from typing import Any

from redis import Redis

from service.accounts.people.meeting import find_unmeetable
from service.runtime.errors import TooManyMuted

MAX_MUTED = 200
"""Maximum number of players whom a player has muted."""


class Mutes:
    """The players whom each player has muted, in Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def of(self, player: str) -> list[str]:
        """Return the ids of the players whom a player has muted, in order."""
        found: Set[Any] = self._redis.smembers(_key(player))
        return sorted(one.decode() for one in found)

    def add(self, player: str, muted: str) -> None:
        """Mute a player for another. Raises TooManyMuted."""
        is_new = self._redis.sadd(_key(player), muted)
        # Counted after the write, because of concurrent calls.
        if is_new and self._redis.scard(_key(player)) > MAX_MUTED:
            self.remove(player, muted)
            raise TooManyMuted(f"You can mute at most {MAX_MUTED} players.")

    def remove(self, player: str, muted: str) -> None:
        """Let a player be read again by another, if they were muted."""
        self._redis.srem(_key(player), muted)

    def erase(self, player: str) -> None:
        """Erase whom a player has muted."""
        self._redis.delete(_key(player))


def authors_left_out(redis: Redis, reader: str, authors: Collection[str]) -> frozenset[str]:
    """Return those of these authors whose messages a reader does not get, neither in lists, nor in
    streams, nor in what they have not read: those whom the reader has muted, and those who may not
    meet the reader. This is the only place that decides it.
    """
    return find_unmeetable(redis, reader, authors).union(Mutes(redis).of(reader)) & set(authors)


def _key(player: str) -> str:
    return f"player:{player}:mutes"
