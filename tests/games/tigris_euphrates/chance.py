"""TE-2.4, TE-2.6, TE-8.1: tiles come from the bag, and somebody begins."""

from collections import Counter

from domain.games.tigris_euphrates.board import COLORS, board_of
from domain.games.tigris_euphrates.events.course import StartPlayerChosen, TilesDrawn
from tests.games.chances import Chance, Drawn, counted, one_of_each


def bags(setup, seats):
    temples = len(board_of(setup.rows).temples)  # each has a tile already: TE-2.2
    return {
        "seats": one_of_each(range(seats)),
        "bag": Counter(black=30, red=57 - temples, green=30, blue=36),
    }


def drawn(event):
    match event:
        case StartPlayerChosen(seat=seat):
            yield Drawn("seats", seat)
        case TilesDrawn(colors=colors):
            yield from (Drawn("bag", color) for color in colors)


def left(state):
    return {"bag": counted(COLORS, state.bag)}


CHANCE = Chance(bags, drawn, left)
