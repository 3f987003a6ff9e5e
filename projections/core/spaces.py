"""Key spaces of projections: one per partition, projection and generation."""

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
    """What one entry, or several in a row, changed in a match; `before` is None for a new match."""

    position: int
    """Position of the last entry in the feed."""
    before: Summary | None
    after: Summary
    audience: frozenset[str]
    """Who could see the match before the change or can see it now."""
    entry: Entry
    """The last entry."""


Command = tuple[str | int, ...]
"""A Redis command, as a tuple of words."""

Read = Callable[[str], Sequence[Entry]]
"""Returns the entries of a match by its id, oldest first; raises CorruptEntry."""

Apply = Callable[[str, Sequence[Change]], Iterable[Command]]
"""Returns the commands that write changes into a space.

Changes come one per entry; those of one match are in order.
"""


def publish_nothing(space: str, changes: Sequence[Change]) -> Iterable[Command]:
    """Publish no changes."""
    return ()


def merge_by_match(changes: Sequence[Change]) -> Sequence[Change]:
    """Merge the changes of each match into one."""
    if len(changes) < 2:
        return changes
    found: dict[str, Change] = {}
    for change in changes:
        match = change.after.id
        earlier = found.get(match)
        found[match] = replace(change, before=earlier.before) if earlier else change
    return list(found.values())


class Projection(msgspec.Struct, frozen=True):
    """A read model. A new version is folded from the first entry, beside the old one."""

    name: str
    version: int
    apply: Apply
    publish: Apply = publish_nothing
    """Wakes subscribers; a rebuild does not call it for old entries."""

    @property
    def key(self) -> str:
        """Name and version, as used in Redis keys."""
        return f"{self.name}:v{self.version}"


def slot_tag(partition: int) -> str:
    """Return the prefix of all keys of a partition; it puts them into one slot of a cluster."""
    return f"{{p{partition}}}"


def feed_key(partition: int) -> str:
    """Return the key of the feed of a partition."""
    return f"{slot_tag(partition)}:feed"


def generation_key(partition: int, projection: Projection) -> str:
    """Return the key that holds the number of the live generation; missing before the first
    rebuild.
    """
    return f"{slot_tag(partition)}:rm:{projection.key}"


def space_of(partition: int, projection: Projection, generation: int) -> str:
    """Return the prefix of the keys of a generation."""
    return f"{generation_key(partition, projection)}:{generation}"


def position_key(space: str) -> str:
    """Return the key of the feed position up to which a space is folded."""
    return f"{space}:at"


def group_by_slot(redis: object, items: Sequence[T]) -> list[Sequence[T]]:
    """Group items of several partitions by what one command can touch.

    A single server takes all of them; on a cluster each is by itself, since a command stays in a
    slot.
    """
    return [items] if isinstance(redis, Redis) else [[one] for one in items]
