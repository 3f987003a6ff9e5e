"""A game's own way to draw a random move equals a draw from the list of all legal moves."""

from __future__ import annotations

import pytest

from domain.engine.game import legal_moves, random_move
from domain.games import GAMES, qin, tigris_euphrates
from domain.games.qin.rules import drawing as qin_drawing
from domain.games.tigris_euphrates.board import CATASTROPHE, COLORS, EMPTY
from domain.games.tigris_euphrates.moves import DiscardTile, Pass, PlaceLeader, PlaceTile
from domain.games.tigris_euphrates.rules import drawing as tigris_drawing
from tests.engine.table import Script
from tests.games import every_game
from tests.games.qin.table import holding, tile
from tests.games.qin.table import table as qin_table
from tests.games.tigris_euphrates.table import hands
from tests.games.tigris_euphrates.table import table as tigris_table

MANY_DRAWS = 160
"""Mean number of draws of each legal move."""
OWN_WAY = [game for game in GAMES.values() if game.draw_move]


def test_two_games_have_their_own_way():
    """The others draw as the table of answers does."""
    assert OWN_WAY == [qin.GAME, tigris_euphrates.GAME]


@pytest.mark.long
@pytest.mark.parametrize("game", OWN_WAY, ids=lambda game: game.key)
def test_each_legal_move_is_drawn_as_often_and_no_other(game):
    """With any number of seats, and more often than every game is checked."""
    for seats in game.seats:
        every_game.any_legal_move_is_drawn_as_often_as_the_others(game, seats, MANY_DRAWS)


class Last:
    """Dice that always fall on one number, as long as there are more; then on the last one."""

    def __init__(self, number: int) -> None:
        self.number, self.rolls = number, 0

    def below(self, n: int) -> int:
        self.rolls += 1
        return min(self.number, n - 1)


def test_in_qin_after_the_last_try_the_draw_is_among_all_legal_moves():
    """QIN-6.4: a tile lies on c1 and c2 or nowhere, and no red half on c1."""
    between_tied = qin_table("rr.rr", "~~.~~", owners=("00.11", "....."))
    state = holding(between_tied, 0, "RY")
    assert legal_moves(qin.GAME, state, 0) == [tile("RY", "c2", "c1")]
    unlucky = [0] * qin_drawing.TRIES
    assert random_move(qin.GAME, state, 0, Script(*unlucky, 0)) == tile("RY", "c2", "c1")
    assert random_move(qin.GAME, state, 0, Script(0, 1)) == tile("RY", "c2", "c1")


def test_in_tigris_a_few_moves_among_many_illegal_ones_can_all_be_drawn():
    """TE-3.1: a tile on the last empty cell, and the leaders that may come there."""
    state = tigris_table(hands=hands("r", ""), catastrophes_left=[0, 0])
    number = state.board.number
    for cell, what in enumerate(state.cells):
        if what == EMPTY and cell != number["F2"]:
            state.put(cell, CATASTROPHE)
    lone = [PlaceTile(0, "red", "F2"), *(PlaceLeader(0, color, "F2") for color in COLORS)]
    legal = [*lone, DiscardTile(0, "red"), Pass(0)]
    assert legal_moves(tigris_euphrates.GAME, state, 0) == legal
    drawn = {random_move(tigris_euphrates.GAME, state, 0, Last(n)) for n in range(1000)}
    assert drawn == set(legal)


def test_in_tigris_what_is_never_hit_upon_is_found_in_the_end():
    """TE-3.2: the dice always give a tile on a cell that is not empty."""
    state = tigris_table(hands=hands("r", ""), tiles={"A1": "red"})
    dice, legal = Last(0), legal_moves(tigris_euphrates.GAME, state, 0)
    assert random_move(tigris_euphrates.GAME, state, 0, dice) == legal[0]
    assert dice.rolls == tigris_drawing.TRIES + 1
