"""The strength of two leaders in conflict: how it begins, and who wins."""

from __future__ import annotations

from typing import NamedTuple

from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates.board import Cell
from domain.games.tigris_euphrates.events.conflicts import ConflictBegan
from domain.games.tigris_euphrates.state.steps import Conflict, Reinforce, Resolve
from domain.games.tigris_euphrates.state.table import State


class Outcome(NamedTuple):
    """Winner, loser, the cell of the beaten leader, and the margin."""

    winner: Seat
    loser: Seat
    beaten_at: Cell
    attacker_total: int
    defender_total: int


def begin_conflict(
    p: Play[State], conflict: Conflict, attacking: list[Cell], defending: list[Cell]
) -> None:
    """Ask the attacker, then the defender, for tiles: TE-9.1, TE-9.2, TE-9.3, TE-9.7."""
    p.emit(ConflictBegan(conflict, tuple(attacking), tuple(defending)))
    p.then(
        Reinforce((conflict.attacker,), conflict=conflict),
        Reinforce((conflict.defender,), conflict=conflict),
        Resolve(conflict=conflict),
    )


def to_win(conflict: Conflict) -> int:
    """The tiles that the attacker needs to beat the defence on the board: TE-9.4."""
    return conflict.defender_board - conflict.attacker_board + 1


def to_hold(state: State, conflict: Conflict) -> int:
    """The tiles that the defender needs to equal the attacker, which is enough: TE-9.4."""
    return _attack(state, conflict) - conflict.defender_board


def outcome(state: State, conflict: Conflict) -> Outcome:
    """Compare supporters and committed tiles; the defender wins ties: TE-9.3, TE-9.4."""
    attack = _attack(state, conflict)
    defence = conflict.defender_board + state.committed[conflict.defender]
    if attack > defence:
        beaten = conflict.defender, conflict.defender_at
        return Outcome(conflict.attacker, *beaten, attack, defence)
    return Outcome(conflict.defender, conflict.attacker, conflict.attacker_at, attack, defence)


def _attack(state: State, conflict: Conflict) -> int:
    """Supporters and committed tiles of the attacker: TE-9.3."""
    return conflict.attacker_board + state.committed[conflict.attacker]
