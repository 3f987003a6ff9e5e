"""Bots that have little time, as their search is the same after a few samples as after many."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from domain.engine.game import legal_moves, seats_to_move
from tests.games.seen import AnyGame

FEW = 6
"""How often a bot in a hurry asks for the time after it has looked at each move."""


def in_a_hurry(game: AnyGame, state: Any) -> Callable[[], bool]:
    """Whether time is up for a bot that moves now: soon after its first look at all moves."""
    return after_calls(len(legal_moves(game, state, seats_to_move(state)[0])) + FEW)


def after_calls(calls: int) -> Callable[[], bool]:
    """Whether time is up: after the bot has asked this many times."""
    asked = count()
    return lambda: next(asked) >= calls
