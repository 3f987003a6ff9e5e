"""Which cells hang together, and which leaders are in each part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from domain.games.tigris_euphrates.board import CATASTROPHE, EMPTY, OFF, Board

# Regions are worked out for nearly every move that is looked at, so this walks over bytes only.
_JOINS = bytes(what not in (EMPTY, CATASTROPHE) for what in range(256))


@dataclass(slots=True)
class Regions:
    """All regions of a board, numbered from 1: TE-1.8."""

    of: bytearray
    """By cell, its region, or 0."""
    kingdoms: dict[int, list[int]]
    """The regions with leaders, and the leaders in each: TE-1.9."""

    def cells(self, region: int) -> Iterator[int]:
        """The cells of a region."""
        return (cell for cell, other in enumerate(self.of) if other == region)


def regions_of(
    board: Board, cells: bytearray, leaders: Iterable[int], lifted: int = OFF
) -> Regions:
    """The regions, a leader that is moved lifted first: TE-1.7, TE-1.8, TE-4.3."""
    open_cells, neighbours = cells.translate(_JOINS), board.neighbours
    if lifted != OFF:
        open_cells[lifted] = 0
    of = bytearray(len(cells))
    region, start = 0, open_cells.find(1)
    while start >= 0:
        region += 1
        open_cells[start] = 0
        edge = [start]
        for cell in edge:  # grows while it is walked over
            of[cell] = region
            for near in neighbours[cell]:
                if open_cells[near]:
                    open_cells[near] = 0
                    edge.append(near)
        start = open_cells.find(1, start)
    kingdoms: dict[int, list[int]] = {}
    for leader, cell in enumerate(leaders):
        if cell not in (OFF, lifted):
            kingdoms.setdefault(of[cell], []).append(leader)
    return Regions(of, kingdoms)
