"""Which placements are legal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from domain.engine.errors import RuleBroken
from domain.engine.play import Seat
from domain.games.qin.board import (
    COLOR_NAMES,
    FREE,
    KIND_NUMBER,
    KIND_OF,
    MAJOR,
    NUMBER_OF,
    VILLAGE,
    Half,
    name_of,
)
from domain.games.qin.moves import PlaceTile, candidates
from domain.games.qin.state import NOBODY, RUINED, State


def check(state: State, move: PlaceTile) -> None:
    """QIN-4.1, QIN-4.7"""
    one, two = move.halves
    if not state.hands[move.seat][KIND_NUMBER[move.kind]]:
        _broken("QIN-4.1", "tile_not_in_hand", f"There is no tile {move.kind} in your hand.")
    if KIND_OF[one.color, two.color] != move.kind:
        reason = f"A tile {move.kind} does not have the halves {one.color} and {two.color}."
        _broken("QIN-1.2", "not_this_tile", reason)
    a, b = _cell(state, one), _cell(state, two)
    _check_spaces(state, move, a, b)
    _check_areas(state, move, a, b)


def can_place(state: State, seat: Seat) -> bool:
    """QIN-9.3"""
    return any(_legal(state, move) for move in candidates(state, seat))


def touching(state: State, cells: Iterable[int], colour: int) -> set[int]:
    """The areas of a colour beside these cells, which are one area with what is laid there."""
    areas, what, neighbours = state.areas, state.cells, state.board.neighbours
    return {areas[n] for cell in cells for n in neighbours[cell] if what[n] == colour}


def tally(state: State, provinces: Iterable[int]) -> dict[Seat, int]:
    """QIN-6.3"""
    spaces: dict[Seat, int] = {}
    for area in provinces:
        owner = state.owners[area] - 1
        spaces[owner] = spaces.get(owner, 0) + state.sizes[area]
    return spaces


def _legal(state: State, move: PlaceTile) -> bool:
    """Whether a candidate is legal: its tile and its spaces are good anyway."""
    one, two = move.halves
    width = state.board.width
    try:
        _check_areas(state, move, one.row * width + one.col, two.row * width + two.col)
    except RuleBroken:
        return False
    return True


def _cell(state: State, half: Half) -> int:
    """QIN-4.3"""
    cell = state.board.cell(half.row, half.col)
    if cell < 0:
        place = f"Row {half.row}, column {half.col}"
        _broken("QIN-4.3", "off_board", f"{place} (counted from 0) is not on the board.")
    return cell


def _check_spaces(state: State, move: PlaceTile, a: int, b: int) -> None:
    """QIN-4.3, QIN-4.4"""
    cells, neighbours = state.cells, state.board.neighbours
    one, two = move.halves
    if b not in neighbours[a]:
        reason = f"{_name(one)} and {_name(two)} do not share an edge."
        _broken("QIN-4.3", "not_adjacent", reason)
    if cells[a] != FREE or cells[b] != FREE:
        half = one if cells[a] != FREE else two
        _broken("QIN-4.3", "not_grassland", f"{_name(half)} is {_obstacle(state, half)}.")
    if not any(FREE < cells[n] < VILLAGE for n in neighbours[a] + neighbours[b]):
        reason = f"Neither {_name(one)} nor {_name(two)} is beside a start space or a tile."
        _broken("QIN-4.4", "not_connected", reason)


def _check_areas(state: State, move: PlaceTile, a: int, b: int) -> None:
    """QIN-5.2: halves of one colour come to lie in one area."""
    one, two = move.halves
    if one.color == two.color:
        _check_area(state, one, (a, b))
    else:
        _check_area(state, one, (a,))
        _check_area(state, two, (b,))


def _check_area(state: State, half: Half, cells: tuple[int, ...]) -> None:
    """QIN-4.7"""
    joined = touching(state, cells, NUMBER_OF[half.color])
    if len(joined) < 2:
        return
    owners = state.owners
    provinces = [area for area in joined if NOBODY != owners[area] != RUINED]
    if not provinces:
        return
    if any(owners[area] == RUINED for area in joined):
        reason = f"{_what(half)} would connect a province with a ruined area."
        _broken("QIN-14.3", "joins_ruined", reason)
    if len(provinces) > 1:
        _check_absorbing(state, half, provinces)


def _check_absorbing(state: State, half: Half, provinces: list[int]) -> None:
    """QIN-6.1, QIN-6.2, QIN-6.4, QIN-14.1, QIN-14.2"""
    majors = sum(state.sizes[area] >= MAJOR for area in provinces)
    if majors > 1 and state.setup.joining_majors == "forbidden":
        _broken("QIN-6.1", "joins_majors", f"{_what(half)} would join major provinces.")
    if majors:
        return
    first, *rest = sorted(tally(state, provinces).values(), reverse=True)
    if rest and rest[0] == first:
        reason = f"{_what(half)} would join provinces of which two players own {first} spaces each."
        _broken("QIN-6.4", "tied_absorb", reason)


def _name(half: Half) -> str:
    return name_of(half.row, half.col)


def _what(half: Half) -> str:
    return f"{COLOR_NAMES[half.color].capitalize()} on {_name(half)}"


def _obstacle(state: State, half: Half) -> str:
    """QIN-2.2"""
    cell = state.board.cell(half.row, half.col)
    if not FREE < state.cells[cell] < VILLAGE:
        return "a village" if state.cells[cell] == VILLAGE else "water"
    return "a start space" if state.board.ground[cell] else "covered by a tile"


def _broken(rule: str, fault: str, reason: str) -> NoReturn:
    raise RuleBroken(rule, fault, reason)
