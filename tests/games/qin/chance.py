"""QIN-3.2, QIN-3.6: tiles come from the pile, and a random player begins."""

from domain.games.qin.board import KINDS, TILES
from domain.games.qin.events import FirstPlayerChosen, TileDrawn, TilesDealt
from tests.games.chances import Chance, Draw, fill_bag, one_of_each


def bags(_setup, seats):
    return {"seats": one_of_each(range(seats)), "pile": fill_bag(KINDS, TILES)}


def draws_of(event):
    match event:
        case FirstPlayerChosen(seat=seat):
            yield Draw("seats", seat)
        case TilesDealt(seat=seat, kinds=kinds):
            yield from (Draw("pile", kind, f"first hand of {seat}") for kind in kinds)
        case TileDrawn(kind=kind):
            yield Draw("pile", kind, "later")


def count_left(state):
    return {"pile": fill_bag(KINDS, state.pile)}


CHANCE = Chance(bags, draws_of, count_left)
