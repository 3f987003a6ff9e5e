"""The record of a position, and what it puts on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, ClassVar, Self

import msgspec

from domain.engine.constraints import PerSeat
from domain.engine.errors import require
from domain.engine.game import Json, seats_to_move
from domain.engine.play import Seat
from domain.engine.positions import reader
from domain.games.qin import board as box
from domain.games.qin.state import table
from domain.games.qin.state.setup import Setup
from domain.games.qin.state.steps import Turn
from domain.games.qin.state.table import NOBODY, RUINED, State
from domain.games.qin.state.tiles import fill_hands_and_pile

Grid = Annotated[box.Rows, msgspec.Meta(min_length=1, max_length=box.LARGEST)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Hand = Annotated[tuple[box.Kind, ...], msgspec.Meta(max_length=box.HAND_SIZE)]
SIGNS = ".V~#RYBryb"


class Position(reader.Position, tag="qin", frozen=True):
    """A table; a match starts where a turn begins: see docs/games/qin.md."""

    history: ClassVar[frozenset[str]] = frozenset({"last"})

    cells: Grid
    owners: Grid
    active: Seat | None = 0
    supply: PerSeat[Count] | None = None
    hands: PerSeat[Hand] | None = None
    pile: tuple[box.Kind, ...] | dict[box.Kind, Count] | None = None
    first: Seat | None = None
    last: table.LastPlacement | None = None
    ended: table.EndReason | None = None
    winners: tuple[Seat, ...] = ()

    def __post_init__(self) -> None:
        """Count the tiles of a pile that is a list."""
        if isinstance(self.pile, tuple):
            msgspec.structs.force_setattr(self, "pile", dict(Counter(self.pile)))

    def bare_table(self, setup: Setup, seats: int) -> State:
        """A table with the layout of the position."""
        return table.bare(setup, self.layout(), seats)

    def layout(self) -> box.Rows:
        """The layout below the tiles. Raises BadPosition unless the rows are a board: QIN-2.1."""
        width, most = len(self.cells[0]), box.LARGEST
        same = len(self.cells) == len(self.owners)
        same = same and all(len(row) == width for row in (*self.cells, *self.owners))
        require(same, "`cells` and `owners` must have as many rows, all of the same length.")
        require(0 < width <= most, f"A row of `cells` must have 1 to {most} signs.")
        strange = "".join({*"".join(self.cells)} - {*SIGNS})
        require(not strange, f"`cells` knows no {strange!r}, only the signs {SIGNS}")
        return tuple("".join("." if sign in "ryb" else sign for sign in row) for row in self.cells)

    def put(self, state: State) -> None:
        """Lay the tiles, and put down pagodas, hands and pile."""
        signs = enumerate("".join(self.cells).upper())
        state.cover((cell, box.NUMBER_OF[sign]) for cell, sign in signs if sign in box.COLORS)
        _unite_areas(state)
        _put_owners(state, "".join(self.owners))
        _put_supply(state, given=self.supply)
        state.agenda = [] if self.active is None else [Turn((self.active,))]
        state.first = (self.active or 0) if self.first is None else self.first
        fill_hands_and_pile(state, self.hands, None if self.pile is None else Counter(self.pile))

    def without_short_forms(self) -> Self:
        """Without a pile that hands were dealt from."""
        return msgspec.structs.replace(self, pile=None) if self.hands is None else self

    @staticmethod
    def show(state: State) -> Json:
        """The board, and the tiles off it; after the end no seat is active."""
        piles = zip(box.KINDS, state.pile, strict=True)
        return {
            "cells": cell_rows(state),
            "owners": owner_rows(state),
            "active": next(iter(seats_to_move(state)), None),
            "supply": tuple(state.supply),
            "hands": tuple(map(table.tiles_of, state.hands)),
            "pile": {kind: count for kind, count in piles if count},
            "first": state.first,
        }


def setup_for(setup: Setup, data: Json) -> Setup:
    """The setup of a match that starts from a position, with the board of the position.

    Reads only the layout, not the tiles on it; BadPosition if the position cannot be read.
    """
    layout = reader.convert(Position, data).layout()
    named = next((name for name, rows in box.SIDES.items() if rows == layout), "custom")
    return msgspec.structs.replace(setup, board=named, rows=layout)


def cell_rows(state: State) -> box.Rows:
    """The content of each cell: the signs of the layout, and r, y, b for halves of tiles."""
    signs = "".join(state.board.rows)
    covered = "." + box.COLORS.lower()
    cells = zip(signs, state.cells, strict=True)
    return _rows(state, [covered[what] if sign == "." else sign for sign, what in cells])


def owner_rows(state: State) -> box.Rows:
    """The owner of each cell: a seat, x for ruined, or a dot."""
    owners, villages = state.owners, state.villages
    held = (owners[area] or villages[cell] for cell, area in enumerate(state.areas))
    return _rows(state, [_OWNER_SIGNS[owner] for owner in held])


_OWNER_SIGNS = {NOBODY: ".", RUINED: "x", **{seat + 1: str(seat) for seat in range(4)}}
_OWNERS = {sign: owner for owner, sign in _OWNER_SIGNS.items()}


def _rows(state: State, signs: Sequence[str]) -> box.Rows:
    width = state.board.width
    return tuple("".join(signs[at : at + width]) for at in range(0, len(signs), width))


def _unite_areas(state: State) -> None:
    """Unite adjacent spaces of one colour into areas: QIN-2.5."""
    cells, spaces = state.cells, state.board.spaces
    for cell, around in enumerate(state.board.neighbours):
        for other in around:
            if cell < other and box.FREE < cells[cell] == cells[other] < box.VILLAGE:
                state.unite((spaces[cell], spaces[other]))


def _put_owners(state: State, signs: str) -> None:
    """Give villages and areas, by their first cells, the owners that they can have: QIN-2.6."""
    ruins = state.setup.joining_majors != "forbidden"
    owners = (NOBODY, *range(1, len(state.supply) + 1))
    for cell, sign in enumerate(signs):
        owner, area = _OWNERS.get(sign, NOBODY), cell + 1
        if state.cells[cell] == box.VILLAGE:
            state.villages[cell] = owner if owner in owners else NOBODY
        elif state.areas[cell] == area and owner == RUINED:
            state.owners[area] = RUINED if ruins else NOBODY
        elif state.areas[cell] == area and state.sizes[area] > 1:
            name = box.name_of(*state.board.spaces[cell])
            require(owner in owners[1:], f"`owners` must say which seat has the area of {name}.")
            state.owners[area] = owner
            state.pagodas[area] = 2 if state.sizes[area] >= box.MAJOR else 1


def _put_supply(state: State, given: Sequence[int] | None) -> None:
    """Set the supplies to the pagodas that are not on the board, or to fewer: QIN-2.9.

    A smaller supply is as if pagodas were out of the game; only an ended game has an empty one.
    """
    most = [_not_placed(state, seat) for seat in range(len(state.supply))]
    least = 0 if state.ended else 1
    state.supply = list(most if given is None else given)
    for seat, (left, possible) in enumerate(zip(state.supply, most, strict=True)):
        fits = least <= left <= possible
        require(fits, f"The supply of seat {seat} is {left}, not {least} to {possible}.")


def _not_placed(state: State, seat: Seat) -> int:
    """The pagodas off the board. A winner may lack some at the end of the game: QIN-8.4."""
    left = state.setup.allotment - state.villages.count(seat + 1)
    left -= table.on_provinces(state, seat)
    for area, owner in enumerate(state.owners):
        if state.ended and left < 0 and owner == seat + 1:
            missing = min(-left, state.pagodas[area])
            state.pagodas[area] -= missing
            left += missing
    return left
