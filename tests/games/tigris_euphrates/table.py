"""Small tables, dice that draw what a test wants, and the effects of a move."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import decide, fold, judge
from domain.engine.play import Awaiting, Event
from domain.engine.starting.starts import read_start
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.board import ACTIONS, COLORS
from domain.games.tigris_euphrates.state.setup import Options
from domain.games.tigris_euphrates.state.table import State
from tests.games.seen import why

TEMPLES = ("K1", "B2", "P2", "F3", "N5", "I7", "B8", "O9", "F10", "K11")
COLOR_OF = {color[0]: color for color in COLORS} | {"k": "black", "b": "blue"}


class Bag:
    """Dice that draw tiles in this order."""

    def __init__(self, *order: str) -> None:
        self.order = list(order)

    def below(self, n: int) -> int:
        """The number of tiles in the bag before the wanted one."""
        assert n == len(self.order)
        before = COLORS.index(self.order[0])
        drawn = sum(COLORS.index(color) < before for color in self.order)
        self.order.pop(0)
        return drawn


def table(
    *,
    seats: int = 2,
    tiles: dict[str, str] | None = None,
    leaders: tuple[dict[str, str], ...] | None = None,
    taken: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    left: int = 2,
    active: int = 0,
    options: dict[str, Any] | None = None,
    **position: Any,
) -> State:
    """The starting temples, these tiles and leaders; hands are empty by default.

    With two actions left a turn begins, so a match can start from this table; it would leave out
    the history that this table has.
    """
    setup = GAME.setup(Options(**(options or {})), seats)
    data = {
        "tiles": {**{name: "red" for name in TEMPLES if name not in without}, **(tiles or {})},
        "treasures": tuple(name for name in TEMPLES if name not in taken),
        "leaders": leaders or tuple({} for _ in range(seats)),
        "agenda": turn_of(active, left),
        **position,
    }
    if left == ACTIONS:
        read_start(GAME, setup, data, seats)
    return GAME.read_position(setup, data, seats)


def turn_of(seat: int, left: int = 2) -> list[dict[str, Any]]:
    """It is the turn of this seat."""
    return [{"type": "EndTurn", "seat": seat}, {"type": "Turn", "seats": [seat], "left": left}]


def hands(*words: str) -> tuple[dict[str, int], ...]:
    """Hands as words of letters: r, g, b for blue, k for black."""
    return tuple({COLOR_OF[sign]: word.count(sign) for sign in set(word)} for word in words)


def did(state: State, *moves: Any, dice: Any = None) -> State:
    """The table after these moves."""
    for move in moves:
        judge(GAME, state, move)
        state = fold(state.copy(), decide(GAME, state, move, dice or Luck(0)))
    return state


def play_move(state: State, move: Any, dice: Any = None) -> list[Event[Any]]:
    """All events of a move, without the agenda."""
    judge(GAME, state, move)
    events = decide(GAME, state, move, dice or Luck(0))
    return [event for event in events if not isinstance(event, Awaiting)]


def names(events: list[Event[Any]]) -> list[str]:
    """The names of the kinds of these events."""
    return [type(event).__name__ for event in events]


def refusal(state: State, move: Any) -> tuple[str, str]:
    """The rule and the fault of a refusal."""
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, state, move)
    assert why(GAME, refused.value).endswith(".")
    return refused.value.rule, refused.value.fault


def on(state: State, name: str) -> int:
    """What is on a cell."""
    return state.cells[state.board.number[name]]


def all_tiles(state: State) -> list[int]:
    """How many tiles of each colour there are, wherever they are."""
    places = (state.bag, state.gone, *state.hands, *state.discarded)
    board = [state.cells.count(number + 1) for number in range(len(COLORS))]
    return [sum(counts) for counts in zip(board, *places, strict=True)]
