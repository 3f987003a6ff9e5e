"""Positions from which a match may start."""

from __future__ import annotations

from domain.engine.errors import BadPosition, require
from domain.engine.game import Json, seats_to_move
from domain.games.qin import board as box
from domain.games.qin.rules.places import can_place
from domain.games.qin.scoring import fewest_left
from domain.games.qin.state import position
from domain.games.qin.state.setup import Setup
from domain.games.qin.state.table import LastPlacement, State


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """The state that a JSON position describes.

    BadPosition if it contradicts itself, or if its active player has no legal placement: QIN-4.1,
    QIN-9.3.
    """
    state = position.read_position(setup, data, seats)
    for active in seats_to_move(state):
        if not can_place(state, active):
            raise BadPosition(f"Seat {active} is `active` but has no legal placement.")
    if state.ended is not None:
        _check_end(state)
    if state.last is not None:
        _check_last(state, state.last)
    return state


def _check_end(state: State) -> None:
    """Refuse an end that does not match the table, and wrong winners: QIN-10.1, QIN-10.2."""
    finished = [(seat,) for seat, left in enumerate(state.supply) if not left]
    if state.ended == "last_pagoda":
        right = state.winners in finished
    else:
        held = any(map(any, state.hands))
        stuck = not any(can_place(state, seat) for seat in range(len(state.supply)))
        named = held == (state.ended == "blocked")
        right = stuck and named and not finished and state.winners == fewest_left(state)
    require(right, "It did not end like this, or others are the `winners`.")


def _check_last(state: State, last: LastPlacement) -> None:
    """Refuse a last tile that is not on the board, or a wrong seat for it: QIN-4.3, QIN-9.3."""
    one, two = cells = [state.board.cell(half.row, half.col) for half in last.halves]
    there = all(map(_lies, [state] * 2, cells, last.halves)) and two in state.board.neighbours[one]
    kind = box.KIND_OF[last.halves[0].color, last.halves[1].color]
    right = there and kind == last.kind and last.seat in range(len(state.supply))
    require(right, "`last` must be a tile that lies on the board, placed by a seat.")
    following = (*state.turn_order(last.seat)[1:], last.seat)
    for active in seats_to_move(state):
        after = next(seat for seat in following if can_place(state, seat))
        require(active == after, f"After a tile of seat {last.seat} seat {after} is `active`.")


def _lies(state: State, cell: int, half: box.Half) -> bool:
    """Whether half a tile of this colour lies on a cell that is no start space: QIN-2.4."""
    covered = cell >= 0 and state.board.ground[cell] == box.FREE
    return covered and state.cells[cell] == box.NUMBER_OF[half.color]
