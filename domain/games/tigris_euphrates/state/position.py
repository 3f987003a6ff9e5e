"""Positions as JSON: reading, with checks for contradictions, and writing."""

from __future__ import annotations

from typing import Annotated

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition, require_distinct
from domain.engine.game import Json
from domain.engine.play import Seat
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.state import table
from domain.games.tigris_euphrates.state.setup import Setup
from domain.games.tigris_euphrates.state.steps import AnyStep, EndTurn, Turn

Count = Annotated[int, msgspec.Meta(ge=0, le=255)]
Counts = dict[board.Color, Count]
Tally = Annotated[int, msgspec.Meta(ge=0, le=9999)]
"""Points and conflicts, which the box does not limit."""


class Position(
    msgspec.Struct, tag_field="game", tag="tigris_euphrates", frozen=True,
    forbid_unknown_fields=True, omit_defaults=True,
):  # fmt: skip
    """A table at any moment; see docs/games/tigris_euphrates.md."""

    tiles: dict[board.Cell, board.Color] | None = None
    treasures: tuple[board.Cell, ...] | None = None
    catastrophes: tuple[board.Cell, ...] = ()
    monuments: dict[board.Pair, board.Cell] = {}
    leaders: tuple[dict[board.Color, board.Cell], ...] | None = None
    hands: tuple[Counts, ...] | None = None
    bag: Counts | None = None
    gone: Counts = {}
    discarded: tuple[Counts, ...] | None = None
    points: tuple[dict[board.Color, Tally], ...] | None = None
    treasures_taken: tuple[Count, ...] | None = None
    catastrophes_left: tuple[Count, ...] | None = None
    committed: tuple[Count, ...] | None = None
    counted: tuple[dict[str, Tally], ...] | None = None
    united: table.UnitedKingdoms | None = None
    first: Seat = 0
    short: bool = False
    last: table.LastAction | None = None
    conflict: table.LastConflict | None = None
    agenda: tuple[AnyStep, ...] | None = None
    ended: table.EndReason | None = None
    winners: tuple[Seat, ...] = ()


def read_position(setup: Setup, data: Json, seats: int) -> table.State:
    """The state that this position describes; BadPosition if the box does not hold it."""
    position = json_codec.read_position(Position, data)
    _check_seats(position, seats)
    state = table.bare(setup, seats)
    _read_board(state, position)
    _read_players(state, position)
    _read_bag(state, position)
    state.united, state.first, state.short = position.united, position.first, position.short
    _read_past(state, position)
    state.ended, state.winners = position.ended, position.winners
    state.agenda = _agenda(position)
    return state


def write_position(state: table.State) -> Json:
    """The position as JSON."""
    names, seats = state.board.names, range(len(state.hands))
    position = Position(
        tiles=state.face_up(),
        treasures=state.board.names_of(state.treasures),
        catastrophes=state.cells_with(board.CATASTROPHE),
        monuments={
            pair: names[at]
            for pair, at in zip(board.MONUMENTS, state.monuments, strict=True)
            if at != board.OFF
        },
        leaders=tuple(_leaders_of(state, seat) for seat in seats),
        hands=tuple(map(counts_of, state.hands)),
        bag=counts_of(state.bag),
        gone=counts_of(state.gone),
        discarded=tuple(map(counts_of, state.swapped)),
        points=tuple(map(counts_of, state.points)),
        treasures_taken=tuple(state.taken),
        catastrophes_left=tuple(state.catastrophes),
        committed=tuple(state.support),
        counted=tuple(_counters_of(counts) for counts in state.counted),
        united=state.united,
        first=state.first,
        short=state.short,
        last=state.last,
        conflict=state.conflict,
        agenda=tuple(state.agenda),
        ended=state.ended,
        winners=state.winners,
    )
    written: Json = json_codec.to_json(position)
    return written


def counts_of(counts: list[int]) -> Counts:
    """The counts by colour name, without zeros."""
    return {color: count for color, count in zip(board.COLORS, counts, strict=True) if count}


def _counters_of(counts: list[int]) -> dict[str, int]:
    return {name: count for name, count in zip(table.COUNTERS, counts, strict=True) if count}


def _leaders_of(state: table.State, seat: Seat) -> dict[board.Color, board.Cell]:
    homes = state.leaders[4 * seat : 4 * seat + 4]
    return {
        color: state.board.names[cell]
        for color, cell in zip(board.COLORS, homes, strict=True)
        if cell != board.OFF
    }


def _check_seats(position: Position, seats: int) -> None:
    """Refuse a wrong number of entries per seat, and unknown seats."""
    by_seat = ("leaders", "hands", "discarded", "points", "treasures_taken", "catastrophes_left")
    for name in (*by_seat, "committed", "counted"):
        given = getattr(position, name)
        if given is not None and len(given) != seats:
            raise BadPosition(f"`{name}` must have one entry for each of {seats} seats.")
    named = [position.first, *position.winners, *_seats_in(position.agenda or ())]
    if (end := position.conflict) is not None:
        named += (end.winner, end.loser, end.attacker)
    if position.last is not None:
        named.append(position.last.seat)
    if any(not 0 <= seat < seats for seat in named):
        raise BadPosition(f"Seats go from 0 to {seats - 1}.")
    if (position.ended is not None) != bool(position.winners):
        raise BadPosition("There are `winners` if and only if the game has `ended`.")
    if position.ended is not None and position.agenda:
        raise BadPosition("A game that has `ended` has nothing on its `agenda`.")


def _seats_in(agenda: tuple[AnyStep, ...]) -> list[Seat]:
    """All seats that steps name."""
    named: list[Seat] = []
    for step in agenda:
        named += step.seats
        if isinstance(seat := getattr(step, "seat", None), int):
            named.append(seat)
        if (conflict := getattr(step, "conflict", None)) is not None:
            named += (conflict.attacker, conflict.defender)
    return named


def _read_board(state: table.State, position: Position) -> None:
    """Read the board; one thing per cell, treasures on starting temples: TE-1.6, TE-1.7."""
    start: dict[board.Cell, board.Color] = {
        state.board.names[cell]: "red" for cell in state.board.temples
    }
    for name, color in (start if position.tiles is None else position.tiles).items():
        _lay(state, name, board.COLOR_NUMBER[color] + 1)
    for pair, name in position.monuments.items():
        _build(state, pair, name)
    for name in position.catastrophes:
        _lay(state, name, board.CATASTROPHE)
    for seat, leaders in enumerate(position.leaders or ()):
        for color, name in leaders.items():
            _lay(state, name, board.EMPTY)  # `post` places it; this checks that it fits
            state.post(board.leader_of(seat, color), state.board.number[name])
    if position.treasures is not None:
        _read_treasures(state, position.treasures)
    else:
        there = sum(state.board.bits[cell] for cell in state.board.temples)
        state.treasures = there & board.where(state.cells, board.TEMPLE)


def _read_treasures(state: table.State, names: tuple[board.Cell, ...]) -> None:
    require_distinct(names, "treasures")
    for name in names:
        cell = _cell(state, name)
        lies_there = board.EMPTY < state.cells[cell] <= board.FACE_DOWN
        if cell not in state.board.temples or not lies_there:
            raise BadPosition(f"No treasure can lie on {name}.")
        state.treasures |= state.board.bits[cell]


def _cell(state: table.State, name: board.Cell) -> int:
    if name not in state.board.number:
        raise BadPosition(f"There is no cell {name!r} on this board.")
    return state.board.number[name]


def _lay(state: table.State, name: board.Cell, what: int) -> None:
    """Put a thing on an empty cell of the right kind: TE-5.2, TE-6.2."""
    cell = _cell(state, name)
    if state.cells[cell] != board.EMPTY:
        raise BadPosition(f"There is more than one thing on {name}.")
    farm = what == board.COLOR_NUMBER["blue"] + 1
    if what < board.FACE_DOWN and farm != bool(state.board.river[cell]):
        raise BadPosition(f"Farms, and only farms, lie on river cells; {name} is not one for this.")
    state.put(cell, what)


def _build(state: table.State, pair: board.Pair, name: board.Cell) -> None:
    """Put a monument on four face-down tiles: TE-1.6."""
    cell = _cell(state, name)
    square = state.board.square(cell)
    if square is None or any(state.cells[part] != board.EMPTY for part in square):
        raise BadPosition(f"The monument on {name} needs four cells of its own.")
    for part in square:
        state.put(part, board.FACE_DOWN)
    state.monuments[board.MONUMENTS.index(pair)] = cell


def _read_players(state: table.State, position: Position) -> None:
    """Read hands of up to six tiles and up to two catastrophe tiles each: TE-2.3, TE-2.4."""
    fields = (
        (position.hands, state.hands),
        (position.discarded, state.swapped),
        (position.points, state.points),
    )
    for given, counts in fields:
        for seat, tiles in enumerate(given or ()):
            counts[seat] = _counts(tiles)
    if any(sum(hand) > board.HAND_SIZE for hand in state.hands):
        raise BadPosition(f"A hand has at most {board.HAND_SIZE} tiles.")
    seats = len(state.hands)
    state.taken = list(position.treasures_taken or [0] * seats)
    state.support = list(position.committed or [0] * seats)
    placed = [len(position.catastrophes) - board.CATASTROPHES * seat for seat in range(seats)]
    rest = [board.CATASTROPHES - min(max(0, used), board.CATASTROPHES) for used in placed]
    state.catastrophes = list(position.catastrophes_left or rest)
    _check_catastrophes(position.catastrophes, state.catastrophes)
    for seat, counted in enumerate(position.counted or ()):
        state.counted[seat] = _read_counters(counted)


def _check_catastrophes(placed: tuple[board.Cell, ...], left: list[int]) -> None:
    """Refuse other than two catastrophe tiles per player, on the board or not: TE-2.3."""
    if max(left) > board.CATASTROPHES or len(placed) + sum(left) > board.CATASTROPHES * len(left):
        raise BadPosition("There are more catastrophe tiles than the players have.")


def _counts(tiles: Counts) -> list[int]:
    return [tiles.get(color, 0) for color in board.COLORS]


def _read_counters(counted: dict[str, Tally]) -> list[int]:
    if stray := set(counted) - set(table.COUNTERS):
        raise BadPosition(f"`counted` knows no {min(stray)!r}.")
    return [counted.get(name, 0) for name in table.COUNTERS]


def _read_bag(state: table.State, position: Position) -> None:
    """Read the bag, or fill it with the remaining tiles; refuse too many of a colour: TE-1.3."""
    state.gone = _counts(position.gone)
    on_board = [state.cells.count(number + 1) for number in range(len(board.COLORS))]
    out_of_bag = (on_board, state.gone, *state.hands, *state.swapped)
    out = [sum(tiles) for tiles in zip(*out_of_bag, strict=True)]
    rest = [most - away for most, away in zip(board.TILES, out, strict=True)]
    state.bag = rest if position.bag is None else _counts(position.bag)
    for color, left, in_bag in zip(board.COLORS, rest, state.bag, strict=True):
        if not 0 <= in_bag <= left:
            raise BadPosition(f"There are more {color} tiles than the game has.")


def _read_past(state: table.State, position: Position) -> None:
    """Read the last action and the last conflict, with cells of the board: TE-1.1."""
    state.last, state.conflict = position.last, position.conflict
    places = {
        "last.cells": state.last.cells if state.last else (),
        "conflict.removed": state.conflict.removed if state.conflict else (),
    }
    for where, names in places.items():
        require_distinct(names, where)
        for name in names:
            _cell(state, name)


def _agenda(position: Position) -> list[AnyStep]:
    """The agenda as given, or the start of a turn of the first player."""
    if position.agenda is not None or position.ended is not None:
        return list(position.agenda or ())
    return [EndTurn(seat=position.first), Turn((position.first,), left=2)]
