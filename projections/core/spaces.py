"""Where projections keep what they fold: one space of keys per partition and generation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace
from redis import Redis

from domain.match.log import Entry
from projections.core.summary import Summary

T = TypeVar("T")


class Change(msgspec.Struct, frozen=True):
    """What an entry, or some in a row, made of a match; `before` is None for a new one."""

    position: int
    """Of the last of them in the feed."""
    before: Summary | None
    after: Summary
    concerned: frozenset[str]
    """Who knew of the match before, or knows of it now."""
    entry: Entry
    """The last of them."""


Command = tuple[str | int, ...]
"""A command of Redis, word by word."""

Read = Callable[[str], Sequence[Entry]]
"""The entries of a match by its id, oldest first; Damaged if they cannot be read."""

Apply = Callable[[str, Sequence[Change]], Iterable[Command]]
"""What changes, one for each entry and those of each match in order, write into a space."""


def silent(space: str, changes: Sequence[Change]) -> Iterable[Command]:
    """Tell nobody of changes."""
    return ()


def merged(changes: Sequence[Change]) -> Sequence[Change]:
    """The same changes, those of each match as one."""
    if len(changes) < 2:
        return changes
    found: dict[str, Change] = {}
    for change in changes:
        match = change.after.id
        earlier = found.get(match)
        found[match] = replace(change, before=earlier.before) if earlier else change
    return list(found.values())


class Projection(msgspec.Struct, frozen=True):
    """A read model; a new version is folded from the first entry, beside the old one."""

    name: str
    version: int
    apply: Apply
    tell: Apply = silent
    """What wakes those who listen; not for what happened long ago."""

    @property
    def key(self) -> str:
        """Name and version, as they stand in keys."""
        return f"{self.name}:v{self.version}"


def tag(partition: int) -> str:
    """What all keys of a partition begin with, so that they share one slot of a cluster."""
    return f"{{p{partition}}}"


def feed_of(partition: int) -> str:
    """The key of the feed of a partition."""
    return f"{tag(partition)}:feed"


def live_key(partition: int, projection: Projection) -> str:
    """The key that names the generation which is read; there is none before the first rebuild."""
    return f"{tag(partition)}:rm:{projection.key}"


def space_of(partition: int, projection: Projection, generation: int) -> str:
    """What the keys of a generation begin with."""
    return f"{live_key(partition, projection)}:{generation}"


def checkpoint(space: str) -> str:
    """The key of the position in the feed up to which a space is folded."""
    return f"{space}:at"


def together(redis: object, things: Sequence[T]) -> list[Sequence[T]]:
    """Things of several partitions, as they may go into one command: all of them, but on a cluster
    each by itself, since no command goes beyond a slot.
    """
    return [things] if isinstance(redis, Redis) else [[one] for one in things]
