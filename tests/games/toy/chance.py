"""TOY-1.1, TOY-2.1: cards come from the bag, and a die says what a round is worth."""

from tests.engine.toy.board import SIDES, VALUES
from tests.engine.toy.events import CardDrawn, PrizeRolled
from tests.games.chances import Chance, Drawn, counted, one_of_each


def bags(setup, _seats):
    return {"bag": counted(VALUES, setup.bag), "die": one_of_each(range(1, SIDES + 1))}


def drawn(event):
    match event:
        case CardDrawn(card=card):
            yield Drawn("bag", card)
        case PrizeRolled(points=points):
            yield Drawn("die", points)


def left(state):
    return {"bag": counted(VALUES, state.bag)}


CHANCE = Chance(bags, drawn, left, dice=frozenset({"die"}))
