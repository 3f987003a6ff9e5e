"""Cards come from the bag, and a die says what a round is worth: TOY-1.1, TOY-2.1."""

from tests.engine.toy.board import SIDES, VALUES
from tests.engine.toy.events import CardDrawn, PrizeRolled
from tests.games.chances import Chance, Draw, fill_bag, one_of_each


def bags(setup, _seats):
    return {"bag": fill_bag(VALUES, setup.bag), "die": one_of_each(range(1, SIDES + 1))}


def draws_of(event):
    match event:
        case CardDrawn(card=card):
            yield Draw("bag", card)
        case PrizeRolled(points=points):
            yield Draw("die", points)


def count_left(state):
    return {"bag": fill_bag(VALUES, state.bag)}


CHANCE = Chance(bags, draws_of, count_left, dice=frozenset({"die"}))
