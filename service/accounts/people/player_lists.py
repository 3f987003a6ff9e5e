"""Lists of other players that a player keeps, in Redis, each with the reverse lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from redis import Redis

from projections.lists.pages import Page, read_cursor, write_cursor
from service.runtime.errors import TooManyPeople

CHUNK = 1_000
"""Members that one command adds or removes when an account is erased."""


class ListedPlayer(NamedTuple):
    """A player in a list, and since when, in ms since the epoch."""

    id: str
    since: int


class PlayerList:
    """One kind of list, such as the players whom a player blocks. The reverse lists say who has a
    player in theirs, so that the end of an account ends its places everywhere.
    """

    def __init__(self, redis: Redis, name: str, reverse: str, max_players: int) -> None:
        self.max_players = max_players
        self._redis = redis
        self._name = name
        self._reverse = reverse

    def add(self, player: str, other: str, now: int) -> None:
        """Add a player to a list; nothing changes if they are in it. Raises TooManyPeople."""
        # The reverse list comes first: what it lacks would outlive the account of the other.
        self._redis.sadd(self.reverse_key(other), player)
        is_new = self._redis.zadd(self.key(player), {other: now}, nx=True)
        self._redis.sadd(
            self.reverse_key(other), player
        )  # again: the other may be erased meanwhile
        # Counted after the write, because of concurrent calls.
        if is_new and self.count(player) > self.max_players:
            self.remove(player, other)
            raise TooManyPeople(f"A list has at most {self.max_players} players.")

    def remove(self, player: str, other: str) -> None:
        """Remove a player from a list, if they are in it."""
        self._redis.zrem(self.key(player), other)
        self._redis.srem(self.reverse_key(other), player)

    def has(self, player: str, other: str) -> bool:
        """Return whether a player is in the list of another."""
        return self._redis.zscore(self.key(player), other) is not None

    def page(self, player: str, after: str | None, limit: int) -> Page[ListedPlayer]:
        """Return a page of a list, the latest first. Raises BadCursor."""
        found: Any = self._redis.zrevrange(self.key(player), 0, -1, withscores=True)
        players = [ListedPlayer(one.decode(), int(since)) for one, since in found]
        if after is not None:
            last = read_cursor(after, key_times=1)
            players = [one for one in players if _sort_key(one) < last]
        following = write_cursor(_sort_key(players[limit - 1])) if len(players) > limit else None
        return Page(players[:limit], following, 0)

    def count(self, player: str) -> int:
        """Return how many players are in a list."""
        return self._redis.zcard(self.key(player))

    def count_reverse(self, player: str) -> int:
        """Return in how many lists a player is."""
        return self._redis.scard(self.reverse_key(player))

    def erase(self, player: str) -> None:
        """Erase the list of a player, and remove them from the lists of all others."""
        listed: Any = self._redis.zrange(self.key(player), 0, -1)
        listing: Any = self._redis.smembers(self.reverse_key(player))
        for other in listed:
            self._redis.srem(self.reverse_key(other.decode()), player)
        for some in _chunks([*listing]):
            with self._redis.pipeline(transaction=False) as pipe:
                for other in some:
                    pipe.zrem(self.key(other.decode()), player)
                pipe.execute()
        self._redis.delete(self.key(player), self.reverse_key(player))

    def key(self, player: str) -> str:
        """Return the key of the list of a player."""
        return f"player:{player}:{self._name}"

    def reverse_key(self, player: str) -> str:
        """Return the key of the players who have this one in their lists."""
        return f"player:{player}:{self._reverse}"


def _sort_key(one: ListedPlayer) -> str:
    return f"{one.since:014d}:{one.id}"


def _chunks(members: Sequence[Any]) -> Collection[Sequence[Any]]:
    return [members[start : start + CHUNK] for start in range(0, len(members), CHUNK)]
