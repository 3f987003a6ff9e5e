"""Which cells hang together, and which leaders are in each part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.games.tigris_euphrates.board import OFF, Board, CellSet


class Kingdom(NamedTuple):
    """A region with leaders: TE-1.8, TE-1.9. Kingdoms are in order by their first leaders."""

    leaders: tuple[int, ...]
    cells: CellSet
    around: CellSet
    """All cells beside one of its cells."""


def region_at(board: Board, occupied: CellSet, cell: int) -> tuple[CellSet, CellSet]:
    """The cells that hang together with an occupied one, and all beside them: TE-1.7, TE-1.8."""
    beside = board.beside
    found, around = 0, board.bits[cell]
    while more := around & occupied & ~found:
        found |= more
        around |= beside(more)
    return found, beside(found)


def kingdoms_of(
    board: Board, occupied: CellSet, leaders: Sequence[int], known: Iterable[Kingdom] = ()
) -> tuple[Kingdom, ...]:
    """All kingdoms, of which some are known already: TE-1.9."""
    bits, found, seen = board.bits, list(known), 0
    for kingdom in found:
        seen |= kingdom.cells
    homes = [(leader, bits[cell]) for leader, cell in enumerate(leaders) if cell != OFF]
    for _, home in homes:
        if not seen & home:
            cells, around = region_at(board, occupied, home.bit_length() - 1)
            there = tuple([leader for leader, other in homes if cells & other])
            found.append(Kingdom(there, cells, around))
            seen |= cells
    found.sort()
    return tuple(found)


def first_cell(kingdom: Kingdom) -> CellSet:
    """Where a kingdom begins, row by row."""
    return kingdom.cells & -kingdom.cells


def beside_more_than(most: int, kingdoms: Iterable[Kingdom]) -> CellSet:
    """The cells that are beside more than so many kingdoms: TE-4.1, TE-4.2."""
    counted = [0] * (most + 1)  # by a number: the cells beside more kingdoms than that
    for kingdom in kingdoms:
        more = kingdom.around
        for fewer, cells in enumerate(counted):
            counted[fewer], more = cells | more, cells & more
    return counted[most]
