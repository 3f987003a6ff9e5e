"""The positions from which a match can start."""

from __future__ import annotations

from domain.engine.errors import require
from domain.engine.game import seats_to_move
from domain.engine.starting.starts import require_going_on
from domain.games.qin import board as box
from domain.games.qin.rules.places import can_place
from domain.games.qin.rules.villages import leader
from domain.games.qin.state.table import State


def check_position(state: State) -> None:
    """Raise BadPosition unless a turn begins here: QIN-4.1, QIN-7.1, QIN-9.3."""
    require_going_on(state)
    require(bool(seats_to_move(state)), "`active` must be the seat whose turn begins.")
    (active,) = seats_to_move(state)
    able = can_place(state, active)
    require(able, f"Seat {active} has no legal placement: `active` must be a seat that has one.")
    for village in state.board.cells_with(state.board.village_flags):
        _check_village(state, village)


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
