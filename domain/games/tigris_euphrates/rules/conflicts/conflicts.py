"""Conflicts: both sides commit tiles, and the stronger wins."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import Sentence
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.events.conflicts import TilesCommitted
from domain.games.tigris_euphrates.rules.conflicts import revolts, wars
from domain.games.tigris_euphrates.rules.conflicts.strength import to_hold, to_win
from domain.games.tigris_euphrates.state.steps import Reinforce, Resolve
from domain.games.tigris_euphrates.state.table import State


def support(state: State, step: Reinforce, seat: Seat) -> list[moves.CommitTiles]:
    """From no tiles to all tiles of the colour that counts: TE-9.3."""
    held = state.hands[seat][board.COLOR_NUMBER[step.conflict.support]]
    return [moves.CommitTiles(seat, count) for count in range(held + 1)]


def check_support(state: State, step: Reinforce, move: moves.CommitTiles) -> None:
    """Refuse more tiles than the seat holds; fewer are always legal: TE-9.3, TE-9.5, TE-17.1."""
    color = step.conflict.support
    held = state.hands[move.seat][board.COLOR_NUMBER[color]]
    if not 0 <= move.count <= held:
        key, said = "fault_tile_not_in_hand_to_commit", Sentence(f"color_{color}")
        raise RuleBroken(
            "TE-9.3", "tile_not_in_hand", key, held=held, color=said, number=move.count
        )
    if state.setup.english_support and move.count:
        _check_english(state, step, move)


def _check_english(state: State, step: Reinforce, move: moves.CommitTiles) -> None:
    """Refuse tiles that make no difference: TE-17.1."""
    if move.seat == step.conflict.attacker:
        if move.count < (enough := to_win(step.conflict)):
            raise RuleBroken("TE-17.1", "support_in_vain", number=enough - 1)
    elif move.count != (enough := to_hold(state, step.conflict)):
        raise RuleBroken("TE-17.1", "support_not_equal", number=max(0, enough))


def commit(p: Play[State], step: Reinforce, move: moves.CommitTiles) -> None:
    """Commit tiles openly, out of the game: TE-9.3, TE-9.5, TE-9.6, TE-16.1."""
    p.emit(TilesCommitted(move.seat, step.conflict.support, move.count))


def resolve(p: Play[State], step: Resolve) -> None:
    """Compare the strengths, once both have committed: TE-9.2, TE-9.4."""
    decide = revolts.decide if step.conflict.kind == "revolt" else wars.decide
    decide(p, step.conflict)
