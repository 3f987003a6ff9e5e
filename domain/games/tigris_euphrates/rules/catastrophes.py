"""Catastrophe tiles: cells are lost for ever, and with them perhaps temples."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.events.pieces import CatastrophePlaced
from domain.games.tigris_euphrates.rules.cells import cell_of
from domain.games.tigris_euphrates.rules.leaders import exile
from domain.games.tigris_euphrates.rules.turns import action
from domain.games.tigris_euphrates.state.steps import Turn
from domain.games.tigris_euphrates.state.table import State


def places(state: State, _turn: Turn, seat: Seat) -> list[moves.PlaceCatastrophe]:
    """Each cell that is empty or has a face-up tile without a treasure: TE-7.1."""
    if not state.catastrophes[seat]:
        return []
    return [
        moves.PlaceCatastrophe(seat, state.board.names[cell])
        for cell, what in enumerate(state.cells)
        if what < board.FACE_DOWN and not state.treasures[cell]
    ]


def check_place(state: State, _turn: Turn, move: moves.PlaceCatastrophe) -> None:
    """Refuse a cell that cannot be covered, or if no such tile is left: TE-7.1."""
    cell = cell_of(state, move.at)
    if not state.catastrophes[move.seat]:
        raise RuleBroken("TE-7.1", "no_catastrophe_left")
    what = state.cells[cell]
    if what == board.CATASTROPHE:
        raise RuleBroken("TE-7.1", "catastrophe_on_catastrophe", at=move.at)
    if what > board.CATASTROPHE:
        raise RuleBroken("TE-7.1", "catastrophe_on_leader", at=move.at)
    if what == board.FACE_DOWN:
        raise RuleBroken("TE-7.1", "catastrophe_on_monument", at=move.at)
    if state.treasures[cell]:
        raise RuleBroken("TE-7.1", "catastrophe_on_treasure", at=move.at)


@action
def place(p: Play[State], _turn: Turn, move: moves.PlaceCatastrophe) -> None:
    """Cover a cell for ever, and return leaders that lost their temple: TE-7.2, TE-7.3."""
    what = p.state.cells[p.state.board.number[move.at]]
    covered = board.COLORS[what - 1] if board.EMPTY < what < board.FACE_DOWN else None
    p.emit(CatastrophePlaced(move.seat, move.at, covered))
    exile(p)
