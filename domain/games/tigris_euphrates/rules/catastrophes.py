"""Catastrophe tiles: cells are lost for ever, perhaps with their temples."""

from __future__ import annotations

from itertools import compress

from domain.engine.answers import Fallback
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.board import where
from domain.games.tigris_euphrates.events.pieces import CatastrophePlaced
from domain.games.tigris_euphrates.rules import slots
from domain.games.tigris_euphrates.rules.cells import cell_of
from domain.games.tigris_euphrates.rules.leaders import exile
from domain.games.tigris_euphrates.rules.turns import action
from domain.games.tigris_euphrates.state.steps import Turn
from domain.games.tigris_euphrates.state.table import State


def places(state: State, _turn: Turn, seat: Seat) -> list[moves.PlaceCatastrophe]:
    """Each cell that is empty or has a face-up tile without a treasure: TE-7.1."""
    if not state.catastrophes_left[seat]:
        return []
    uncovered = where(state.cells, *range(board.FACE_DOWN)) & ~state.treasures
    return list(compress(slots.catastrophes(state.setup.rows, seat), board.flags(uncovered)))


def check_place(state: State, _turn: Turn, move: moves.PlaceCatastrophe) -> None:
    """Refuse a cell that cannot be covered, or if no such tile is left: TE-7.1."""
    cell = cell_of(state, move.at)
    if not state.catastrophes_left[move.seat]:
        raise RuleBroken("TE-7.1", "no_catastrophe_left")
    if refusal := obstacle(state, cell):
        raise RuleBroken(*refusal, at=move.at)


def obstacle(state: State, cell: int) -> Fallback | None:
    """Why a cell cannot be covered, or None if it can: TE-7.1."""
    what = state.cells[cell]
    if what == board.CATASTROPHE:
        return Fallback("TE-7.1", "catastrophe_on_catastrophe")
    if what > board.CATASTROPHE:
        return Fallback("TE-7.1", "catastrophe_on_leader")
    if what == board.FACE_DOWN:
        return Fallback("TE-7.1", "catastrophe_on_monument")
    if state.treasures & state.board.bits[cell]:
        return Fallback("TE-7.1", "catastrophe_on_treasure")
    return None


@action
def place(p: Play[State], _turn: Turn, move: moves.PlaceCatastrophe) -> None:
    """Cover a cell for ever, and return leaders without a temple: TE-7.2, TE-7.3."""
    what = p.state.cells[p.state.board.number[move.at]]
    covered = board.COLORS[what - 1] if board.EMPTY < what < board.FACE_DOWN else None
    p.emit(CatastrophePlaced(move.seat, move.at, covered))
    exile(p)
