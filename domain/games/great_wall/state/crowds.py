"""Clerks in all Locations at once: a number with eight bits for each Location holds their counts.

Counts of several clans are added in one step. Of each eight bits the highest is free; a set of
Locations is a number in which no other bits are set.
"""

from __future__ import annotations

from functools import cache, lru_cache

from domain.games.great_wall import board
from domain.games.great_wall.state.counts import Counts

Crowd = int
"""By Location, how many clerks there are, fewer than 128."""
Places = int
"""A set of Locations."""

BIT: dict[board.Location, Places] = {
    place: 0x80 << 8 * number for number, place in enumerate(board.LOCATIONS)
}
"""By Location, the set of it alone."""
EVERYWHERE: Places = sum(BIT.values())
REGULAR: Places = sum(BIT[place] for place in board.REGULAR)
SPECIAL: Places = sum(BIT[place] for place in board.SPECIAL)
_ONE_SHORT: Crowd = sum(0x7F << 8 * number for number in range(len(board.LOCATIONS)))
_UNUSED: dict[board.Side, Crowd] = {
    side: sum(
        (0x80 - (row.slots[side] or 0)) << 8 * number
        for number, row in enumerate(board.PLACES.values())
    )
    for side in board.TIME_TRACK
}
"""With as many clerks more the highest bit of a Location is set if no slot of it is left."""


@lru_cache(2**14)
def crowd(clerks: Counts) -> Crowd:
    """The clerks of a clan."""
    return int.from_bytes(bytes(clerks), "little")


def visited(clerks: Crowd) -> Places:
    """Where there is a clerk."""
    return clerks + _ONE_SHORT & EVERYWHERE


def full(clerks: Crowd, side: board.Side) -> Places:
    """The regular Locations without a slot left: GW-6.3."""
    return clerks + _UNUSED[side] & REGULAR


def these(places: tuple[board.Location, ...]) -> Places:
    """The set of these Locations, of which some may be named twice."""
    found = 0
    for place in places:
        found |= BIT[place]
    return found


@cache
def listed(places: Places) -> tuple[board.Location, ...]:
    """The Locations of a set, in the order of the board."""
    return tuple(place for place, bit in BIT.items() if places & bit)
