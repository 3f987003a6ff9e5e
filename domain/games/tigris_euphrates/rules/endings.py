"""The end of a turn: monuments score, hands are refilled; and the end of the game."""

from __future__ import annotations

from domain.engine.play import Play, Seat
from domain.games.tigris_euphrates.board import COLORS, HAND_SIZE, LAST_TREASURES, MONUMENTS
from domain.games.tigris_euphrates.events import course
from domain.games.tigris_euphrates.events.monuments import MonumentScored
from domain.games.tigris_euphrates.rules.monuments import paying
from domain.games.tigris_euphrates.rules.turns import begin_turn, draw_tiles
from domain.games.tigris_euphrates.scoring import winners, with_treasures
from domain.games.tigris_euphrates.state.steps import EndTurn
from domain.games.tigris_euphrates.state.table import EndReason, State


def end_turn(p: Play[State], step: EndTurn) -> None:
    """Score, draw, then check for the last turn: TE-14.3, TE-3.4, TE-14.2, TE-15.1."""
    _score_monuments(p, step.seat)
    for seat in p.state.turn_order(step.seat):
        draw_tiles(p, seat, HAND_SIZE - sum(p.state.hands[seat]), "TE-14.2")
    p.emit(course.TurnEnded(step.seat))
    if p.state.treasures.bit_count() <= LAST_TREASURES:
        _end_game(p, "treasures")
    elif p.state.short:
        _end_game(p, "bag")
    else:
        begin_turn(p, p.state.turn_order(step.seat)[1])


def _score_monuments(p: Play[State], seat: Seat) -> None:
    """Score a point for each of the active player's leaders: TE-14.1, TE-12.5."""
    kingdoms = p.state.kingdoms
    for monument, number, color in paying(p.state):
        if 4 * seat + color in kingdoms[number].leaders:
            p.emit(MonumentScored(seat, MONUMENTS[monument], COLORS[color]))


def _end_game(p: Play[State], reason: EndReason) -> None:
    """Remove the screens and determine the winners: TE-15.1, TE-15.2, TE-15.3,
    TE-15.4.
    """
    seats = range(len(p.state.hands))
    totals = tuple(tuple(with_treasures(p.state, seat)) for seat in seats)
    p.emit(course.GameEnded(reason, winners(p.state), totals))
