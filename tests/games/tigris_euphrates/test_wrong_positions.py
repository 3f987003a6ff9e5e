"""Positions that no game reaches: the game refuses each with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import BadPosition
from tests.games.tigris_euphrates.positions import REVOLT, read
from tests.games.tigris_euphrates.table import turn_of
from tests.support.for_each import for_each

BEGINNING = "A position begins where a turn begins: `agenda` is ["
LEAVE_OUT = "`{}`: A position begins where a turn begins: leave this out. "
NO_TREASURE = "`treasures`: By the rest of the position, this is `[]`."
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a field that is unknown": ({"tile": {}}, "`tile`: There is no such member"),
    "a cell that is unknown": (
        {"tiles": {"Z9": "red"}},
        "`tiles/Z9`: There is no cell 'Z9' on this table.",
    ),
    "two things on a cell": (
        {"tiles": {"A1": "red"}, "catastrophes": ["A1"]},
        "`tiles/A1`: By the rest of the position, nothing is here.",
    ),
    "a farm on land": (
        {"tiles": {"A1": "blue"}},
        "Farms, and only farms, lie on river cells; A1 is not one for this.",
    ),
    "a temple on a river": (
        {"tiles": {"E1": "red"}},
        "Farms, and only farms, lie on river cells; E1 is not one for this.",
    ),
    "a monument beyond the edge": (
        {"monuments": {"black-red": "P11"}},
        "The monument on P11 needs four cells of its own.",
    ),
    "a monument on a tile": (
        {"monuments": {"black-red": "F3"}},
        "The monument on F3 needs four cells of its own.",
    ),
    "a treasure named twice": (
        {"treasures": ["F3", "F3"]},
        "`treasures`: It names something twice",
    ),
    "a tile removed twice": (
        {"conflict": {**REVOLT, "removed": ["G3", "G3"]}},
        "`conflict/removed`: It names something twice",
    ),
    "a treasure where no temple was": ({"treasures": ["A1"]}, NO_TREASURE),
    "a leader without a temple": (
        {"leaders": [{"red": "A1"}, {}]},
        "A leader is beside a temple; that on A1 is not.",
    ),
    "two kings in a kingdom": (
        {"leaders": [{"black": "F2"}, {"black": "F4"}]},
        "A kingdom has two leaders of one colour; it has at most one of each.",
    ),
    "seven tiles in a hand": ({"hands": [{"red": 7}, {}]}, "A hand has at most 6 tiles."),
    "too few hands": ({"hands": [{}]}, "`hands`: Expected 2 items, one for each seat."),
    "more tiles than there are": (
        {"bag": {"black": 31}},
        "There are more black tiles than the game has.",
    ),
    "a statistic that is unknown": (
        {"counted": [{"luck": 1}, {}]},
        "`counted/0/luck`: There is no counter 'luck'",
    ),
    "a seat that does not exist": ({"first": 2}, "`first`: There is no seat "),
    "winners without an end": (
        {"winners": [0]},
        "The game has `ended` or has `winners`.",
    ),
    "an end with an agenda": (
        {"ended": "bag", "winners": [0], "agenda": turn_of(0)},
        "The game has `ended` or has `winners`.",
    ),
    "an agenda without an end of the turn": ({"agenda": turn_of(0)[1:]}, BEGINNING),
    "an agenda that waits for nobody": ({"agenda": turn_of(0)[:1]}, BEGINNING),
    "an empty agenda": ({"agenda": []}, BEGINNING),
    "three actions": ({"agenda": turn_of(0, 3)}, BEGINNING),
    "one action": ({"agenda": turn_of(0, 1)}, BEGINNING),
    "no actions": ({"agenda": turn_of(0, 0)}, BEGINNING),
    "the turn of another": ({"agenda": [*turn_of(0)[:1], *turn_of(1)[1:]]}, BEGINNING),
    "a turn of two": ({"agenda": [{**step, "seats": [0, 1]} for step in turn_of(0)]}, BEGINNING),
    "a turn twice": ({"agenda": [*turn_of(0), *turn_of(0)]}, BEGINNING),
    "an end": ({"ended": "bag", "winners": [0, 1]}, "The game has `ended`"),
    "a union": ({"united": {"at": "I3", "sides": [["F4"], ["L4"]]}}, LEAVE_OUT.format("united")),
    "tiles committed": ({"committed": [1, 0]}, LEAVE_OUT.format("committed")),
    "a bag that ran out": ({"short": True}, LEAVE_OUT.format("short")),
    "a game that is over": (
        {"treasures": ["K1", "P2"]},
        "With 2 `treasures` or fewer on the board the game is over.",
    ),
    "more treasures than there are": (
        {"treasures_taken": [1, 0]},
        "There are 11 treasures; the game has 10.",
    ),
    "three catastrophe tiles of a seat": (
        {"catastrophes_left": [3, 0]},
        "`catastrophes_left/0`: It is greater than the maximum of 2.",
    ),
    "more catastrophe tiles than there are": (
        {"catastrophes": ["A1", "B1", "C1", "A2", "A3"]},
        "There are more catastrophe tiles than the players have.",
    ),
    "last cells that do not exist": (
        {"last": {"seat": 0, "deed": "tile", "cells": ["Q1"]}},
        "`last/cells/0`: There is no cell 'Q1' on this table.",
    ),
    "a last seat that does not exist": (
        {"last": {"seat": 2, "deed": "pass"}},
        "`last/seat`: There is no seat ",
    ),
    "a removed tile that was nowhere": (
        {"conflict": {**REVOLT, "removed": ["Q1"]}},
        "`conflict/removed/0`: There is no cell 'Q1' on this table.",
    ),
    "a winner that does not sit there": (
        {"conflict": {**REVOLT, "winner": 2}},
        "`conflict/winner`: There is no seat ",
    ),
    "a loser that does not sit there": (
        {"conflict": {**REVOLT, "loser": -1}},
        "`conflict/loser`: There is no seat ",
    ),
    "an attacker that does not sit there": (
        {"conflict": {**REVOLT, "attacker": 9}},
        "`conflict/attacker`: There is no seat ",
    ),
    "a seat below the first": ({"first": -1}, "`first`: There is no seat "),
    "a winner that does not sit there at the end": (
        {"ended": "bag", "winners": [2]},
        "`winners/0`: There is no seat ",
    ),
    "an end without winners": (
        {"ended": "bag"},
        "The game has `ended` or has `winners`.",
    ),
    "a treasure on nothing": (
        {"tiles": {}, "treasures": ["F3"]},
        NO_TREASURE,
    ),
    "a treasure on a catastrophe tile": (
        {"tiles": {}, "catastrophes": ["F3"], "treasures": ["F3"]},
        NO_TREASURE,
    ),
    "a leader on a river": (
        {"leaders": [{"red": "E3"}, {}]},
        "Farms, and only farms, lie on river cells; E3 is not one for this.",
    ),
}


@for_each(("position", "reason"), WRONG.values())
def test_a_contradiction_is_refused_and_named(position, reason):
    """TE-1.1, TE-1.3, TE-1.7, TE-1.9, TE-3.1, TE-5.7, TE-9.1, TE-11.6, TE-15.1"""
    with pytest.raises(BadPosition) as refused:
        read(**position)
    assert refused.value.reason.startswith(reason)
