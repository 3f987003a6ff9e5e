"""What the engine does where a game says nothing: right for an open game in which the seats play
against each other.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain.engine.dice import Dice
from domain.engine.play import S, Seat
from domain.engine.scoring import Scoring

OVER = "over"
"""The reason for the end of a game that ends in only one way."""


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game that has none."""


def set_up_options(options: Any, _seats: int) -> Any:
    """The `setup` of a game whose matches depend on nothing but the options."""
    return options


def keep_setup(setup: Any, _position: dict[str, Any]) -> Any:
    """The `setup_for_position` of a game whose setup does not depend on the position."""
    return setup


def always_false(_setup: Any) -> bool:
    """The `is_cooperative` of a game in which the seats always play against each other."""
    return False


def identity(state: S, _seat: Seat, _dice: Dice) -> S:
    """The `imagine` of a game without hidden information: a copy of the state."""
    return state.copy()


def lead(scoring: Scoring, seat: Seat) -> float:
    """How many points a seat is ahead of the best other, plus its share of the victory so far.

    A cooperative table has 1 if it has won, else -1.
    """
    if scoring.won is not None:
        return 1.0 if scoring.won else -1.0
    others = [line.points for line in scoring.lines if line.seat != seat]
    rivals = [rival.points for rival in scoring.rivals]
    best = max((*others, *rivals), default=0)
    return scoring.lines[seat].points - best + scoring.share(seat)
