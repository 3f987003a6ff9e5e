"""Two bots for this game."""

from __future__ import annotations

from typing import Any

from domain.engine.dice import choose
from domain.engine.game import BotView, Level, legal_moves
from domain.engine.play import Move, Seat
from tests.engine.toy.moves import Counter, Pass
from tests.engine.toy.state.table import State


def any_move(view: BotView[Any]) -> Move:
    """A random legal move."""
    return choose(view.dice, legal_moves(view.game, view.imagine(), view.seat))


def thrifty(view: BotView[Any]) -> Move:
    """The highest card for the prize, the lowest counter, and no challenge."""
    return max(legal_moves(view.game, view.imagine(), view.seat), key=_worth)


def _worth(move: Move) -> int:
    """The worth of a move; higher is better."""
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
    Level("easy", "Easy", any_move),
    Level("crafty", "Crafty", thrifty),
)
