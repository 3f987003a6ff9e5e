"""Two players of this game."""

from __future__ import annotations

from typing import Any

from domain.engine.dice import choose
from domain.engine.game import Level, Sight, legal_moves
from domain.engine.play import Move, Seat
from tests.engine.toy.moves import Counter, Pass
from tests.engine.toy.state.table import State


def any_move(sight: Sight[Any]) -> Move:
    """Any legal move, by chance."""
    return choose(sight.dice, legal_moves(sight.game, sight.imagine(), sight.seat))


def thrifty(sight: Sight[Any]) -> Move:
    """The highest card for the prize, the lowest counter, and no challenge."""
    return max(legal_moves(sight.game, sight.imagine(), sight.seat), key=_worth)


def _worth(move: Move) -> int:
    """The higher the better."""
    if isinstance(move, Counter):
        return 10 - move.card
    return 10 if isinstance(move, Pass) else int(getattr(move, "card", 0))


def evaluate(state: State, seat: Seat) -> float:
    """How many points and good cards more than the best rival the seat has."""
    worth = [
        10 * points + sum(hand) for points, hand in zip(state.points, state.hands, strict=True)
    ]
    own = worth.pop(seat)
    return (own - max(worth)) / 10


LEVELS = (
    Level("easy", "Beginner", any_move),
    Level("crafty", "Easy", thrifty),
)
