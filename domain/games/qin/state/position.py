"""Positions as JSON: reading, with checks for contradictions, and writing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition
from domain.engine.game import Json, seats_to_move
from domain.engine.play import Seat
from domain.games.qin import board as box
from domain.games.qin.state import table
from domain.games.qin.state.setup import Setup
from domain.games.qin.state.steps import Turn
from domain.games.qin.state.table import NOBODY, RUINED, State
from domain.games.qin.state.tiles import Count, Hands, Pile, deal_position

Grid = Annotated[box.Rows, msgspec.Meta(min_length=1, max_length=box.LARGEST)]


class Position(
    msgspec.Struct, tag_field="game", tag="qin", frozen=True,
    forbid_unknown_fields=True, omit_defaults=True,
):  # fmt: skip
    """A table; a match starts where a turn begins: see docs/games/qin.md."""

    cells: Grid
    owners: Grid
    active: Seat | None = 0
    supply: tuple[Count, ...] | None = None
    hands: Hands | None = None
    pile: Pile | None = None
    first: Seat | None = None
    last: table.LastPlacement | None = None
    ended: table.EndReason | None = None
    winners: tuple[Seat, ...] = ()


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """The state that this position describes; BadPosition if the box cannot show it."""
    position = json_codec.read_position(Position, data)
    _check_shape(position, seats)
    state = _table(setup, position, seats)
    _read_owners(state, position.owners)
    _read_supply(state, position.supply)
    deal_position(state, position.hands, position.pile)
    return state


def setup_for(setup: Setup, data: Json) -> Setup:
    """The setup of a match that starts from a position, with the board of the position.

    Reads only the layout, not the tiles on it; BadPosition if the position cannot be read.
    """
    layout = _layout(json_codec.read_position(Position, data))
    named = next((name for name, rows in box.SIDES.items() if rows == layout), "custom")
    return msgspec.structs.replace(setup, board=named, rows=layout)


def _layout(position: Position) -> box.Rows:
    """The layout below the tiles."""
    return tuple("".join("." if sign in "ryb" else sign for sign in r) for r in position.cells)


def write_position(state: State) -> Json:
    """The position as JSON; after the end no seat is active."""
    position = Position(
        cells=cell_rows(state),
        owners=owner_rows(state),
        active=next(iter(seats_to_move(state)), None),
        supply=tuple(state.supply),
        hands=tuple(table.tiles_of(hand) for hand in state.hands),
        pile={kind: count for kind, count in zip(box.KINDS, state.pile, strict=True) if count},
        first=state.first,
        last=state.last,
        ended=state.ended,
        winners=state.winners,
    )
    written: Json = json_codec.to_json(position)
    return written


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


def _check_shape(position: Position, seats: int) -> None:
    """Refuse rows of different lengths, unknown signs, and unknown seats: QIN-2.1."""
    width = len(position.cells[0])
    if not 0 < width <= box.LARGEST:
        raise BadPosition(f"A row of `cells` must have 1 to {box.LARGEST} signs.")
    if len(position.cells) != len(position.owners):
        raise BadPosition("`cells` and `owners` must have the same number of rows.")
    if any(len(row) != width for row in (*position.cells, *position.owners)):
        raise BadPosition("All rows of `cells` and `owners` must have the same length.")
    if stray := set("".join(position.cells)) - set(".V~#RYBryb"):
        raise BadPosition(f"`cells` knows no {min(stray)!r}, only the signs .V~#RYBryb")
    _check_seats(position, seats)


def _check_seats(position: Position, seats: int) -> None:
    """Refuse unknown seats, and a table with neither a turn nor an end."""
    named = (position.active, position.first, *position.winners)
    if any(seat is not None and not 0 <= seat < seats for seat in named):
        raise BadPosition(f"`active`, `first` and `winners` must be seats from 0 to {seats - 1}.")
    over = position.ended is not None
    if over != (position.active is None) or over != bool(position.winners):
        raise BadPosition("Either `active` is a seat, or it is null and there are `winners`.")


def _table(setup: Setup, position: Position, seats: int) -> State:
    """The layout with its tiles; each space is an area of one space at first."""
    state = table.bare(setup, _layout(position), seats)
    for cell, sign in enumerate("".join(position.cells)):
        if sign.upper() in box.COLORS:
            state.single(cell, box.COLORS.index(sign.upper()) + 1)
    _unite_areas(state)
    state.agenda = [] if position.active is None else [Turn((position.active,))]
    state.first = (position.active or 0) if position.first is None else position.first
    state.last, state.ended, state.winners = position.last, position.ended, position.winners
    return state


def _unite_areas(state: State) -> None:
    """Unite adjacent spaces of one colour into areas: QIN-2.5."""
    cells, spaces = state.cells, state.board.spaces
    for cell, around in enumerate(state.board.neighbours):
        for other in around:
            if cell < other and box.FREE < cells[cell] == cells[other] < box.VILLAGE:
                state.unite((spaces[cell], spaces[other]))


def _read_owners(state: State, rows: box.Rows) -> None:
    """Give areas and villages their owners; refuse owners of other cells: QIN-2.6."""
    by_area: dict[int, set[str]] = {}
    for cell, sign in enumerate("".join(rows)):
        if state.cells[cell] == box.VILLAGE:
            state.villages[cell] = _owner(state, cell, sign)
        elif area := state.areas[cell]:
            by_area.setdefault(area, set()).add(sign)
        elif sign != ".":
            raise BadPosition(
                f"`owners` has {sign!r} on {_name(state, cell)}, where nobody can be."
            )
    for area, signs in by_area.items():
        _own(state, area, signs)


def _own(state: State, area: int, signs: set[str]) -> None:
    """Give an area its owner and pagodas; refuse what its size does not allow: QIN-2.5, QIN-2.7."""
    where = f"the area of {_name(state, area - 1)}"
    if len(signs) > 1:
        raise BadPosition(f"`owners` must show one owner on all spaces of {where}.")
    sign, size = signs.pop(), state.sizes[area]
    if sign == "x":
        if state.setup.joining_majors == "forbidden":
            raise BadPosition(f"{where.capitalize()} is ruined, which the options rule out.")
        state.owners[area] = RUINED
        return
    if (size > 1) != (sign != "."):
        raise BadPosition(f"{where.capitalize()} has {size} spaces and the owner {sign!r}.")
    state.owners[area] = owner = _owner(state, area - 1, sign)
    state.pagodas[area] = 0 if owner == NOBODY else 2 if size >= box.MAJOR else 1


def _owner(state: State, cell: int, sign: str) -> int:
    owner = _OWNERS.get(sign, RUINED)
    if owner > len(state.supply):
        raise BadPosition(f"`owners` has {sign!r} on {_name(state, cell)}, which is no seat.")
    return owner


def _read_supply(state: State, supply: tuple[int, ...] | None) -> None:
    """Set the supplies as given, or to the pagodas that are not on the board: QIN-2.9.

    A smaller supply is allowed, as if pagodas were out of the game; only an ended game has an empty
    one.
    """
    most = tuple(_not_placed(state, seat) for seat in range(len(state.supply)))
    if supply is not None and len(supply) != len(most):
        raise BadPosition("`supply` must have one number for each seat.")
    least = 0 if state.ended else 1
    for seat, (left, possible) in enumerate(zip(supply or most, most, strict=True)):
        if not least <= left <= possible:
            raise BadPosition(f"The supply of seat {seat} is {left}, not {least} to {possible}.")
    state.supply = list(supply or most)


def _not_placed(state: State, seat: Seat) -> int:
    placed = table.on_provinces(state, seat) + state.villages.count(seat + 1)
    if state.ended and placed > state.supply[seat]:
        _miss(state, seat, placed - state.supply[seat])
        return 0
    return state.supply[seat] - placed


def _miss(state: State, seat: Seat, pagodas: int) -> None:
    """Remove pagodas that a winner could not place at the end of the game: QIN-8.4."""
    for area, owner in enumerate(state.owners):
        missing = min(pagodas, state.pagodas[area]) if owner == seat + 1 else 0
        state.pagodas[area] -= missing
        pagodas -= missing


def _name(state: State, cell: int) -> str:
    return box.name_of(*state.board.spaces[cell])
