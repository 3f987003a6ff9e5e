"""Where leaders, tiles and catastrophe tiles may go."""

from __future__ import annotations

from typing import NoReturn

from domain.engine.errors import RuleBroken
from domain.games.tigris_euphrates.board import (
    BLUE,
    CATASTROPHE,
    COLOR_NUMBER,
    EMPTY,
    FACE_DOWN,
    LEADER_NAMES,
    OFF,
    TEMPLE,
    TILE_NAMES,
    Cell,
)
from domain.games.tigris_euphrates.moves import (
    DiscardTile,
    PlaceCatastrophe,
    PlaceLeader,
    PlaceTile,
    WithdrawLeader,
)
from domain.games.tigris_euphrates.state import State


def check_leader(state: State, move: PlaceLeader) -> None:
    """TE-4.3, TE-5.1, TE-5.2, TE-5.3, TE-5.4, TE-5.5"""
    cell = _cell(state, move.at)
    home = state.leaders[4 * move.seat + COLOR_NUMBER[move.color]]
    if cell == home:
        _broken("TE-5.5", "leader_same_space", f"The {_leader(move)} is on {move.at} already.")
    if state.board.river[cell]:
        _broken("TE-5.2", "leader_on_river", f"{move.at} is river; leaders stand on land.")
    _check_empty(state, move.at, "TE-5.2")
    if not any(state.cells[near] == TEMPLE for near in state.board.neighbours[cell]):
        _broken("TE-5.3", "leader_needs_temple", f"There is no temple beside {move.at}.")
    if len(state.touched(cell, home)) > 1:
        _broken("TE-5.4", "leader_unites_kingdoms", f"On {move.at} it would unite kingdoms.")


def check_withdrawal(state: State, move: WithdrawLeader) -> None:
    """TE-5.1"""
    if state.leaders[4 * move.seat + COLOR_NUMBER[move.color]] == OFF:
        name = LEADER_NAMES[COLOR_NUMBER[move.color]]
        _broken("TE-5.1", "leader_not_on_board", f"Your {name} is not on the board.")


def check_tile(state: State, move: PlaceTile) -> None:
    """TE-1.3, TE-6.1, TE-6.2, TE-6.3"""
    number = COLOR_NUMBER[move.color]
    cell = _cell(state, move.at)
    if not state.hands[move.seat][number]:
        _broken("TE-6.1", "tile_not_in_hand", f"You have no {TILE_NAMES[number]}.")
    _check_empty(state, move.at, "TE-6.1")
    river = bool(state.board.river[cell])
    if number == BLUE and not river:
        _broken("TE-6.2", "farm_only_on_river", f"{move.at} is land; farms lie on river cells.")
    if number != BLUE and river:
        _broken("TE-6.2", "river_only_farms", f"{move.at} is river; only farms lie there.")
    if len(state.touched(cell)) > 2:
        _broken("TE-6.3", "unites_three_kingdoms", f"{move.at} is beside three kingdoms.")


def check_catastrophe(state: State, move: PlaceCatastrophe) -> None:
    """TE-7.1"""
    cell = _cell(state, move.at)
    if not state.catastrophes[move.seat]:
        _broken("TE-7.1", "no_catastrophe_left", "You have no catastrophe tile left.")
    what = state.cells[cell]
    if what == CATASTROPHE:
        _broken("TE-7.1", "catastrophe_on_catastrophe", f"There is one on {move.at} already.")
    if what > CATASTROPHE:
        _broken("TE-7.1", "catastrophe_on_leader", f"A leader stands on {move.at}.")
    if what == FACE_DOWN:
        _broken("TE-7.1", "catastrophe_on_monument", f"A monument stands on {move.at}.")
    if state.treasures[cell]:
        _broken("TE-7.1", "catastrophe_on_treasure", f"A treasure lies on {move.at}.")


def check_discard(state: State, move: DiscardTile) -> None:
    """TE-8.1"""
    number = COLOR_NUMBER[move.color]
    if not state.hands[move.seat][number]:
        _broken("TE-8.1", "tile_not_in_hand", f"You have no {TILE_NAMES[number]}.")


def _cell(state: State, name: Cell) -> int:
    """TE-1.1"""
    if (cell := state.board.number.get(name)) is None:
        _broken("TE-1.1", "off_board", f"There is no cell {name!r} on the board.")
    return cell


def _check_empty(state: State, name: Cell, rule: str) -> None:
    """TE-1.7"""
    if state.cells[state.board.number[name]] != EMPTY:
        _broken(rule, "space_not_empty", f"{name} is not empty.")


def _leader(move: PlaceLeader) -> str:
    return LEADER_NAMES[COLOR_NUMBER[move.color]]


def _broken(rule: str, fault: str, reason: str) -> NoReturn:
    raise RuleBroken(rule, fault, reason)
