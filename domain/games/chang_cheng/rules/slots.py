"""The moves that name a cell or a region, made once per row of boards and shared by all tables."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from domain.engine.play import Seat
from domain.games.chang_cheng import board, moves
from domain.games.chang_cheng.state.table import FULL_HAND, cards_of

HANDS = tuple(
    sum(1 << board.CELL_BITS * (number - 1) for number in cards_of(hand))
    for hand in range(FULL_HAND + 1)
)
"""By hand, its cards as marks; times the marks of some regions, its cards in each of these."""


class Slots(NamedTuple):
    """All moves of a seat on a row of boards, by their cells from left to right."""

    singles: tuple[moves.BuildSingle, ...]
    doubles: tuple[moves.BuildDouble, ...]
    towers: tuple[moves.BuildTower, ...]
    neutral: tuple[moves.BuildNeutral, ...]
    cards: tuple[moves.LayCard, ...]
    """By region from left to right, all the cards that there are."""
    firsts: tuple[tuple[int, int], ...]
    """Each region as a row, and the mark of the first of its cards."""


@lru_cache(maxsize=256)  # some 11 kB each
def slots_on(wall: board.Wall, seat: Seat) -> Slots:
    """What a seat may build on these boards at the very most: CC-1.2."""
    names = [board.CELLS[cell] for cell in wall.cells]
    return Slots(
        tuple(moves.BuildSingle(seat, name) for name in names),
        tuple(moves.BuildDouble(seat, pair) for pair in pairwise(names)),
        tuple(moves.BuildTower(seat, name) for name in names),
        tuple(moves.BuildNeutral(seat, name) for name in names),
        tuple(moves.LayCard(seat, board.CHINA[r], n) for r in wall.china for n in board.CARDS),
        tuple(
            (row, 1 << board.CELL_BITS * len(board.CARDS) * i)
            for i, row in enumerate(wall.regions.values())
        ),
    )
