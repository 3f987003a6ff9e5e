"""How far the projections have read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from msgspec import Struct
from redis import Redis
from redis.exceptions import ResponseError

from projections import PROJECTIONS
from projections.core.query import Asked, ask
from projections.core.spaces import Projection, feed_of, tag

PAUSE_S = 0.004
NO_STREAM = "WRONGTYPE"
"""What Redis says of the key of a match that is in the archive."""


class Progress(Struct, frozen=True):
    """By partition: positions folded up to, and how many entries are not folded yet."""

    positions: tuple[int, ...]
    lags: tuple[int, ...]

    @property
    def lag(self) -> int:
        """How many entries are still to be folded in all."""
        return sum(self.lags)


def progress(
    redis: Redis, partitions: int, projections: Sequence[Projection] = PROJECTIONS
) -> Mapping[str, Progress]:
    """How far each projection has read, in one round trip."""
    asked = [Asked(one, partition) for one in projections for partition in range(partitions)]
    answered = iter(ask(redis, asked))
    found = {one.name: list(islice(answered, partitions)) for one in projections}
    return {
        name: Progress(tuple(one.position for one in each), tuple(one.behind for one in each))
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
    """Wait until the projections know this version of a match; False if that takes too long.

    `pause` lets so many seconds pass.
    """
    until = time.monotonic() + timeout_s
    length = 0
    while not (length := length or _length_with(redis, partition, match, version)) or (
        _folded(redis, partition) < length
    ):
        if time.monotonic() >= until:
            return False
        pause(PAUSE_S)
    return True


def _length_with(redis: Redis, partition: int, match: str, version: int) -> int:
    """The length of the feed, which has this version of the match; 0 if it has not."""
    with redis.pipeline(transaction=False) as pipe:
        pipe.xlen(f"{tag(partition)}:match:{match}")
        pipe.xlen(feed_of(partition))
        reached, length = pipe.execute(raise_on_error=False)
    for found in (reached, length):
        if isinstance(found, Exception) and NO_STREAM not in str(found):
            raise found
    in_archive = isinstance(reached, ResponseError)  # then no more will come of it
    return int(length) if in_archive or reached >= version else 0


def _folded(redis: Redis, partition: int) -> int:
    """How far all projections have read a feed."""
    answered = ask(redis, [Asked(projection, partition) for projection in PROJECTIONS])
    return min(one.position for one in answered)
