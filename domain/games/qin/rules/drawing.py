"""A random legal placement, found without a list of all."""

from __future__ import annotations

from domain.engine.dice import Dice
from domain.engine.play import Move, Seat
from domain.games.qin.moves import PlaceTile
from domain.games.qin.rules.answers import ANSWERS
from domain.games.qin.rules.joining import find_obstacle
from domain.games.qin.rules.places import ways_of
from domain.games.qin.state.table import State

TRIES = 12
"""How many random placements are tried before all are listed; most placements are legal."""


def draw_move(state: State, seat: Seat, dice: Dice) -> Move:
    """A random legal placement: draws until one fits the hand, the cells and QIN-4.7."""
    board, ways = state.board, ways_of(tuple(state.hands[seat]))
    in_rows = state.right.bit_count()
    places = in_rows + state.down.bit_count()
    for _ in range(TRIES):
        number, place = divmod(dice.below(len(ways) * places), places)
        if place < in_rows:
            a = board.cells_with(state.right)[place]
            b = a + 1
        else:
            a = board.cells_with(state.down)[place - in_rows]
            b = a + board.width
        kind, one, two, turned = ways[number]
        if turned:
            a, b = b, a
        if _fits(state, a, one, b, two):
            return PlaceTile(seat, kind, (board.halves[one][a], board.halves[two][b]))
    return ANSWERS.draw_move(state, seat, dice)


def _fits(state: State, a: int, one: int, b: int, two: int) -> bool:
    """Whether QIN-4.7 allows the areas that a tile with these colours makes on two cells."""
    near = state.board.neighbours
    if one == two:
        return not find_obstacle(state, one, near[a] + near[b])
    return not (find_obstacle(state, one, near[a]) or find_obstacle(state, two, near[b]))
