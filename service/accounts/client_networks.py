"""The networks of hosts, so that many accounts in one network share one bot quota."""

from __future__ import annotations

from zlib import crc32

from redis import Redis

DAY_S = 86_400
NETWORK_BUCKETS = 1 << 16


def store_network(redis: Redis, player: str, address: str) -> None:
    """Store for a day the network of a player who opens a table."""
    redis.set(_key(player), network_bucket(address), ex=DAY_S)


def network_of(redis: Redis, player: str) -> str | None:
    """Return the network from which a player last opened a table, as a number that does not
    identify it.
    """
    found = redis.get(_key(player))
    return found.decode() if isinstance(found, bytes) else None


def delete_network(redis: Redis, player: str) -> None:
    """Delete the stored network of a player."""
    redis.delete(_key(player))


def network_bucket(address: str) -> int:
    """Return a number for an address. Some 65,000 IPv4 addresses share it, so it reveals none."""
    return crc32(address.encode()) % NETWORK_BUCKETS


def _key(player: str) -> str:
    return f"network:{player}"
