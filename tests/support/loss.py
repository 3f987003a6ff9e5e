"""Entries that are lost, as with a server whose replica did not have them yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from redis import Redis


@contextmanager
def losing(redis: Redis) -> Iterator[None]:
    """Once the block is left, all is in Redis as it was before."""
    before = {key: redis.dump(key) for key in redis.scan_iter()}
    yield
    for key in redis.scan_iter():
        redis.delete(key)
    for key, value in before.items():
        redis.restore(key, 0, value)
