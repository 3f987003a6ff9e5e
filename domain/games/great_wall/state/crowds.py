"""Clerks in all Locations as one number, with eight bits for the count of each Location.

So one addition adds the counts of two clans. The highest of each eight bits is free; a set of
Locations is a number with only these bits set.
"""

from __future__ import annotations

from functools import lru_cache

from domain.games.great_wall import board
from domain.games.great_wall.state.counts import Counts

Crowd = int
"""By Location, how many clerks there are, fewer than 128."""
Places = int
"""A set of Locations."""

BIT: dict[board.Location, Places] = {
    place: 0x80 << 8 * number for number, place in enumerate(board.LOCATIONS)
}
"""By Location, the set that contains only it."""
EVERYWHERE: Places = sum(BIT.values())
REGULAR: Places = sum(BIT[place] for place in board.REGULAR)
SPECIAL: Places = sum(BIT[place] for place in board.SPECIAL)
_ONE_SHORT: Crowd = sum(0x7F << 8 * number for number in range(len(board.LOCATIONS)))
_OFFSET_TO_FULL: dict[board.Side, Crowd] = {
    side: sum(
        (0x80 - (row.slots[side] or 0)) << 8 * number
        for number, row in enumerate(board.PLACES.values())
    )
    for side in board.TIME_TRACK
}
"""Adding this to a crowd sets the highest bit of each regular Location without a free slot."""


@lru_cache(2**14)
def crowd(clerks: Counts) -> Crowd:
    """The clerks of a clan as a crowd."""
    return int.from_bytes(bytes(clerks), "little")


def find_visited(clerks: Crowd) -> Places:
    """The Locations with at least one clerk."""
    return clerks + _ONE_SHORT & EVERYWHERE


def find_full(clerks: Crowd, side: board.Side) -> Places:
    """The regular Locations without a free slot: GW-6.3."""
    return clerks + _OFFSET_TO_FULL[side] & REGULAR


def set_of(places: tuple[board.Location, ...]) -> Places:
    """The set of these Locations, which may contain duplicates."""
    found = 0
    for place in places:
        found |= BIT[place]
    return found


@lru_cache(2**12)
def list_places(places: Places) -> tuple[board.Location, ...]:
    """The Locations of a set, in the order of the board."""
    return tuple(place for place, bit in BIT.items() if places & bit)
