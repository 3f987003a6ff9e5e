"""Positions that a match can begin with."""

from __future__ import annotations

from domain.engine.errors import BadPosition, require
from domain.engine.game import Json, awaited
from domain.games.qin.rules.placing import can_place
from domain.games.qin.scoring import fewest_left
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
    if state.ended is not None:
        _check_end(state)
    return state


def _check_end(state: State) -> None:
    """Refuse an end that the table does not show, and other winners: QIN-10.1, QIN-10.2."""
    finished = [(seat,) for seat, left in enumerate(state.supply) if not left]
    if state.ended == "last_pagoda":
        right = state.winners in finished
    else:
        held = any(map(any, state.hands))
        stuck = not any(can_place(state, seat) for seat in range(len(state.supply)))
        named = held == (state.ended == "blocked")
        right = stuck and named and not finished and state.winners == fewest_left(state)
    require(right, "It did not end like this, or others are the `winners`.")
