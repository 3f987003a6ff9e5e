"""Connected regions of cells, and the leaders in each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from domain.games.tigris_euphrates.board import Board, CellSet


class Kingdom(NamedTuple):
    """A region with leaders: TE-1.8, TE-1.9. Kingdoms are ordered by their first leaders."""

    leaders: tuple[int, ...]
    cells: CellSet
    around: CellSet
    """All cells beside one of its cells."""


def region_at(board: Board, occupied: CellSet, cell: int) -> tuple[CellSet, CellSet]:
    """The cells connected with an occupied cell, and all cells beside them: TE-1.7, TE-1.8."""
    beside, more = board.beside, board.bits[cell]
    rest = occupied & ~more
    while more:
        more = beside(more) & rest
        rest ^= more
    found = occupied ^ rest
    return found, beside(found)


def join(
    board: Board, occupied: CellSet, kingdoms: Iterable[Kingdom], cell: int, leader: int | None
) -> Kingdom:
    """The kingdom that a piece, which may be a leader, makes of those it touches: TE-4.1."""
    leaders = [] if leader is None else [leader]
    cells, around = board.bits[cell], board.beside(board.bits[cell])
    for others, theirs, near in kingdoms:
        leaders += others
        cells |= theirs
        around |= near
    if around & occupied & ~cells:  # regions without leaders join too
        cells, around = region_at(board, occupied, cell)
    return Kingdom(tuple(sorted(leaders)), cells, around)


def split(board: Board, kingdom: Kingdom, cell: int, homes: list[tuple[int, int]]) -> list[Kingdom]:
    """The kingdoms that remain of one without a cell: one, several or none: TE-1.8, TE-1.9.

    `homes` has the remaining leaders with their cells.
    """
    found, rest = [], kingdom.cells & ~board.bits[cell]
    near = board.reach[cell] & rest
    while near and homes:
        cells = more = near & -near
        while more and near & ~cells:
            more = board.beside(more) & rest & ~cells
            cells |= more
        near &= ~cells
        if not near:  # the remaining cells were connected through these
            cells = rest
        rest ^= cells
        if there := [leader for leader, home in homes if cells & board.bits[home]]:
            found.append(Kingdom(tuple(there), cells, board.beside(cells)))
            homes = [other for other in homes if other[0] not in there]
    return found


def first_cell(kingdom: Kingdom) -> CellSet:
    """The first cell of a kingdom, row by row."""
    return kingdom.cells & -kingdom.cells


def beside_more_than(kingdoms: Iterable[Kingdom]) -> tuple[CellSet, CellSet, CellSet]:
    """The cells beside more than zero, one and two kingdoms: TE-4.1, TE-4.2."""
    none = one = two = 0
    for _, _, around in kingdoms:
        two |= one & around
        one |= none & around
        none |= around
    return none, one, two
