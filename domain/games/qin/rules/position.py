"""Positions that a match can begin with."""

from __future__ import annotations

from domain.engine.errors import BadPosition
from domain.engine.game import Json, awaited
from domain.games.qin.rules.judge import can_place
from domain.games.qin.state import Setup, State, read_position


def playable_position(setup: Setup, data: Json, seats: int) -> State:
    """QIN-4.1, QIN-9.3"""
    state = read_position(setup, data, seats)
    for active in awaited(state):
        if not can_place(state, active):
            raise BadPosition(f"Seat {active} is `active` but has no legal placement.")
    return state
