"""Private notes: what a player writes down about a match, at a version, for nobody else."""

from __future__ import annotations

from typing import Any

import msgspec
from redis import Redis

from service.runtime.errors import NotFound, TooManyNotes

MAX_NOTES = 100
"""Maximum number of notes of a player about one match."""
MAX_MATCHES = 500
"""Maximum number of matches about which a player has notes."""


class Note(msgspec.Struct, frozen=True):
    """A note about a version of a match; `at` is when it was written, in ms since the epoch."""

    version: int
    text: str
    at: int


_NOTE = msgspec.json.Decoder(Note)


class Notes:
    """The notes of all players, in Redis, outside of the annals: they can be erased."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def of_match(self, player: str, match: str) -> list[Note]:
        """Return the notes of a player about a match, in the order of their versions."""
        found = map(_NOTE.decode, self._redis.hvals(_key(player, match)))
        return sorted(found, key=lambda note: note.version)

    def write(self, player: str, match: str, note: Note) -> None:
        """Keep a note in place of an earlier one at the same version. Raises TooManyNotes."""
        key, matches = _key(player, match), _list_key(player)
        # The list comes first: what it lacks would not be erased with the account.
        self._redis.sadd(matches, match)
        is_new = self._redis.hset(key, str(note.version), msgspec.json.encode(note))
        self._redis.sadd(matches, match)  # again: the account may have been erased meanwhile
        # Counted after the write, because of concurrent calls.
        full = self._redis.hlen(key) > MAX_NOTES or self._redis.scard(matches) > MAX_MATCHES
        if is_new and full:
            self.remove(player, match, note.version)
            raise TooManyNotes(
                f"You have at most {MAX_NOTES} notes about a match, and notes about at most "
                f"{MAX_MATCHES} matches."
            )

    def remove(self, player: str, match: str, version: int) -> None:
        """Remove a note. Raises NotFound if there is none."""
        key = _key(player, match)
        removed = self._redis.hdel(key, str(version))
        if not self._redis.hlen(key):
            self._redis.srem(_list_key(player), match)
        if not removed:
            raise NotFound("You have no note at this version.")

    def is_listed(self, player: str, match: str) -> bool:
        """Return whether notes of a player about a match would be erased with their account."""
        return bool(self._redis.sismember(_list_key(player), match))

    def count_matches(self, player: str) -> int:
        """Return about how many matches a player has notes."""
        return self._redis.scard(_list_key(player))

    def erase(self, player: str) -> None:
        """Erase all notes of a player."""
        matches: set[Any] = self._redis.smembers(_list_key(player))
        for match in matches:
            self._redis.delete(_key(player, match.decode()))
        self._redis.delete(_list_key(player))


def _list_key(player: str) -> str:
    return f"player:{player}:notes"


def _key(player: str, match: str) -> str:
    return f"player:{player}:notes:{match}"
