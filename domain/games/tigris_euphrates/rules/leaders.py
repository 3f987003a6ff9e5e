"""Leaders: placed, moved, withdrawn, and exiled with their last temple."""

from __future__ import annotations

from itertools import compress

from domain.engine.answers import Fallback
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.board import where
from domain.games.tigris_euphrates.events import pieces
from domain.games.tigris_euphrates.rules import slots
from domain.games.tigris_euphrates.rules.cells import cell_of
from domain.games.tigris_euphrates.rules.conflicts.revolts import begin_revolt
from domain.games.tigris_euphrates.rules.turns import action
from domain.games.tigris_euphrates.state.kingdoms import beside_more_than
from domain.games.tigris_euphrates.state.steps import Turn
from domain.games.tigris_euphrates.state.table import State

MAX_KINGDOMS = 1
"""A leader may touch at most this many kingdoms: TE-5.4."""


def places(state: State, _turn: Turn, seat: Seat) -> list[moves.PlaceLeader]:
    """Each leader on each empty land cell beside a temple where it unites no kingdoms: TE-4.3,
    TE-5.1 to TE-5.4.
    """
    near = state.board.beside(where(state.cells, board.TEMPLE))
    fitting = near & where(state.cells, board.EMPTY) & state.board.land
    found: list[moves.PlaceLeader] = []
    for color, of_color in zip(board.COLORS, slots.leaders(state.setup.rows, seat), strict=True):
        kingdoms = state.without(state.home(seat, color))
        crowded = beside_more_than(kingdoms)[MAX_KINGDOMS]
        found += compress(of_color, board.flags(fitting & ~crowded))
    return found


def check_place(state: State, _turn: Turn, move: moves.PlaceLeader) -> None:
    """Refuse a cell where this leader may not go: TE-5.2, TE-5.3, TE-5.4, TE-5.5."""
    cell, home = cell_of(state, move.at), state.home(move.seat, move.color)
    if cell == home:  # checked first, because its own cell is not empty either
        leader = Sentence(f"leader_{move.color}")
        raise RuleBroken("TE-5.5", "leader_same_space", leader=leader, at=move.at)
    if refusal := obstacle(state, cell, home):
        raise RuleBroken(*refusal, at=move.at)


def obstacle(state: State, cell: int, home: int) -> Fallback | None:
    """Why the leader from `home` may not go to a cell, or None: TE-4.3, TE-5.2, TE-5.3, TE-5.4."""
    if state.board.river[cell]:
        return Fallback("TE-5.2", "leader_on_river")
    if state.cells[cell] != board.EMPTY:
        return Fallback("TE-5.2", "space_not_empty")
    if not state.temples_beside(cell):
        return Fallback("TE-5.3", "leader_needs_temple")
    if len(state.kingdoms_beside(cell, lifted=home)) > MAX_KINGDOMS:
        return Fallback("TE-5.4", "leader_unites_kingdoms")
    return None


@action
def place(p: Play[State], _turn: Turn, move: moves.PlaceLeader) -> None:
    """Place or move a leader, which may start a revolt: TE-5.1, TE-5.6."""
    home = p.state.home(move.seat, move.color)
    if home == board.OFF:
        p.emit(pieces.LeaderPlaced(move.seat, move.color, move.at))
    else:
        p.emit(pieces.LeaderMoved(move.seat, move.color, p.state.board.names[home], move.at))
    begin_revolt(p, move)


def withdrawals(state: State, _turn: Turn, seat: Seat) -> list[moves.WithdrawLeader]:
    """Each leader of this seat on the board: TE-5.1."""
    there = (color for color in board.COLORS if state.home(seat, color) != board.OFF)
    return [moves.WithdrawLeader(seat, color) for color in there]


def check_withdrawal(state: State, _turn: Turn, move: moves.WithdrawLeader) -> None:
    """Refuse a leader that is not on the board: TE-5.1."""
    if state.home(move.seat, move.color) == board.OFF:
        leader = Sentence(f"leader_{move.color}")
        raise RuleBroken("TE-5.1", "leader_not_on_board", leader=leader)


@action
def withdraw(p: Play[State], _turn: Turn, move: moves.WithdrawLeader) -> None:
    """Withdraw a leader from the board: TE-5.1."""
    home = p.state.home(move.seat, move.color)
    p.emit(pieces.LeaderWithdrawn(move.seat, move.color, p.state.board.names[home]))


def exile(p: Play[State]) -> None:
    """Return all leaders without an adjacent temple: TE-5.7."""
    for leader, cell in enumerate(bytes(p.state.leaders)):  # a copy: exile changes the leaders
        if cell != board.OFF and not p.state.temples_beside(cell):
            seat, color = divmod(leader, 4)
            p.emit(pieces.LeaderExiled(seat, board.COLORS[color], p.state.board.names[cell]))
