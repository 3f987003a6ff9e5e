"""HT-2.2, HT-2.5, HT-8.8: bonus markers come to the taverns and from the pile; a seat begins."""

from collections import Counter

from domain.games.hansa_teutonica.board import MARKERS, STARTING
from domain.games.hansa_teutonica.events.course import (
    FirstPlayerChosen,
    MarkersDrawn,
    TavernsFilled,
)
from tests.games.chances import Chance, Draw, fill_bag, one_of_each


def bags(setup, seats):
    starting = Counter(STARTING)
    return {
        "seats": one_of_each(range(seats)),
        "starting": starting,
        "pile": fill_bag(MARKERS, setup.markers) - starting,
    }


def draws_of(event):
    match event:
        case FirstPlayerChosen(seat=seat):
            yield Draw("seats", seat)
        case TavernsFilled(markers=markers):
            yield from (Draw("starting", marker.kind, marker.route) for marker in markers)
        case MarkersDrawn(kinds=kinds, from_bottom=low):
            yield from (Draw("pile", kind) for kind in kinds[: len(kinds) - low])


def markers_left(state):
    return {"pile": fill_bag(MARKERS, state.pile)}


CHANCE = Chance(bags, draws_of, markers_left)
