"""Small tables of Qin, and the effects of a placement on them."""

from __future__ import annotations

from typing import Any

from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import decide, fold, judge
from domain.engine.play import Awaiting, Event
from domain.games.qin import GAME
from domain.games.qin.board import KIND_NUMBER, KINDS, Half
from domain.games.qin.events import TileDrawn, TilePlaced
from domain.games.qin.moves import PlaceTile
from domain.games.qin.state.setup import Options
from domain.games.qin.state.table import State
from tests.games.seen import why

FACES = "abcdefghijklm"


def table(
    *cells: str,
    owners: tuple[str, ...] | None = None,
    seats: int = 2,
    joining_majors: Any = "forbidden",
    **position: Any,
) -> State:
    """A table with these cells; no area has an owner unless `owners` names one."""
    setup = GAME.setup(Options(joining_majors=joining_majors), seats)
    nobody = tuple("." * len(row) for row in cells)
    data = {"cells": cells, "owners": owners or nobody, **position}
    return GAME.read_position(setup, data, seats)


def at(name: str) -> tuple[int, int]:
    """Row and column of a space such as c2."""
    return int(name[1:]) - 1, FACES.index(name[0])


def tile(kind: Any, one: str, two: str, seat: int = 0) -> PlaceTile:
    """A placement, the first letter of the kind on the first space."""
    first, second = (Half(*at(name), color) for name, color in zip((one, two), kind, strict=True))
    return PlaceTile(seat, kind, (first, second))


def holding(state: State, seat: int, *kinds: str) -> State:
    """The same table with exactly these tiles in a hand."""
    other = state.copy()
    other.hands[seat] = [kinds.count(kind) for kind in KINDS]
    return other


def give_tile(state: State, move: PlaceTile) -> State:
    """The same table with the tile of this move in the hand that needs it."""
    other = state.copy()
    if not other.hands[move.seat][KIND_NUMBER[move.kind]]:
        other.hands[move.seat][KIND_NUMBER[move.kind]] = 1
    return other


def lay(state: State, kind: str, one: str, two: str, seat: int = 0) -> list[Event[Any]]:
    """All events of this placement."""
    move = tile(kind, one, two, seat)
    return decide(GAME, give_tile(state, move), move, Luck(0))


def effects(state: State, kind: str, one: str, two: str, seat: int = 0) -> list[Event[Any]]:
    """The effects of a placement, without the tile itself, the draw, and the next turn."""
    events = lay(state, kind, one, two, seat)
    return [e for e in events if not isinstance(e, TilePlaced | TileDrawn | Awaiting)]


def after(state: State, kind: str, one: str, two: str, seat: int = 0) -> State:
    """The table after this placement."""
    events = lay(state, kind, one, two, seat)
    return fold(give_tile(state, tile(kind, one, two, seat)), events)


def refusal(state: State, kind: str, one: str, two: str, seat: int = 0) -> tuple[str, str, str]:
    """Rule, fault and reason of the refusal of a placement."""
    move = tile(kind, one, two, seat)
    try:
        judge(GAME, give_tile(state, move), move)
    except RuleBroken as refused:
        return refused.rule, refused.fault, why(GAME, refused)
    raise AssertionError(f"{move} is legal")
