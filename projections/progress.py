"""How far the projections have read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from redis import Redis

from projections import PROJECTIONS
from projections.spaces import checkpoint, live_key, space_of, tag

PAUSE_S = 0.004


class Progress(Struct, frozen=True):
    """By partition: positions folded up to, and how many entries are not folded yet."""

    positions: tuple[int, ...]
    lags: tuple[int, ...]

    @property
    def lag(self) -> int:
        """How many entries are still to be folded in all."""
        return sum(self.lags)


def progress(redis: Redis, partitions: int) -> Mapping[str, Progress]:
    """How far each projection has read, in two round trips."""
    places = [(partition, one) for one in PROJECTIONS for partition in range(partitions)]
    with redis.pipeline(transaction=False) as pipe:
        for place in places:
            pipe.get(live_key(*place))
        generations = pipe.execute()
    with redis.pipeline(transaction=False) as pipe:
        for place, generation in zip(places, generations, strict=True):
            pipe.get(checkpoint(space_of(*place, int(generation or 0))))
        for partition in range(partitions):
            pipe.xlen(f"{tag(partition)}:feed")
        *found, lengths = batches(pipe.execute(), partitions)
    return {
        one.name: Progress(
            positions := tuple(int(at or 0) for at in ats),
            tuple(length - at for length, at in zip(lengths, positions, strict=True)),
        )
        for one, ats in zip(PROJECTIONS, found, strict=True)
    }


def batches(values: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """The values in batches of this size."""
    return [values[start : start + size] for start in range(0, len(values), size)]


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
        pipe.xlen(f"{tag(partition)}:feed")
        reached, length = pipe.execute()
    return int(length) if reached >= version else 0


def _folded(redis: Redis, partition: int) -> int:
    """How far all projections have read a feed."""
    generations = redis.mget([live_key(partition, projection) for projection in PROJECTIONS])
    spaces = [
        space_of(partition, projection, int(generation or 0))
        for projection, generation in zip(PROJECTIONS, generations, strict=True)
    ]
    return min(int(at or 0) for at in redis.mget([checkpoint(space) for space in spaces]))
