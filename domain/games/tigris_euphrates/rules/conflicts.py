"""What revolts and wars have in common: both sides commit tiles, and the stronger wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates.board import Cell
from domain.games.tigris_euphrates.events import ConflictBegan, TilesCommitted
from domain.games.tigris_euphrates.moves import CommitTiles
from domain.games.tigris_euphrates.state import Conflict, Reinforce, Resolve, State


class Outcome(NamedTuple):
    """Who won against whom, where the beaten leader stood, and by how much."""

    winner: Seat
    loser: Seat
    beaten_at: Cell
    attacker_total: int
    defender_total: int


def begin_conflict(
    p: Play[State], conflict: Conflict, attacking: Sequence[Cell], defending: Sequence[Cell]
) -> None:
    """TE-9.1, TE-9.2, TE-9.3, TE-9.7"""
    p.emit(ConflictBegan(conflict, tuple(attacking), tuple(defending)))
    p.then(
        Reinforce((conflict.attacker,), conflict=conflict),
        Reinforce((conflict.defender,), conflict=conflict),
        Resolve(conflict=conflict),
    )


def commit(p: Play[State], conflict: Conflict, move: CommitTiles) -> None:
    """TE-9.3, TE-9.5, TE-9.6, TE-16.1"""
    p.emit(TilesCommitted(move.seat, conflict.support, move.count))


def outcome(state: State, conflict: Conflict) -> Outcome:
    """TE-9.3, TE-9.4"""
    attack = conflict.attacker_board + state.support[conflict.attacker]
    defence = conflict.defender_board + state.support[conflict.defender]
    if attack > defence:
        beaten = conflict.defender, conflict.defender_at
        return Outcome(conflict.attacker, *beaten, attack, defence)
    return Outcome(conflict.defender, conflict.attacker, conflict.attacker_at, attack, defence)
