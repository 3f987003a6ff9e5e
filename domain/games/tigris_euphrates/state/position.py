"""The record of a position, and what it puts on the table."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from domain.engine.constraints import Choice, MidTurn, PerSeat, Unique
from domain.engine.errors import require
from domain.engine.game import Json
from domain.engine.play import Seat
from domain.engine.positions import reader
from domain.engine.positions.forms import Row
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.state import table
from domain.games.tigris_euphrates.state.setup import Setup
from domain.games.tigris_euphrates.state.steps import AnyStep, EndTurn, Turn
from domain.games.tigris_euphrates.state.table import State

Count = Annotated[int, msgspec.Meta(ge=0, le=255)]
Catastrophes = Annotated[int, msgspec.Meta(ge=0, le=board.CATASTROPHES)]
Counts = Annotated[dict[board.Color, Count], Row(board.COLORS, list)]
Tally = Annotated[int, msgspec.Meta(ge=0, le=9999)]
"""Points and conflicts, which the box does not limit."""
Points = Annotated[dict[board.Color, Tally], Row(board.COLORS, list)]
CounterName = Annotated[str, Choice("counter", lambda _: table.COUNTERS)]
Counters = Annotated[dict[CounterName, Tally], Row(table.COUNTERS, list)]


class Position(reader.Position, tag="tigris_euphrates", frozen=True):
    """A table at any moment; see docs/games/tigris_euphrates.md."""

    history: ClassVar[frozenset[str]] = frozenset({"last", "conflict", "counted"})

    tiles: dict[board.Cell, board.Color] | None = None
    treasures: Unique[board.Cell] | None = None
    catastrophes: tuple[board.Cell, ...] = ()
    monuments: dict[board.Pair, board.Cell] = {}
    leaders: PerSeat[dict[board.Color, board.Cell]] | None = None
    hands: PerSeat[Counts] | None = None
    bag: Counts | None = None
    gone: Counts = {}
    discarded: PerSeat[Counts] | None = None
    points: PerSeat[Points] | None = None
    treasures_taken: PerSeat[Count] | None = None
    catastrophes_left: PerSeat[Catastrophes] | None = None
    committed: MidTurn[PerSeat[Count] | None] = None
    counted: PerSeat[Counters] | None = None
    united: MidTurn[table.UnitedKingdoms | None] = None
    first: Seat = 0
    short: MidTurn[bool] = False
    last: table.LastAction | None = None
    conflict: table.LastConflict | None = None
    agenda: tuple[AnyStep, ...] | None = None
    ended: table.EndReason | None = None
    winners: tuple[Seat, ...] = ()

    def bare_table(self, setup: Setup, seats: int) -> State | None:
        """A table without the starting temples, if the position has tiles."""
        return None if self.tiles is None else table.bare(setup, seats)

    def put(self, state: State) -> None:
        """Put the pieces on the board, and the tiles that are nowhere else into the bag."""
        _put_pieces(state, self)
        _put_treasures(state, self.treasures)
        if self.catastrophes_left is None:
            placed = len(self.catastrophes)
            for seat in range(len(state.hands)):
                state.catastrophes_left[seat] -= min(board.CATASTROPHES, placed)
                placed -= min(board.CATASTROPHES, placed)
        _fill_bag(state, given=self.bag is not None)
        if self.agenda is None and self.ended is None:
            state.agenda = [EndTurn(seat=self.first), Turn((self.first,), left=board.ACTIONS)]

    @staticmethod
    def show(state: State) -> Json:
        """What lies on the board."""
        names = state.board.names
        return {
            "tiles": state.face_up(),
            "treasures": state.board.names_of(state.treasures),
            "catastrophes": state.cells_with(board.CATASTROPHE),
            "monuments": {
                pair: names[at]
                for pair, at in zip(board.MONUMENTS, state.monuments, strict=True)
                if at != board.OFF
            },
            "leaders": tuple(_leaders_of(state, seat) for seat in range(len(state.hands))),
        }


def _leaders_of(state: State, seat: Seat) -> dict[board.Color, board.Cell]:
    homes = {color: state.home(seat, color) for color in board.COLORS}
    return {color: state.board.names[at] for color, at in homes.items() if at != board.OFF}


def _put_pieces(state: State, position: Position) -> None:
    """Put each piece on its cell: TE-1.6, TE-1.7, TE-5.2, TE-6.2."""
    for name, color in (position.tiles or {}).items():
        state.put(_cell(state, name, farm=color == "blue"), board.COLOR_NUMBER[color] + 1)
    for pair, name in position.monuments.items():
        at = state.board.number[name]
        square = state.board.square(at) or ()
        free = square and not any(state.cells[part] for part in square)
        require(bool(free), f"The monument on {name} needs four cells of its own.")
        for part in square:
            state.put(part, board.FACE_DOWN)
        state.monuments[board.MONUMENTS.index(pair)] = at
    for name in position.catastrophes:
        state.put(state.board.number[name], board.CATASTROPHE)
    for seat, leaders in enumerate(position.leaders or ()):
        for color, name in leaders.items():
            state.post(board.leader_of(seat, color), _cell(state, name, farm=False))


def _cell(state: State, name: board.Cell, *, farm: bool) -> int:
    """The number of a cell, which is on a river if `farm`, and on land if not."""
    cell = state.board.number[name]
    fits = farm == bool(state.board.river[cell])
    require(fits, f"Farms, and only farms, lie on river cells; {name} is not one for this.")
    return cell


def _put_treasures(state: State, names: tuple[board.Cell, ...] | None) -> None:
    """Put treasures on starting cells, by default on all that have a temple: TE-2.2."""
    start = sum(state.board.bits[cell] for cell in state.board.temples)
    if names is None:
        state.treasures = start & board.where(state.cells, board.TEMPLE)
    else:
        tiles = board.where(state.cells, *range(board.EMPTY + 1, board.FACE_DOWN + 1))
        named = sum(state.board.bits[state.board.number[name]] for name in names)
        state.treasures = start & tiles & named


def _fill_bag(state: State, *, given: bool) -> None:
    """Put all tiles that are nowhere else into the bag, unless it is given: TE-1.3."""
    there = [state.cells.count(number + 1) for number in range(len(board.COLORS))]
    elsewhere = zip(there, state.gone, *state.hands, *state.discarded, strict=True)
    left = [most - sum(gone) for most, gone in zip(board.TILES, elsewhere, strict=True)]
    state.bag = state.bag if given else left
    for color, most, count in zip(board.COLORS, left, state.bag, strict=True):
        require(0 <= count <= most, f"There are more {color} tiles than the game has.")
