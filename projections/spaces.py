"""Where projections keep what they fold: one space of keys per partition and generation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from redis import Redis
from redis.client import Pipeline

from projections.summary import Summary


class Change(msgspec.Struct, frozen=True):
    """What an entry, or some in a row, made of a match; `before` is None for a new one."""

    position: int
    """Of the last of them in the feed."""
    before: Summary | None
    after: Summary


def merged(changes: Iterable[Change]) -> list[Change]:
    """The same changes, those of each match as one."""
    found: dict[str, Change] = {}
    for change in changes:
        match = change.after.id
        before = found[match].before if match in found else change.before
        found[match] = Change(change.position, before, change.after)
    return list(found.values())


Apply = Callable[[str, Sequence[Change], Redis, Pipeline], None]
"""Adds changes, one for each entry in order, to a space: reads with the client, writes into the
transaction.
"""


class Projection(msgspec.Struct, frozen=True):
    """A read model; a new version is folded from the first entry, beside the old one."""

    name: str
    version: int
    apply: Apply

    @property
    def key(self) -> str:
        """Name and version, as they stand in keys."""
        return f"{self.name}:v{self.version}"


def tag(partition: int) -> str:
    """What all keys of a partition begin with, so that they share one slot of a cluster."""
    return f"{{p{partition}}}"


def live_key(partition: int, projection: Projection) -> str:
    """The key that names the generation which is read; there is none before the first rebuild."""
    return f"{tag(partition)}:rm:{projection.key}"


def space_of(partition: int, projection: Projection, generation: int) -> str:
    """What the keys of a generation begin with."""
    return f"{live_key(partition, projection)}:{generation}"


def checkpoint(space: str) -> str:
    """The key of the position in the feed up to which a space is folded."""
    return f"{space}:at"


def live_spaces(redis: Redis, partitions: Iterable[int], projection: Projection) -> list[str]:
    """The spaces that are read, one for each of these partitions."""
    chosen = list(partitions)
    with redis.pipeline(transaction=False) as pipe:
        for partition in chosen:
            pipe.get(live_key(partition, projection))
        generations = pipe.execute()
    return [
        space_of(partition, projection, int(generation or 0))
        for partition, generation in zip(chosen, generations, strict=True)
    ]


def ask_all(
    redis: Redis,
    partitions: int,
    projection: Projection,
    ask: Callable[[Pipeline, str], object],
) -> list[Any]:
    """The answers to one question from every partition, in order, in two round trips."""
    spaces = live_spaces(redis, range(partitions), projection)
    with redis.pipeline(transaction=False) as pipe:
        for space in spaces:
            ask(pipe, space)
        answers: list[Any] = pipe.execute()
    return answers
