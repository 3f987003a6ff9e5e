"""A random legal move, found without a list of all."""

from __future__ import annotations

from domain.engine.dice import Dice
from domain.engine.play import Move, Seat
from domain.games.tigris_euphrates import board, moves
from domain.games.tigris_euphrates.rules import catastrophes, leaders, slots, tiles
from domain.games.tigris_euphrates.rules.answers import ANSWERS
from domain.games.tigris_euphrates.state.steps import Turn
from domain.games.tigris_euphrates.state.table import State

TRIES = 60
"""After this many illegal random moves, all legal moves are listed."""


def draw_move(state: State, seat: Seat, dice: Dice) -> Move:
    """A random legal move, all equally likely; in a turn by drawing until one is legal: TE-3.1."""
    if type(state.agenda[-1]) is Turn:
        held = tuple(map(bool, state.hands[seat]))
        among = slots.all_of(state.setup.rows, seat, held, state.catastrophes_left[seat] > 0)
        for _ in range(TRIES):
            move = among[dice.below(len(among))]
            if _is_allowed(state, move):
                return move
    return ANSWERS.draw_move(state, seat, dice)


def _is_allowed(state: State, move: moves.InTurn) -> bool:
    """Whether a move with pieces that the seat holds is legal: TE-5.1, TE-6.1, TE-7.1."""
    number = state.board.number
    match move:
        case moves.PlaceTile(color=color, at=at):
            return not tiles.obstacle(state, number[at], color)
        case moves.PlaceLeader(seat=seat, color=color, at=at):
            return not leaders.obstacle(state, number[at], state.home(seat, color))
        case moves.PlaceCatastrophe(at=at):
            return not catastrophes.obstacle(state, number[at])
        case moves.WithdrawLeader(seat=seat, color=color):
            return state.home(seat, color) != board.OFF
        case _:
            return True
