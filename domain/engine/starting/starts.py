"""Which positions a match may start from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.constraints import FORK_INSTEAD
from domain.engine.dice import Luck
from domain.engine.errors import require
from domain.engine.game import Game, Json, new_state
from domain.engine.play import S, State, Step


def read_start(game: Game[S], setup: Any, position: Json, seats: int) -> S:
    """The state of a position from outside. Raises BadPosition unless a match may start from it:
    the table shows all that the position says, and a turn begins.
    """
    state = game.read_position(setup, position, seats, strict=True)
    check_position(game, state)
    return state


def without_history(game: Game[S], position: Json) -> Json:
    """The position without what was done before it, as a match that starts from it stores it."""
    history = game.position_type.history
    return {name: value for name, value in position.items() if name not in history}


def check_position(game: Game[S], state: S) -> None:
    """Raise BadPosition unless a turn begins in this state and a game can reach it.

    A game without a check of its own begins each turn with the same kinds of steps as the first.
    """
    if game.check_position:
        game.check_position(state)
        return
    seats = game.seats[0]
    first = new_state(game, game.setup(game.options(), seats), seats, Luck(game.key))
    right = ", ".join(type(step).__name__ for step in first.agenda)
    require_beginning(_shape(state) == _shape(first), f"`agenda` is {right}")


def _shape(state: State) -> list[tuple[type[Step], bool]]:
    """The kinds of steps of an agenda, and which of them wait for seats."""
    return [(type(step), bool(step.seats)) for step in state.agenda]


def require_going_on(state: Any) -> None:
    """Raise BadPosition if the game is over."""
    over = "The game has `ended` or has `winners`. A position begins where a turn begins."
    require(state.ended is None and not state.winners, over)


def require_agenda(state: Any, right: Sequence[Step]) -> None:
    """Raise BadPosition unless the agenda is this one, with which a turn begins."""
    require_beginning(state.agenda == right, f"`agenda` is {json_codec.encode(right).decode()}")


def require_beginning(condition: bool, right: str) -> None:
    """Raise BadPosition that says what is right where a turn begins, unless the condition holds."""
    require(condition, f"A position begins where a turn begins: {right}. {FORK_INSTEAD}")
