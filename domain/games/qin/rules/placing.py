"""Placing a tile: where it may lie, and what follows from it. Chapters 4 and 8."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play
from domain.engine.sentences import Sentence
from domain.games.qin import board as box
from domain.games.qin.board import FREE, NUMBER_OF, VILLAGE, Half
from domain.games.qin.events import TilePlaced
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules import ends, provinces, villages
from domain.games.qin.rules.joining import find_obstacle
from domain.games.qin.state import steps
from domain.games.qin.state.table import State

_AFTERWARDS = tuple((steps.Refill(seat=seat), steps.NextTurn(seat=seat)) for seat in range(4))
"""The steps at the end of a turn, by seat."""


def check_placement(state: State, _step: steps.Turn, move: PlaceTile) -> None:
    """Refuse a tile that is not in the hand or cannot lie there: QIN-4.1, QIN-4.7.

    The areas are checked last, because that needs both halves on cells of the board.
    """
    one, two = move.halves
    if not state.hands[move.seat][box.KIND_NUMBER[move.kind]]:
        raise RuleBroken("QIN-4.1", "tile_not_in_hand", kind=Sentence(f"tile_{move.kind}"))
    if box.KIND_OF[one.color, two.color] != move.kind:
        names = {"one": Sentence(f"color_{one.color}"), "other": Sentence(f"color_{two.color}")}
        kind = Sentence(f"tile_{move.kind}")
        raise RuleBroken("QIN-1.2", "not_this_tile", kind=kind, **names)
    a, b = _cell(state, one), _cell(state, two)
    _check_spaces(state, move, a, b)
    _check_areas(state, move, a, b)


def place(p: Play[State], _step: steps.Turn, move: PlaceTile) -> None:
    """Lay the tile and settle provinces, then villages, unless the game ends: QIN-4.1, QIN-4.2,
    QIN-8.1.

    No step in between waits for a player: QIN-4.8.
    """
    p.emit(TilePlaced(move.seat, move.kind, move.halves))
    provinces.settle(p, move)
    if ends.end_by_last_pagoda(p, move.seat):
        return
    villages.settle(p, move.seat)
    if ends.end_by_last_pagoda(p, move.seat):
        return
    p.then(*_AFTERWARDS[move.seat])


def _cell(state: State, half: Half) -> int:
    """The cell of a half; refuses a space off the board: QIN-4.3."""
    cell = state.board.cell(half.row, half.col)
    if cell < 0:
        raise RuleBroken("QIN-4.3", "off_board", row=half.row, col=half.col)
    return cell


def _check_spaces(state: State, move: PlaceTile, a: int, b: int) -> None:
    """Refuse cells that are not adjacent, not free or not connected: QIN-4.3, QIN-4.4."""
    cells, neighbours = state.cells, state.board.neighbours
    one, two = move.halves
    if b not in neighbours[a]:
        raise RuleBroken("QIN-4.3", "not_adjacent", one=_name(one), other=_name(two))
    if cells[a] != FREE or cells[b] != FREE:
        half = one if cells[a] != FREE else two
        key = f"fault_not_grassland_{_obstacle(state, half)}"
        raise RuleBroken("QIN-4.3", "not_grassland", key, at=_name(half))
    if not any(FREE < cells[n] < VILLAGE for n in neighbours[a] + neighbours[b]):
        raise RuleBroken("QIN-4.4", "not_connected", one=_name(one), other=_name(two))


def _check_areas(state: State, move: PlaceTile, a: int, b: int) -> None:
    """Refuse a tile that would make a forbidden area: QIN-4.7, QIN-5.1."""
    one, two = move.halves
    near = state.board.neighbours
    if one.color == two.color:
        _check_area(state, one, near[a] + near[b])
    else:
        _check_area(state, one, near[a])
        _check_area(state, two, near[b])


def _check_area(state: State, half: Half, around: tuple[int, ...]) -> None:
    """Refuse to join areas that may not be joined: QIN-6.1, QIN-6.4, QIN-14.3."""
    if verdict := find_obstacle(state, NUMBER_OF[half.color], around):
        (rule, fault), spaces = verdict
        color = Sentence(f"color_{half.color}")
        raise RuleBroken(rule, fault, color=color, at=_name(half), spaces=spaces)


def _name(half: Half) -> str:
    return box.name_of(half.row, half.col)


def _obstacle(state: State, half: Half) -> str:
    """What occupies the cell of a half: QIN-2.2."""
    cell = state.board.cell(half.row, half.col)
    if not FREE < state.cells[cell] < VILLAGE:
        return "village" if state.cells[cell] == VILLAGE else "water"
    return "start" if state.board.ground[cell] else "tile"
