"""The state of the table, and the agenda."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from domain.engine.play import Seat, clockwise
from domain.games.qin import board as box
from domain.games.qin.state.setup import Setup

EndReason = Literal["last_pagoda", "tiles_exhausted", "blocked"]
NOBODY = 0
RUINED = 9
"""Owners of an area: 0 for none, seat + 1, or RUINED for none for ever."""


class LastPlacement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tile that was placed last."""

    seat: Seat
    kind: box.Kind
    halves: tuple[box.Half, box.Half]


@dataclass(slots=True)
class State:
    """The table. The number of an area is its first cell + 1; 0 is no area: QIN-2.5."""

    setup: Setup
    board: box.Board
    agenda: list[Any]
    cells: bytearray  # by cell: free, the number of a colour, or another kind of ground
    areas: bytearray  # by cell: the area
    sizes: bytearray  # by area: the number of spaces
    owners: bytearray  # by area: NOBODY, seat + 1, or RUINED
    pagodas: bytearray  # by area: the number of pagodas
    near_villages: list[int]  # by area: flags of the villages beside it
    villages: bytearray  # by cell: NOBODY or seat + 1
    supply: list[int]
    hands: list[list[int]]  # by seat: the number of tiles of each kind
    pile: list[int]  # the number of tiles of each kind
    free: int  # flags of the cells where a tile may lie
    once: list[int]  # by colour: flags of the cells with spaces of it on at least one side
    twice: list[int]  # by colour: flags of the cells with spaces of it on at least two sides
    right: int  # flags of the left cell of each pair in a row where a tile may lie
    down: int  # flags of the upper cell of each such pair in a column
    in_question: int = field(compare=False)
    """Flags of the villages beside areas that the last tile changed; all villages until a second
    tile is laid.
    """
    first: Seat = 0
    last: LastPlacement | None = None
    ended: EndReason | None = None
    winners: tuple[Seat, ...] = ()
    _laid: bool = field(default=False, compare=False)  # whether a tile was laid since setup

    def copy(self) -> State:
        """A copy that shares nothing mutable."""
        return State(
            self.setup,
            self.board,
            self.agenda[:],
            self.cells[:],
            self.areas[:],
            self.sizes[:],
            self.owners[:],
            self.pagodas[:],
            self.near_villages[:],
            self.villages[:],
            self.supply[:],
            [hand[:] for hand in self.hands],
            self.pile[:],
            self.free,
            self.once[:],
            self.twice[:],
            self.right,
            self.down,
            self.in_question,
            self.first,
            self.last,
            self.ended,
            self.winners,
            self._laid,
        )

    def lay(self, halves: Iterable[box.Half]) -> None:
        """Lay a tile; each half is a single space at first: QIN-4.1."""
        width = self.board.width
        for half in halves:
            self._cover(half.row * width + half.col, box.NUMBER_OF[half.color])
        self._find_places()
        if self._laid:
            self.in_question = 0
        self._laid = True

    def cover(self, colours: Iterable[tuple[int, int]]) -> None:
        """Make each of these cells a province space of this colour, with an area of its own:
        QIN-2.4, QIN-2.5.
        """
        for cell, colour in colours:
            self._cover(cell, colour)
        self._find_places()

    def _cover(self, cell: int, colour: int) -> None:
        once, beside = self.once, self.board.flags_beside[cell]
        self.cells[cell] = colour
        self.free &= ~self.board.flags[cell]
        self.twice[colour] |= once[colour] & beside
        once[colour] |= beside
        self.areas[cell] = area = cell + 1
        self.sizes[area] = 1
        self.near_villages[area] = self.board.villages_beside[cell]

    def _find_places(self) -> None:
        """Update the flags of adjacent free cells of which one touches a province space: QIN-4.3,
        QIN-4.4.
        """
        board, row = self.board, 8 * self.board.width
        free, (_, red, yellow, blue) = self.free, self.once
        touched = red | yellow | blue
        self.right = free & (free & board.within) >> 8 & (touched | touched >> 8)
        self.down = free & free >> row & (touched | touched >> row)

    def unite(self, spaces: Sequence[box.Space]) -> int:
        """Unite the areas of these spaces with all their pagodas, and return the number of the
        area.
        """
        cells, width = self.areas, self.board.width
        root, *others = sorted({cells[row * width + col] for row, col in spaces})
        for area in others:
            if self.sizes[area] == 1:
                cells[area - 1] = root
            else:
                cells = cells.replace(bytes((area,)), bytes((root,)))
            self.sizes[root] += self.sizes[area]
            self.pagodas[root] += self.pagodas[area]
            self.near_villages[root] |= self.near_villages[area]
            self.sizes[area] = self.owners[area] = self.pagodas[area] = 0
            self.near_villages[area] = 0
        self.areas = cells
        self.in_question |= self.near_villages[root]
        return root

    def space(self, area: int) -> box.Space:
        """The first space of an area."""
        return self.board.spaces[area - 1]

    def area(self, space: box.Space) -> int:
        """The number of the area with this space."""
        return self.areas[space[0] * self.board.width + space[1]]

    def turn_order(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats from this one on, clockwise, which is by seat number: QIN-3.7."""
        return clockwise(seat, len(self.supply))


def blank(setup: Setup, seats: int) -> State:
    """The table at the start: no provinces, no villages taken, all tiles in the pile: QIN-3.2,
    QIN-3.8.
    """
    state = bare(setup, setup.rows, seats)
    starts = enumerate(state.board.ground)
    state.cover((cell, what) for cell, what in starts if box.FREE < what < box.VILLAGE)
    return state


def bare(setup: Setup, rows: box.Rows, seats: int) -> State:
    """A table with this layout where even the start spaces are not areas yet."""
    board = box.board_of(rows)
    size = len(board.ground)
    return State(
        setup=setup,
        board=board,
        agenda=[],
        cells=bytearray(board.ground),
        areas=bytearray(size),
        sizes=bytearray(size + 1),
        owners=bytearray(size + 1),
        pagodas=bytearray(size + 1),
        near_villages=[0] * (size + 1),
        villages=bytearray(size),
        supply=[setup.allotment] * seats,
        hands=[[0] * len(box.KINDS) for _ in range(seats)],
        pile=list(box.TILES),
        free=board.grassland,
        once=[0] * box.VILLAGE,
        twice=[0] * box.VILLAGE,
        right=0,
        down=0,
        in_question=board.village_flags,
    )


def tiles_of(counts: Sequence[int]) -> tuple[box.Kind, ...]:
    """The tiles of a hand, kind by kind."""
    return tuple(kind for kind, count in zip(box.KINDS, counts, strict=True) for _ in range(count))


def on_provinces(state: State, seat: Seat) -> int:
    """The number of pagodas of this seat on provinces: QIN-2.9."""
    pairs = zip(state.owners, state.pagodas, strict=True)
    return sum(pagodas for owner, pagodas in pairs if owner == seat + 1)
