"""Positions from outside, as a match starts from them."""

from __future__ import annotations

from typing import Any

from domain.engine.game import Game, Json


def read_start(game: Game[Any], setup: Any, position: Json, seats: int) -> Any:
    """The state of a position from which a match may start. Raises BadPosition."""
    state = game.read_position(setup, position, seats)
    game.check_position(state)
    return state
