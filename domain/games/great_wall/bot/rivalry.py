"""What makes a move look better or worse alone against Qin Jiushao: GW-14.

Found by trying: each was kept as it brought a bot that chooses at a glance nearer to Qin.
"""

from __future__ import annotations

from domain.engine.play import Move
from domain.games.great_wall import board, moves
from domain.games.great_wall.state.table import State

PLACES: dict[board.Location, float] = {"quarry": 2.0, "embassy": -2.0}
"""Stone is for Walls and Overseers of the gold mine; advisors help in the end, and Qin as well."""
CARDS = {"economy": 2.0, "raise_banners": -2.0, "attack_order": -2.0}
FILLED = 3.0
"""How much better the last clerk is, with which a Location activates: Qin would come there, too."""
RECLAIMED = -2.0


def more(state: State, move: Move) -> float:
    """By how much a move looks better than it would if all played against each other."""
    match move:
        case moves.MoveClerk():
            return PLACES.get(move.to, 0.0) + FILLED * (state.room(move.to) == 1)
        case moves.PlayCommand():
            return CARDS.get(move.card, 0.0)
        case moves.ReclaimCards():
            return RECLAIMED
        case _:
            return 0.0
