"""The positions from which a match can start."""

from __future__ import annotations

from domain.engine.errors import require
from domain.engine.game import seats_to_move
from domain.engine.play import Seat
from domain.engine.starting.starts import require_going_on
from domain.games.qin import board as box
from domain.games.qin.rules.places import can_place
from domain.games.qin.rules.villages import leader
from domain.games.qin.state.table import LastPlacement, State


def check_position(state: State) -> None:
    """Raise BadPosition unless a turn begins here and a game can reach it: QIN-4.1, QIN-7.1,
    QIN-9.3.
    """
    require_going_on(state)
    require(bool(seats_to_move(state)), "`active` must be the seat whose turn begins.")
    (active,) = seats_to_move(state)
    able = can_place(state, active)
    require(able, f"Seat {active} has no legal placement: `active` must be a seat that has one.")
    for village in state.board.cells_with(state.board.village_flags):
        _check_village(state, village)
    if state.last is not None:
        _check_last(state, state.last, active)


def _check_village(state: State, village: int) -> None:
    """Refuse a village that the last turn would have settled otherwise: QIN-7.1 to QIN-7.7."""
    strongest, owner = leader(state, village), state.villages[village]
    areas = (state.areas[cell] for cell in state.board.neighbours[village])
    reached = any(state.owners[area] for area in areas)
    name = box.name_of(*state.board.spaces[village])
    if strongest is None:
        require(reached or not owner, f"No province reaches the village {name}: it has no owner.")
    else:
        right = owner == strongest + 1
        require(right, f"Seat {strongest} is strongest at the village {name}, so it is theirs.")


def _check_last(state: State, last: LastPlacement, active: Seat) -> None:
    """Refuse a last tile that is not on the board, or a wrong seat for it: QIN-4.3, QIN-9.3."""
    one, two = cells = [state.board.cell(half.row, half.col) for half in last.halves]
    there = all(map(_lies, [state] * 2, cells, last.halves)) and two in state.board.neighbours[one]
    kind = box.KIND_OF[last.halves[0].color, last.halves[1].color]
    right = there and kind == last.kind and last.seat in range(len(state.supply))
    require(right, "`last` must be a tile that lies on the board, placed by a seat.")
    following = (*state.turn_order(last.seat)[1:], last.seat)
    after = next(seat for seat in following if can_place(state, seat))
    require(active == after, f"After a tile of seat {last.seat} `active` must be {after}.")


def _lies(state: State, cell: int, half: box.Half) -> bool:
    """Whether half a tile of this colour lies on a cell that is no start space: QIN-2.4."""
    covered = cell >= 0 and state.board.ground[cell] == box.FREE
    return covered and state.cells[cell] == box.NUMBER_OF[half.color]
