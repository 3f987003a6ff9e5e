"""The games that a browser test plays, and their positions near the end."""

from __future__ import annotations

from typing import Any

import pytest
from _pytest.mark import ParameterSet

from domain.engine.dice import Luck
from domain.games import GAMES
from tests.games.record import is_start, play_randomly
from tests.games.seen import AnyGame


def one_of_all(always: str) -> list[ParameterSet]:
    """All games as parameters: this one, and the others in `make test-long`."""
    return some_of_all(always)


def some_of_all(*always: str) -> list[ParameterSet]:
    """All games as parameters: these, and the others in `make test-long`."""
    return [pytest.param(game, marks=() if game in always else pytest.mark.long) for game in GAMES]


def near_end(game: AnyGame, seats: int, moves: int, dice: Luck, **options: Any) -> Any:
    """A state of a random match, at least this number of moves before its end, at which a match can
    begin.
    """
    setup = game.setup(game.options(**options), seats)
    played = play_randomly(game, setup, seats, dice)
    late_first = (moment.state for moment in reversed(played.moments[:-moves]))
    return next(one for one in late_first if is_start(game, setup, one, seats))
