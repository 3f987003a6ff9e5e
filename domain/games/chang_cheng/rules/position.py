"""Positions that a match can begin with."""

from __future__ import annotations

from domain.engine.errors import BadPosition, RuleBroken
from domain.engine.game import Json, awaited
from domain.engine.play import Move
from domain.games.chang_cheng.moves import candidates
from domain.games.chang_cheng.rules.judge import check
from domain.games.chang_cheng.state import Setup, State, read_position


def playable_position(setup: Setup, data: Json, seats: int) -> State:
    """CC-4.7"""
    state = read_position(setup, data, seats)
    for active in awaited(state):
        if not any(_legal(state, move) for move in candidates(state, active)):
            raise BadPosition(f"Seat {active} has to decide but nothing is legal.")
    return state


def _legal(state: State, move: Move) -> bool:
    try:
        check(state, move)
    except RuleBroken:
        return False
    return True
