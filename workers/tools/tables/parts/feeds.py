"""Finds the matches that have ended since a position in the feeds, each exactly once.

A match counts at the entry after which nothing more is due: it is scored, it is rated or will not
be, and the next match of its series is open. That follows only from its entries, so every reader of
the feeds finds each match at the same position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct

from domain.engine.game import Game
from domain.match.log import CorruptEntry, Entry, apply_entry, fold_match
from domain.match.scheduled_work import is_complete
from domain.match.state import Match
from service.analytics.table_folders import FeedMark
from service.store.entry_codec import Pointer
from service.store.event_store import EventStore
from workers.host.errors import CannotRun

FEED_BATCH = 500
LAST_KINDS = frozenset({"Scored", "Rated", "Unrated", "Continued"})
"""The kinds of entries after which a match may be complete."""
MIN_ENTRIES = 2
"""A complete match has at least this many entries."""


class FeedItem(Struct, frozen=True):
    """A pointer of a feed, and whether its match may be complete there."""

    partition: int
    pointer: Pointer
    candidate: bool

    @property
    def location(self) -> tuple[int, int]:
        """The partition and the position of the pointer."""
        return self.partition, self.pointer.position

    @property
    def mark(self) -> FeedMark:
        """The mark that the feed has been read up to this pointer."""
        return FeedMark(self.pointer.position, _hash_pointer(self.pointer))


def feed_lengths(store: EventStore) -> Mapping[int, int]:
    """Return the lengths of all feeds, by partition."""
    return {partition: store.feed_length(partition) for partition in range(store.partitions)}


def check_marks(store: EventStore, reached: Mapping[int, FeedMark]) -> None:
    """CannotRun unless the feeds still have these marks."""
    for partition, place in reached.items():
        found = store.read_feed(partition, place.position - 1, 1)
        if not found or FeedMark(found[0].position, _hash_pointer(found[0])) != place:
            raise CannotRun(
                "The tables there come from another store, or from this one before a restore:"
                " name another folder."
            )


def reread(store: EventStore, positions: Iterable[tuple[int, int]]) -> Iterator[FeedItem]:
    """Yield the pointers at these positions, which an earlier export could not read."""
    for partition, position in positions:
        for pointer in store.read_feed(partition, position - 1, 1):
            yield FeedItem(partition, pointer, candidate=True)


def read_new(
    store: EventStore, reached: Mapping[int, FeedMark], ends: Mapping[int, int]
) -> Iterator[FeedItem]:
    """Yield all pointers after these positions up to the ends, a batch of each partition in turn,
    so that simultaneous entries come close together.
    """
    positions = {partition: place.position for partition, place in reached.items()}
    left = [partition for partition, end in ends.items() if positions.get(partition, 0) < end]
    while left:
        for partition in left:
            start, end = positions.get(partition, 0), ends[partition]
            batch = store.read_batch({partition: start}, min(FEED_BATCH, end - start)).get(
                partition, ()
            )
            for pointer, entry in batch:
                yield FeedItem(partition, pointer, _may_count(entry))
            positions[partition] = batch[-1][0].position if batch else end
        left = [partition for partition in left if positions[partition] < ends[partition]]


def complete_match(games: Mapping[str, Game[Any]], entries: Sequence[Entry]) -> Match | None:
    """Return the match, if it is complete since the last of these entries; otherwise None. Raises
    CorruptEntry.
    """
    if len(entries) < MIN_ENTRIES:
        return None
    match = fold_match(games, entries[:-1])
    if is_complete(match):
        return None
    apply_entry(match, entries[-1])
    return match if is_complete(match) else None


def _hash_pointer(pointer: Pointer) -> str:
    return sha256(f"{pointer.match} {pointer.version}".encode()).hexdigest()[:16]


def _may_count(entry: Entry | CorruptEntry) -> bool:
    return isinstance(entry, CorruptEntry) or entry.kind in LAST_KINDS
