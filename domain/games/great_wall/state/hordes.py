"""Horde cards on the board: their spots, and the soldiers on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from domain.games.great_wall import board
from domain.games.great_wall.cards import decks

COLUMNS = 6
SPOTS = 2 * COLUMNS
NO_SPOT, FREE, WOUND = range(3)
_FIRST, _CODES = 3, 5
"""The first code of a soldier, and the number of codes for each clan."""
RIGHT, LEFT, DOWN, UP = range(1, 5)
"""Where the other spot of a Horseman is; 0 is a Spearman."""
_PARTNER = {RIGHT: 1, LEFT: -1, DOWN: COLUMNS, UP: -COLUMNS}
_BACK = {RIGHT: LEFT, DOWN: UP}


def neighbours(spot: int) -> tuple[int, ...]:
    """The spots to the right of this one and below it, if they exist: GW-10.7."""
    right = (spot + 1,) if spot % COLUMNS < COLUMNS - 1 else ()
    return (*right, spot + COLUMNS) if spot < COLUMNS else right


NEIGHBOURS = tuple(neighbours(spot) for spot in range(SPOTS))


class PlacedSoldier(msgspec.Struct, frozen=True):
    """A soldier on a Horde card, by the first of its spots."""

    clan: int
    soldier: board.Soldier
    spot: int


@lru_cache(2**12)
def _free(spots: bytes) -> tuple[int, ...]:
    return tuple(spot for spot, what in enumerate(spots) if what == FREE)


@lru_cache(2**12)
def _find_soldiers(spots: bytes) -> tuple[PlacedSoldier, ...]:
    found = []
    for spot, what in enumerate(spots):
        owner, kind = divmod(what - _FIRST, _CODES)
        if owner >= 0 and kind not in (LEFT, UP):
            found.append(PlacedSoldier(owner, "horseman" if kind else "spearman", spot))
    return tuple(found)


@lru_cache(2**12)
def _count_covered(spots: bytes) -> Counter[int]:
    """By clan, how many Vital spots it covers."""
    return Counter((what - _FIRST) // _CODES for what in spots if what >= _FIRST)


class Horde(msgspec.Struct, frozen=True):
    """A Horde card on the board, and what lies on each of its 12 spots."""

    card: str
    spots: bytes
    struck: tuple[int, ...] = ()  # clans that attacked it in this turn: GW-10.9

    @property
    def full(self) -> bool:
        """Whether no Vital spot is free: GW-10.10."""
        return FREE not in self.spots

    def free(self) -> tuple[int, ...]:
        """The free Vital spots, in reading order."""
        return _free(self.spots)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs of adjacent free spots: GW-10.4."""
        for spot in self.free():
            for other in NEIGHBOURS[spot]:
                if self.spots[other] == FREE:
                    yield spot, other

    def soldiers(self, clan: int | None = None) -> Sequence[PlacedSoldier]:
        """The soldiers on it, of one clan or of all, in reading order."""
        found = _find_soldiers(self.spots)
        return found if clan is None else [one for one in found if one.clan == clan]

    def count_covered(self, clan: int) -> int:
        """How many Vital spots a clan covers with soldiers: GW-10.11."""
        return _count_covered(self.spots).get(clan, 0)

    def spots_of(self, spot: int) -> tuple[int, ...]:
        """All spots of the soldier whose first spot this is."""
        kind = (self.spots[spot] - _FIRST) % _CODES
        return (spot, spot + _PARTNER[kind]) if kind else (spot,)

    def with_soldier(self, clan: int, spots: tuple[int, ...]) -> Horde:
        """The card with a soldier on these spots, two of them for a Horseman: GW-10.3, GW-10.4."""
        changed = bytearray(self.spots)
        code = _FIRST + _CODES * clan
        changed[spots[0]] = code
        if len(spots) > 1:
            way = RIGHT if spots[1] == spots[0] + 1 else DOWN
            changed[spots[0]], changed[spots[1]] = code + way, code + _BACK[way]
        return msgspec.structs.replace(self, spots=bytes(changed))

    def with_wounds(self, spots: tuple[int, ...]) -> Horde:
        """The card with Wound markers on these spots, also when a soldier leaves them: GW-10.8."""
        changed = bytearray(self.spots)
        for spot in spots:
            changed[spot] = WOUND
        return msgspec.structs.replace(self, spots=bytes(changed))


def new_horde(card: str) -> Horde:
    """A Horde card with all Vital spots free: GW-9.8."""
    grid = decks.HORDES[card].grid
    return Horde(card, bytes(NO_SPOT if reward is None else FREE for reward in grid))
