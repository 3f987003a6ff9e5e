"""A table of two seats where a round begins, and what is done at it."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import decide, fold
from domain.engine.play import Awaiting, Event, Move
from tests.engine.toy import GAME

NEXT = {"type": "Round", "number": 2}
REFILL = {"type": "Refill"}
REVEAL = {"type": "Reveal"}
CHOOSE = {"type": "Choose", "seats": [0, 1]}
BEGIN = [NEXT, REFILL, REVEAL, CHOOSE]
TABLE: dict[str, Any] = {
    "bag": [0] * 6,
    "hands": [[1, 3, 5], [2, 4, 4]],
    "sealed": [None, None],
    "points": [2, 2],
    "round": 1,
    "prize": 4,
    "agenda": BEGIN,
}


def table(**changes: Any) -> Any:
    """The state of this table with some changes."""
    return GAME.read_position(GAME.setup(GAME.options(), 2), {**TABLE, **changes}, 2)


def play(state: Any, *moves: Move) -> list[Event[Any]]:
    """Make these moves in place; returns the events of the last one, without `Awaiting`."""
    events: list[Event[Any]] = []
    for move in moves:
        events = decide(GAME, state, move, Luck(1))
        fold(state, events)
    return [event for event in events if not isinstance(event, Awaiting)]


def refuse(state: Any, move: Move) -> tuple[str, str]:
    """The rule that refuses this move, and the fault."""
    with pytest.raises(RuleBroken) as refused:
        decide(GAME, state, move, Luck(1))
    return refused.value.rule, refused.value.fault
