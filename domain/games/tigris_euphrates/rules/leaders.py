"""Leaders: placed, moved, withdrawn, and sent home when their last temple is gone."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.telling import Sentence
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.events import pieces
from domain.games.tigris_euphrates.rules.cells import cell_of, check_empty
from domain.games.tigris_euphrates.rules.revolts import begin_revolt
from domain.games.tigris_euphrates.rules.turns import action
from domain.games.tigris_euphrates.state.steps import Turn
from domain.games.tigris_euphrates.state.table import State


def places(state: State, _turn: Turn, seat: Seat) -> list[moves.PlaceLeader]:
    """Each leader on each empty land cell beside a temple: TE-5.1, TE-5.2, TE-5.3."""
    names = [state.board.names[cell] for cell in sorted(_beside_temples(state))]
    return [moves.PlaceLeader(seat, color, at) for color in board.COLORS for at in names]


def _beside_temples(state: State) -> set[int]:
    """The empty land cells beside a face-up temple: TE-5.2, TE-5.3."""
    cells, river = state.cells, state.board.river
    return {
        near
        for cell, what in enumerate(cells)
        if what == board.TEMPLE
        for near in state.board.neighbours[cell]
        if cells[near] == board.EMPTY and not river[near]
    }


def check_place(state: State, _turn: Turn, move: moves.PlaceLeader) -> None:
    """Refuse a cell where this leader cannot go: TE-4.3, TE-5.2, TE-5.3, TE-5.4, TE-5.5."""
    cell, home = cell_of(state, move.at), state.home(move.seat, move.color)
    if cell == home:  # asked first, as its own cell is not empty either
        leader = Sentence(f"leader_{move.color}")
        raise RuleBroken("TE-5.5", "leader_same_space", leader=leader, at=move.at)
    if state.board.river[cell]:
        raise RuleBroken("TE-5.2", "leader_on_river", at=move.at)
    check_empty(state, cell, "TE-5.2")
    if not state.temples_beside(cell):
        raise RuleBroken("TE-5.3", "leader_needs_temple", at=move.at)
    if len(state.touched(cell, lifted=home)) > 1:
        raise RuleBroken("TE-5.4", "leader_unites_kingdoms", at=move.at)


@action
def place(p: Play[State], _turn: Turn, move: moves.PlaceLeader) -> None:
    """Place or move a leader, which may bring about a revolt: TE-5.1, TE-5.6."""
    home = p.state.home(move.seat, move.color)
    if home == board.OFF:
        p.emit(pieces.LeaderPlaced(move.seat, move.color, move.at))
    else:
        p.emit(pieces.LeaderMoved(move.seat, move.color, p.state.board.names[home], move.at))
    begin_revolt(p, move)


def posted(state: State, _turn: Turn, seat: Seat) -> list[moves.WithdrawLeader]:
    """Each leader of this seat that is on the board: TE-5.1."""
    there = (color for color in board.COLORS if state.home(seat, color) != board.OFF)
    return [moves.WithdrawLeader(seat, color) for color in there]


def check_posted(state: State, _turn: Turn, move: moves.WithdrawLeader) -> None:
    """Refuse a leader that is not on the board: TE-5.1."""
    if state.home(move.seat, move.color) == board.OFF:
        leader = Sentence(f"leader_{move.color}")
        raise RuleBroken("TE-5.1", "leader_not_on_board", leader=leader)


@action
def withdraw(p: Play[State], _turn: Turn, move: moves.WithdrawLeader) -> None:
    """Take a leader back from the board: TE-5.1."""
    home = p.state.home(move.seat, move.color)
    p.emit(pieces.LeaderWithdrawn(move.seat, move.color, p.state.board.names[home]))


def exile(p: Play[State]) -> None:
    """Return all leaders that are not beside a temple any more: TE-5.7."""
    for leader, cell in enumerate(bytes(p.state.leaders)):  # a copy: exile changes the leaders
        if cell != board.OFF and not p.state.temples_beside(cell):
            seat, color = divmod(leader, 4)
            p.emit(pieces.LeaderExiled(seat, board.COLORS[color], p.state.board.names[cell]))
