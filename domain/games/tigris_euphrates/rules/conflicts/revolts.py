"""Revolts: a leader enters a kingdom with another leader of its colour."""

from __future__ import annotations

from domain.engine.play import Play
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.events.conflicts import RevoltDecided
from domain.games.tigris_euphrates.rules.conflicts.strength import begin_conflict, outcome
from domain.games.tigris_euphrates.state.steps import Conflict
from domain.games.tigris_euphrates.state.table import State


def begin_revolt(p: Play[State], move: moves.PlaceLeader) -> None:
    """Begin a revolt if the kingdom has a leader of this colour: TE-5.6, TE-9.2, TE-10.1."""
    own = board.leader_of(move.seat, move.color)
    kingdom = p.state.kingdom_at(p.state.leaders[own])
    assert kingdom is not None, "the leader itself is there"
    rivals = [other for other in kingdom.leaders if other % 4 == own % 4 and other != own]
    if not rivals:
        return
    home = p.state.board.names[p.state.leaders[rivals[0]]]
    attacking, defending = temples(p.state, move.at), temples(p.state, home)
    conflict = Conflict(
        kind="revolt",
        color=move.color,
        attacker=move.seat,
        defender=rivals[0] // 4,
        attacker_at=move.at,
        defender_at=home,
        attacker_board=len(attacking),
        defender_board=len(defending),
    )
    begin_conflict(p, conflict, attacking, defending)


def temples(state: State, at: board.Cell) -> list[board.Cell]:
    """The supporters of a leader: face-up temples adjacent to it: TE-10.2."""
    names, around = state.board.names, state.board.neighbours[state.board.number[at]]
    return [names[near] for near in around if state.cells[near] == board.TEMPLE]


def decide(p: Play[State], conflict: Conflict) -> None:
    """Return only the loser's leader: TE-10.3, TE-10.4, TE-10.5."""
    end = outcome(p.state, conflict)
    p.emit(
        RevoltDecided(
            color=conflict.color,
            winner=end.winner,
            loser=end.loser,
            attacker=conflict.attacker,
            attacker_total=end.attacker_total,
            defender_total=end.defender_total,
            returned=end.beaten_at,
        )
    )
