"""The turn: two actions, one after the other."""

from __future__ import annotations

from functools import wraps
from typing import TypeVar

from domain.engine.answers import Deed
from domain.engine.play import Move, Play, Seat
from domain.games.tigris_euphrates.board import ACTIONS
from domain.games.tigris_euphrates.events.turn import ActionPassed
from domain.games.tigris_euphrates.moves import Pass
from domain.games.tigris_euphrates.state.steps import EndTurn, ServeTraders, Turn
from domain.games.tigris_euphrates.state.table import State

M = TypeVar("M", bound=Move)


def begin_turn(p: Play[State], seat: Seat) -> None:
    """Give this seat its actions, after which its turn ends: TE-3.1, TE-3.4."""
    p.then(Turn((seat,), left=ACTIONS), EndTurn(seat=seat))


def action(deed: Deed[State, Turn, M]) -> Deed[State, Turn, M]:
    """Make a deed an action of the turn, at whose end traders are served: TE-3.1, TE-3.3.

    The deed comes last, so that what it plans is settled before the traders come.
    """

    @wraps(deed)
    def act(p: Play[State], turn: Turn, move: M) -> None:
        use_up(p, turn)
        p.then(ServeTraders(seat=move.seat))
        deed(p, turn, move)

    return act


def use_up(p: Play[State], turn: Turn) -> None:
    """Leave one action less: TE-3.1."""
    if turn.left > 1:
        p.then(Turn(turn.seats, left=turn.left - 1))


@action
def pass_by(p: Play[State], _turn: Turn, move: Pass) -> None:
    """Let an action go by: TE-3.2."""
    p.emit(ActionPassed(move.seat))
