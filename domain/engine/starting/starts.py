"""Which positions a match may start from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import require
from domain.engine.game import Game, Json, new_state
from domain.engine.play import S, Step

FORK_INSTEAD = "To go on from the middle of a turn, fork a match."


def read_start(game: Game[S], setup: Any, position: Json, seats: int) -> S:
    """The state of a position from outside. Raises BadPosition unless a match may start from it:
    the table shows all that the position says, and a turn begins.
    """
    state = game.read_position(setup, position, seats, strict=True)
    check_position(game, state)
    return state


def check_position(game: Game[S], state: S) -> None:
    """Raise BadPosition unless a turn begins in this state and a game can reach it.

    A game without a check of its own begins each turn with the same kinds of steps as the first.
    """
    if game.check_position:
        game.check_position(state)
        return
    seats = game.seats[0]
    first = new_state(game, game.setup(game.options(), seats), seats, Luck(game.key))
    kinds, right = map(type, state.agenda), [*map(type, first.agenda)]
    require([*kinds] == right, _sentence(", ".join(kind.__name__ for kind in right)))


def require_going_on(state: Any) -> None:
    """Raise BadPosition if the game is over."""
    over = "The game has `ended` or has `winners`. A position begins where a turn begins."
    require(state.ended is None and not state.winners, over)


def require_agenda(state: Any, right: Sequence[Step]) -> None:
    """Raise BadPosition unless the agenda is this one, with which a turn begins."""
    require(state.agenda == right, _sentence(json_codec.encode(right).decode()))


def _sentence(right: str) -> str:
    begins = f"A position begins where a turn begins: `agenda` is {right}."
    return f"{begins} {FORK_INSTEAD}"
