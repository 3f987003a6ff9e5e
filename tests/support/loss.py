"""Lost entries, as after a server dies whose replica did not have them yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from redis import Redis


@contextmanager
def losing(redis: Redis) -> Iterator[None]:
    """Restore Redis to its earlier state at the end of the block."""
    before = {key: redis.dump(key) for key in redis.scan_iter()}
    yield
    for key in redis.scan_iter():
        redis.delete(key)
    for key, value in before.items():
        redis.restore(key, 0, value)
