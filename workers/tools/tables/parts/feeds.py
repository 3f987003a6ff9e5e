"""Which matches are over since a place in the feeds, each exactly once.

A match counts at the entry after which nothing more is to be done for it: it is scored, its rating
has been noted or is not to be, the next match of its series is open. That follows from its entries
alone, so whoever reads the feeds finds each match at one place in them, and always the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct

from domain.engine.game import Game
from domain.match.log import Damaged, Entry, fold_match, follow
from domain.match.scheduled_work import due
from domain.match.state import Match
from service.analytics.table_folders import Reached
from service.store.entry_codec import Pointer
from service.store.event_store import Store
from workers.host.errors import CannotRun

PAGE = 500
LAST_KINDS = frozenset({"Scored", "Rated", "Unrated", "Continued"})
"""Entries after which nothing may be left to do."""
FEWEST = 2
"""Nothing is over at once."""


class Seen(Struct, frozen=True):
    """A pointer of a feed, and whether its match may count there."""

    partition: int
    pointer: Pointer
    candidate: bool

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands."""
        return self.partition, self.pointer.position

    @property
    def reached(self) -> Reached:
        """That a feed was read as far as that."""
        return Reached(self.pointer.position, _mark(self.pointer))


def lengths(store: Store) -> Mapping[int, int]:
    """How long all feeds are."""
    return {partition: store.feed_length(partition) for partition in range(store.partitions)}


def check(store: Store, reached: Mapping[int, Reached]) -> None:
    """CannotRun unless these places are still in the feeds."""
    for partition, place in reached.items():
        found = store.feed(partition, place.position - 1, 1)
        if not found or Reached(found[0].position, _mark(found[0])) != place:
            raise CannotRun(
                "The tables there are of another store, or of what this one was before a restore:"
                " name another folder."
            )


def again(store: Store, places: Iterable[tuple[int, int]]) -> Iterator[Seen]:
    """The pointers at these places, which were seen before."""
    for partition, position in places:
        for pointer in store.feed(partition, position - 1, 1):
            yield Seen(partition, pointer, candidate=True)


def seen(store: Store, reached: Mapping[int, Reached], ends: Mapping[int, int]) -> Iterator[Seen]:
    """All pointers after these places up to those ends, a page of each partition in turn: so what
    happened at the same time comes about together.
    """
    places = {partition: place.position for partition, place in reached.items()}
    left = [partition for partition, end in ends.items() if places.get(partition, 0) < end]
    while left:
        for partition in left:
            start, end = places.get(partition, 0), ends[partition]
            portion = store.portion({partition: start}, min(PAGE, end - start)).get(partition, ())
            for pointer, entry in portion:
                yield Seen(partition, pointer, _may_count(entry))
            places[partition] = portion[-1][0].position if portion else end
        left = [partition for partition in left if places[partition] < ends[partition]]


def settled(games: Mapping[str, Game[Any]], entries: Sequence[Entry]) -> Match | None:
    """The match, if it counts at the last of these entries; Damaged."""
    if len(entries) < FEWEST:
        return None
    match = fold_match(games, entries[:-1])
    if _is_settled(match):
        return None
    follow(match, entries[-1])
    return match if _is_settled(match) else None


def _is_settled(match: Match) -> bool:
    return match.status == "scored" and not due(match)


def _mark(pointer: Pointer) -> str:
    return sha256(f"{pointer.match} {pointer.version}".encode()).hexdigest()[:16]


def _may_count(entry: Entry | Damaged) -> bool:
    return isinstance(entry, Damaged) or entry.kind in LAST_KINDS
