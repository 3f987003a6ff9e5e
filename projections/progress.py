"""How far the projections have folded the feeds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from msgspec import Struct
from redis import Redis
from redis.exceptions import ResponseError

from projections import PROJECTIONS
from projections.core.query import Query, run_queries
from projections.core.spaces import Projection, feed_key, slot_tag

POLL_INTERVAL_S = 0.004
WRONG_TYPE_ERROR = "WRONGTYPE"
"""Error of Redis for the key of an archived match: the key does not hold a stream."""


class Progress(Struct, frozen=True):
    """By partition: the folded position, and the number of entries that are not folded yet."""

    positions: tuple[int, ...]
    lags: tuple[int, ...]

    @property
    def lag(self) -> int:
        """The number of entries that are not folded yet, in all partitions."""
        return sum(self.lags)


def read_progress(
    redis: Redis, partitions: int, projections: Sequence[Projection] = PROJECTIONS
) -> Mapping[str, Progress]:
    """Return how far each projection has folded, by name, in one round trip."""
    queries = [Query(one, partition) for one in projections for partition in range(partitions)]
    results = iter(run_queries(redis, queries))
    found = {one.name: list(islice(results, partitions)) for one in projections}
    return {
        name: Progress(tuple(one.position for one in each), tuple(one.lag for one in each))
        for name, each in found.items()
    }


def wait_for(
    redis: Redis,
    partition: int,
    match: str,
    version: int,
    timeout_s: float,
    pause: Callable[[float], None] = time.sleep,
) -> bool:
    """Wait until the projections have folded this version of a match; False after `timeout_s`.

    `pause` sleeps for a number of seconds.
    """
    until = time.monotonic() + timeout_s
    length = 0
    while not (length := length or _feed_length_with(redis, partition, match, version)) or (
        _read_folded_position(redis, partition) < length
    ):
        if time.monotonic() >= until:
            return False
        pause(POLL_INTERVAL_S)
    return True


def wait_for_feeds(
    redis: Redis,
    partitions: int,
    projection: Projection,
    timeout_s: float,
    pause: Callable[[float], None] = time.sleep,
) -> bool:
    """Wait until a projection has folded all entries that the feeds have now; False after
    `timeout_s`. `pause` sleeps for a number of seconds.
    """

    def read() -> Progress:
        return read_progress(redis, partitions, [projection])[projection.name]

    until = time.monotonic() + timeout_s
    now = read()
    ends = [position + lag for position, lag in zip(now.positions, now.lags, strict=True)]
    while any(position < end for position, end in zip(now.positions, ends, strict=True)):
        if time.monotonic() >= until:
            return False
        pause(POLL_INTERVAL_S)
        now = read()
    return True


def _feed_length_with(redis: Redis, partition: int, match: str, version: int) -> int:
    """Return the length of the feed if it contains this version of the match, otherwise 0."""
    with redis.pipeline(transaction=False) as pipe:
        pipe.xlen(f"{slot_tag(partition)}:match:{match}")
        pipe.xlen(feed_key(partition))
        reached, length = pipe.execute(raise_on_error=False)
    for found in (reached, length):
        if isinstance(found, Exception) and WRONG_TYPE_ERROR not in str(found):
            raise found
    in_archive = isinstance(reached, ResponseError)  # an archived match has no later entries
    return int(length) if in_archive or reached >= version else 0


def _read_folded_position(redis: Redis, partition: int) -> int:
    """Return the position up to which all projections have folded a partition."""
    results = run_queries(redis, [Query(projection, partition) for projection in PROJECTIONS])
    return min(one.position for one in results)
