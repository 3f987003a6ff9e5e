"""HT-2.2, HT-2.5, HT-8.8: bonus markers come to the taverns and from the pile; somebody begins."""

from collections import Counter

from domain.games.hansa_teutonica.board import MARKERS, STARTING
from domain.games.hansa_teutonica.events.course import (
    FirstPlayerChosen,
    MarkersDrawn,
    TavernsFilled,
)
from tests.games.chances import Chance, Drawn, counted, one_of_each


def bags(setup, seats):
    starting = Counter(STARTING)
    return {
        "seats": one_of_each(range(seats)),
        "starting": starting,
        "pile": counted(MARKERS, setup.markers) - starting,
    }


def drawn(event):
    match event:
        case FirstPlayerChosen(seat=seat):
            yield Drawn("seats", seat)
        case TavernsFilled(markers=markers):
            yield from (Drawn("starting", marker.kind, marker.route) for marker in markers)
        case MarkersDrawn(kinds=kinds, from_bottom=low):
            yield from (Drawn("pile", kind) for kind in kinds[: len(kinds) - low])


def left(state):
    return {"pile": counted(MARKERS, state.pile)}


CHANCE = Chance(bags, drawn, left)
