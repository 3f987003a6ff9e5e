"""QIN-3.2, QIN-3.6: tiles come from the pile, and somebody begins."""

from domain.games.qin.board import KINDS, TILES
from domain.games.qin.events import FirstPlayerChosen, TileDrawn, TilesDealt
from tests.games.chances import Chance, Drawn, counted, one_of_each


def bags(_setup, seats):
    return {"seats": one_of_each(range(seats)), "pile": counted(KINDS, TILES)}


def drawn(event):
    match event:
        case FirstPlayerChosen(seat=seat):
            yield Drawn("seats", seat)
        case TilesDealt(seat=seat, kinds=kinds):
            yield from (Drawn("pile", kind, f"first hand of {seat}") for kind in kinds)
        case TileDrawn(kind=kind):
            yield Drawn("pile", kind, "later")


def left(state):
    return {"pile": counted(KINDS, state.pile)}


CHANCE = Chance(bags, drawn, left)
