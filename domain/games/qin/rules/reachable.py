"""Positions that a match can begin with."""

from __future__ import annotations

from domain.engine.errors import BadPosition
from domain.engine.game import Json, awaited
from domain.games.qin.rules.placing import can_place
from domain.games.qin.state import position
from domain.games.qin.state.setup import Setup
from domain.games.qin.state.table import State


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """A position from its JSON; BadPosition if it contradicts itself or its active player is stuck.

    Nobody is active without a legal placement: QIN-4.1, QIN-9.3.
    """
    state = position.read_position(setup, data, seats)
    for active in awaited(state):
        if not can_place(state, active):
            raise BadPosition(f"Seat {active} is `active` but has no legal placement.")
    return state
