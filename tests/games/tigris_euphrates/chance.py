"""TE-2.4, TE-2.6, TE-8.1: tiles come from the bag, and a random player begins."""

from collections import Counter

from domain.games.tigris_euphrates.board import COLORS, board_of
from domain.games.tigris_euphrates.events.course import StartPlayerChosen, TilesDrawn
from tests.games.chances import Chance, Draw, fill_bag, one_of_each


def bags(setup, seats):
    temples = len(board_of(setup.rows).temples)  # each has a tile already: TE-2.2
    return {
        "seats": one_of_each(range(seats)),
        "bag": Counter(black=30, red=57 - temples, green=30, blue=36),
    }


def draws_of(event):
    match event:
        case StartPlayerChosen(seat=seat):
            yield Draw("seats", seat)
        case TilesDrawn(colors=colors):
            yield from (Draw("bag", color) for color in colors)


def count_left(state):
    return {"bag": fill_bag(COLORS, state.bag)}


CHANCE = Chance(bags, draws_of, count_left)
