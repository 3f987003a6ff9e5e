"""Small tables of Chang Cheng, and the effects of a move on them."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import decide, fold, judge, legal_moves, seats_to_move
from domain.engine.play import Awaiting, Event, Move
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.state.setup import Options
from domain.games.chang_cheng.state.steps import NextTurn
from domain.games.chang_cheng.state.table import CATEGORIES, State
from tests.games.seen import why


def table(walls: str = "", *, seats: int = 3, options: Any = None, **position: Any) -> State:
    """A table with these pieces on b1 and b2, unless `boards` names others.

    Each word is a place and a sign: `b1:3=0` a single of seat 0, `=n` a neutral one, `=0x` a ruin,
    `=0t` a tower; `b1:3-4=0` a double within a board. The tables show a rule in the fewest words;
    some of them are not reachable in a game.
    """
    setup = GAME.setup(options or Options(), seats)
    data = {"boards": ["b1", "b2"], "pieces": [piece(word) for word in walls.split()], **position}
    return GAME.read_position(setup, data, seats)


def piece(word: str) -> dict[str, Any]:
    """A piece as a position has it."""
    place, sign = word.split("=")
    board, numbers = place.split(":", 1)
    cells = [cell if ":" in cell else f"{board}:{cell}" for cell in numbers.split("-")]
    kind = "tower" if "t" in sign else "double" if len(cells) > 1 else "single"
    seat = None if sign[0] == "n" else int(sign[0])
    return {"cells": cells, "seat": seat, "kind": kind, "ruin": sign.endswith("x")}


def card(seat: int, number: int, region: str) -> dict[str, Any]:
    """A card that lies in a region."""
    return {"seat": seat, "number": number, "region": region}


def happens(state: State, *moves: Move, seed: int = 0) -> list[Event[Any]]:
    """All events of these moves, applied in place, without the agenda."""
    told: list[Event[Any]] = []
    for move in moves:
        events = decide(GAME, state, move, Luck(seed))
        fold(state, events)
        told += [event for event in events if not isinstance(event, Awaiting)]
    return told


def kinds(events: list[Event[Any]]) -> list[str]:
    """The names of events."""
    return [type(event).__name__ for event in events]


def only(events: list[Event[Any]], kind: type) -> Any:
    """The one event of this kind."""
    (event,) = [event for event in events if isinstance(event, kind)]
    return event


def refusal(state: State, move: Move) -> tuple[str, str]:
    """Rule and fault of the refusal of a move."""
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, state, move)
    assert why(GAME, refused.value).endswith(".")
    return refused.value.rule, refused.value.fault


def menu(state: State, kind: type | None = None) -> list[Any]:
    """The legal moves of the deciding seat, or only those of one kind."""
    moves = legal_moves(GAME, state, *seats_to_move(state))
    return [move for move in moves if kind is None or isinstance(move, kind)]


def cells(state: State, kind: type) -> list[str]:
    """The cells to which moves of a kind may go."""
    return [move.cell for move in menu(state, kind)]


def turn_of(state: State) -> int:
    """Whose turn it is, though another may be deciding."""
    step = state.agenda[0]
    assert isinstance(step, NextTurn)
    return step.seat


def points(**scores: int) -> dict[str, int]:
    """Points of one seat by category."""
    assert set(scores) <= set(CATEGORIES)
    return scores


def list_reservations(state: State) -> dict[str, tuple[int, ...]]:
    """The cells on which only some seats may build."""
    return {cell.name: cell.kept_for for cell in GAME.view(state, None).wall if cell.kept_for}
