"""Adjustments of how good a move looks against Qin Jiushao: GW-14.

We found them by trial: each of them improved the result of the hasty bot against Qin.
"""

from __future__ import annotations

from domain.engine.play import Move
from domain.games.great_wall import board, moves
from domain.games.great_wall.state.table import State

LOCATION_BONUS: dict[board.Location, float] = {"quarry": 2.0, "embassy": -2.0}
"""Stone pays for Walls and Overseers; advisors help in the end, but they also help Qin."""
CARD_BONUS = {"economy": 2.0, "raise_banners": -2.0, "attack_order": -2.0}
ACTIVATION_BONUS = 3.0
"""A bonus for the clerk that activates a Location. Qin would fill it otherwise."""
RECLAIM_PENALTY = -2.0


def adjust(state: State, move: Move) -> float:
    """By how much a move looks better than in a standard game."""
    match move:
        case moves.MoveClerk():
            return LOCATION_BONUS.get(move.to, 0.0) + ACTIVATION_BONUS * (
                state.free_slots(move.to) == 1
            )
        case moves.PlayCommand():
            return CARD_BONUS.get(move.card, 0.0)
        case moves.ReclaimCards():
            return RECLAIM_PENALTY
        case _:
            return 0.0
