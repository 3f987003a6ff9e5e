"""Positions as JSON: complete, and refused if no game could come to them."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import BadPosition
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.moves import CommitTiles, PlaceLeader, PlaceTile
from domain.games.tigris_euphrates.state.setup import Options
from domain.games.tigris_euphrates.state.steps import Turn
from tests.engine.table import contents
from tests.games.record import record
from tests.games.tigris_euphrates.table import did, hands, table, turn_of

SETUP = GAME.setup(Options(), 2)


def read(**position: Any) -> Any:
    return GAME.read_position(SETUP, position, 2)


def test_nothing_given_is_the_beginning_without_hands():
    """TE-2.1"""
    state = read()
    assert (sum(state.treasures), sum(state.bag), state.agenda[-1]) == (10, 143, Turn((0,), left=2))


@pytest.mark.parametrize("seats", [2, 4])
def test_positions_are_whole(seats):
    for moment in record(GAME, seats, 4).some(25):
        setup, written = moment.state.setup, GAME.write_position(moment.state)
        assert contents(GAME.read_position(setup, written, seats)) == contents(moment.state)


def at_war() -> Any:
    """Two kings are at war, and the attacker has committed a tile."""
    state = table(
        tiles={"G3": "black", "H3": "black", "J3": "black", "K3": "black", "L3": "red"},
        leaders=({"black": "F4"}, {"black": "L4"}),
        hands=hands("gk", "k"),
    )
    return did(state, PlaceTile(0, "green", "I3"), CommitTiles(0, 1))


def test_a_position_in_the_middle_of_a_war_goes_on():
    """TE-11.10"""
    state = at_war()
    again = GAME.read_position(SETUP, GAME.write_position(state), 2)
    assert contents(did(again, CommitTiles(1, 0))) == contents(did(state, CommitTiles(1, 0)))


def revolt() -> dict[str, Any]:
    """The conflict of two kings, as a position has it."""
    state = did(table(leaders=({}, {"black": "F4"})), PlaceLeader(0, "black", "F2"))
    return GAME.write_position(state)


def conflict(**changes: Any) -> dict[str, Any]:
    """That position with a conflict that is somehow otherwise."""
    position = revolt()
    for step in position["agenda"]:
        if "conflict" in step:
            step["conflict"].update(changes)
    return position


def war(*without: str, **changes: Any) -> dict[str, Any]:
    """A position in the middle of a war that has no such steps, or is somehow otherwise."""
    position = {**GAME.write_position(at_war()), **changes}
    position["agenda"] = [step for step in position["agenda"] if step["type"] not in without]
    return position


WRONG = {
    "a field that is unknown": {"tile": {}},
    "a cell that is unknown": {"tiles": {"Z9": "red"}},
    "two things on a cell": {"tiles": {"A1": "red"}, "catastrophes": ["A1"]},
    "a farm on land": {"tiles": {"A1": "blue"}},
    "a temple on a river": {"tiles": {"E1": "red"}},
    "a monument beyond the edge": {"monuments": {"black-red": "P11"}},
    "a monument on a tile": {"monuments": {"black-red": "F3"}},
    "a treasure where no temple was": {"treasures": ["A1"]},
    "a leader without a temple": {"leaders": [{"red": "A1"}, {}]},
    "two kings in a kingdom": {"leaders": [{"black": "F2"}, {"black": "F4"}]},
    "seven tiles in a hand": {"hands": [{"red": 7}, {}]},
    "too few hands": {"hands": [{}]},
    "more tiles than there are": {"bag": {"black": 31}},
    "a statistic that is unknown": {"counted": [{"luck": 1}, {}]},
    "a seat that does not exist": {"first": 2},
    "winners without an end": {"winners": [0]},
    "an end with an agenda": {"ended": "bag", "winners": [0], "agenda": turn_of(0)},
    "an agenda without an end of the turn": {"agenda": turn_of(0)[1:]},
    "an agenda that waits for nobody": {"agenda": turn_of(0)[:1]},
    "three actions": {"agenda": turn_of(0, 3)},
    "two turns": {"agenda": [*turn_of(0), *turn_of(0)[1:]]},
    "the turn of another": {"agenda": [*turn_of(0)[:1], *turn_of(1)[1:]]},
    "a swap of nothing": {"agenda": [*turn_of(0), {"type": "Swap", "seats": [0], "discarded": 0}]},
    "a war in peace": {
        "agenda": [*turn_of(0), {"type": "ChooseWar", "seats": [0], "colors": ["red"]}]
    },
    "a square that is none": {
        "agenda": [
            *turn_of(0),
            {"type": "OfferMonument", "seats": [0], "color": "red", "squares": ["F3"]},
        ]
    },
    "treasures that are not there": {
        "agenda": [*turn_of(0), {"type": "ChooseTreasure", "seats": [0], "choices": ["A1", "B2"]}]
    },
    "a conflict with nobody": conflict(defender_at="F3"),
    "a conflict with oneself": conflict(attacker=1, attacker_at="F4"),
    "a war without union": conflict(kind="war"),
    "a conflict that is never decided": war("Resolve"),
    "a conflict of other supporters": conflict(attacker_board=3),
    "wars that nobody looks for": war("FindWars"),
    "a union with nothing left to settle": war(agenda=turn_of(0)),
    "more treasures than there are": {"treasures_taken": [1, 0]},
    "three catastrophe tiles of a seat": {"catastrophes_left": [3, 0]},
    "more catastrophe tiles than there are": {"catastrophes": ["A1", "B1", "C1", "A2", "A3"]},
    "last cells that do not exist": {"last": {"seat": 0, "deed": "tile", "cells": ["Q1"]}},
    "a last seat that does not exist": {"last": {"seat": 2, "deed": "pass"}},
}


@pytest.mark.parametrize("position", WRONG.values(), ids=WRONG)
def test_a_position_is_refused_that_has(position):
    """TE-1.3, TE-1.7, TE-1.9, TE-5.7"""
    with pytest.raises(BadPosition):
        read(**position)


def test_a_position_in_the_middle_of_a_revolt_is_read():
    """TE-10.1"""
    assert read(**revolt()).agenda[-1].conflict.kind == "revolt"
