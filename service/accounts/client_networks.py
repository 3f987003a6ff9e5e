"""Where hosts are: so that many accounts at one address have one share of the bots' time."""

from __future__ import annotations

from zlib import crc32

from redis import Redis

DAY_S = 86_400
BUCKETS = 1 << 16


def note_origin(redis: Redis, player: str, address: str) -> None:
    """Note for a day where a player is who opens a table; a network counts as one address."""
    redis.set(_key(player), bucket(address), ex=DAY_S)


def origin_of(redis: Redis, player: str) -> str | None:
    """Where a player was when they last opened a table, as a number that tells nobody where."""
    found = redis.get(_key(player))
    return found.decode() if isinstance(found, bytes) else None


def forget_origin(redis: Redis, player: str) -> None:
    """Keep nothing of where a player was."""
    redis.delete(_key(player))


def bucket(address: str) -> int:
    """A number for an address, which it shares with a good 65,000, so that it tells none."""
    return crc32(address.encode()) % BUCKETS


def _key(player: str) -> str:
    return f"origin:{player}"
