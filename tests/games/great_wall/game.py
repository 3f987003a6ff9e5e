"""Tables of The Great Wall, and the events of their moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from domain.engine import game as engine
from domain.engine.dice import Dice, Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import legal_moves
from domain.engine.play import Awaiting, Event, Move, Play, Step
from domain.games.great_wall import GAME
from domain.games.great_wall.rules import answers
from domain.games.great_wall.state.table import State
from tests.games.seen import why


def new_table(seats: int, dice: Dice | None = None, **options: Any) -> State:
    """A table where all seats choose their leaders."""
    setup = GAME.setup(GAME.options(**options), seats)
    return engine.new_state(GAME, setup, seats, dice or Luck())


def events_of(state: State, move: Move, dice: Dice | None = None) -> Sequence[Event[Any]]:
    """The events of this legal move, except those of the steps that follow."""
    events = engine.decide(GAME, state, move, dice or Luck())
    return [event for event in events if not isinstance(event, Awaiting)]


def events_of_steps(state: State, *todo: Step, dice: Dice | None = None) -> Sequence[Event[Any]]:
    """The events of these steps, up to the first question."""
    new = state.copy()
    new.agenda = [*reversed(todo)]
    play = Play(new, dice or Luck())
    while new.agenda and not new.agenda[-1].seats:
        answers.ANSWERS.run_step(play, new.agenda.pop())
    return play.events


def plan_of(state: State, step: Step) -> list[str]:
    """The names of the steps that this step leaves on the agenda, the next one first."""
    new = state.copy()
    new.agenda = []
    answers.ANSWERS.run_step(Play(new, Luck()), step)
    return [type(step).__name__ for step in reversed(new.agenda)]


def kinds(events: Sequence[Event[Any]]) -> list[str]:
    return [type(event).__name__ for event in events]


def of(kind: type[Event[Any]], events: Sequence[Event[Any]]) -> list[Any]:
    """The events of this kind."""
    return [event for event in events if isinstance(event, kind)]


def refusal_of(state: State, move: Move) -> tuple[str, str] | None:
    """The rule and the fault of the refusal; None if the move is legal."""
    try:
        engine.judge(GAME, state, move)
    except RuleBroken as refusal:
        return refusal.rule, refusal.fault
    return None


def legal_moves_of(state: State, kind: type[Move], seat: int = 0) -> list[Any]:
    """The legal moves of this kind."""
    return [move for move in legal_moves(GAME, state, seat) if isinstance(move, kind)]


@contextmanager
def expect_refusal(reason: str) -> Iterator[None]:
    """Expect that the rules refuse something, with these words in the reason."""
    with pytest.raises(RuleBroken) as caught:
        yield
    assert reason in why(GAME, caught.value)
