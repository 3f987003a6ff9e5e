"""Positions with a past that did not lead to them: the game refuses each with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import BadPosition
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.moves import CommitTiles
from domain.games.tigris_euphrates.state.setup import Options
from tests.games.tigris_euphrates.plainly import Table
from tests.games.tigris_euphrates.positions import LAST, SETUP, at_war, read, war
from tests.games.tigris_euphrates.table import did, turn_of

WAR = {
    "kind": "war",
    "color": "black",
    "winner": 1,
    "loser": 0,
    "attacker": 0,
    "attacker_total": 2,
    "defender_total": 2,
    "points": 3,
    "removed": ["G3", "H3"],
}
COLUMN = {"tiles": {"A1": "red"}}
FIRST_OF_TWO = {"agenda": turn_of(0, 2)}
TOTALS = "Nobody is so strong"
WON = "the stronger of two seats won"


def last(deed: str, *cells: str, seat: int = 0, left: int = 1, **rest: Any) -> dict[str, Any]:
    """A turn of seat 0 after this deed."""
    told = {"seat": seat, "deed": deed, "cells": [*cells], **rest}
    return {"last": told, "agenda": turn_of(0, left)}


def count_points(one: dict[str, int], other: dict[str, int], points: int = 9) -> dict[str, Any]:
    """The counts of two players, each with this number of points."""
    return {"counted": [one, other], "points": [{"red": points}, {"red": points}]}


POSSIBLE: dict[str, dict[str, Any]] = {
    "a tile": {**COLUMN, **last("tile", "A1", color="red")},
    "a leader that came": {**last("leader", "F2", color="red"), "leaders": [{"red": "F2"}, {}]},
    "a leader that was beaten": last("leader", "F2", color="red"),
    "a leader that moved": {
        **last("leader", "A1", "F2", color="red"),
        "leaders": [{"red": "F2"}, {}],
    },
    "a leader that left": last("withdraw", "F2", color="red"),
    "a catastrophe on a tile": {
        **last("catastrophe", "A1", color="red"),
        "catastrophes": ["A1"],
    },
    "a catastrophe on nothing": {**last("catastrophe", "A1"), "catastrophes": ["A1"]},
    "a pass of the player before": last("pass", seat=1, left=2),
    "a monument": {
        **last("monument", "G5", "H5", "G6", "H6", color="red"),
        "monuments": {"black-red": "G5"},
    },
    "a war": {"conflict": WAR},
    "a revolt": {"conflict": LAST},
    "a revolt that was counted": count_points(
        {"revolts": 1, "revolts_won_as_attacker": 1}, {"revolts_lost_as_defender": 1}
    ),
}

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a tile that is not there": (last("tile", "A1", color="red"), "This `last` tile is not seen"),
    "a tile of another colour": (
        {**COLUMN, **last("tile", "A1", color="black")},
        "This `last` tile is not seen",
    ),
    "a tile of no colour": ({**COLUMN, **last("tile", "A1")}, "This `last` tile is not seen"),
    "a tile on two cells": (
        {**COLUMN, **last("tile", "A1", "F3", color="red")},
        "This `last` tile is not seen",
    ),
    "a tile on a cell named twice": (
        {**COLUMN, **last("tile", "A1", "A1", color="red")},
        "`last.cells` names something twice",
    ),
    "a pass on a cell": (last("pass", "A1"), "This `last` pass is not seen"),
    "a pass with a colour": (last("pass", color="red"), "This `last` pass is not seen"),
    "a leader that is another": (
        {**last("leader", "F2", color="red"), "leaders": [{}, {"red": "F2"}]},
        "This `last` leader is not seen",
    ),
    "a leader that came from a tile": (
        {**last("leader", "F3", "F2", color="red"), "leaders": [{"red": "F2"}, {}]},
        "This `last` leader is not seen",
    ),
    "a leader that is still there": (
        {**last("withdraw", "F2", color="red"), "leaders": [{"red": "F2"}, {}]},
        "This `last` withdraw is not seen",
    ),
    "a catastrophe that is not there": (
        last("catastrophe", "A1"),
        "This `last` catastrophe is not seen",
    ),
    "a monument that is not there": (
        last("monument", "G5", "H5", "G6", "H6", color="red"),
        "This `last` monument is not seen",
    ),
    "a monument beyond the edge": (
        last("monument", "P11", "A1", "A2", "A3", color="red"),
        "This `last` monument is not seen",
    ),
    "a pass of another": (last("pass", seat=1), "The `last` action was that of seat 0"),
    "a pass before the turn": (last("pass", left=2), "The `last` action was that of seat 1"),
    "a treasure named twice": ({"treasures": ["F3", "F3"]}, "`treasures` names something twice"),
    "a winner that is the loser": ({"conflict": {**LAST, "loser": 0}}, WON),
    "a weaker winner": ({"conflict": {**LAST, "attacker_total": 1}}, WON),
    "a defender that lost a tie": ({"conflict": {**WAR, "winner": 0, "loser": 1}}, WON),
    "a revolt without temples": ({"conflict": {**LAST, "defender_total": 0}}, TOTALS),
    "a revolt with too many": ({"conflict": {**LAST, "attacker_total": 11}}, TOTALS),
    "a war with too many": (
        {"conflict": {**WAR, "attacker_total": 1, "defender_total": 30}},
        TOTALS,
    ),
    "a war with less than nothing": ({"conflict": {**WAR, "attacker_total": -1}}, TOTALS),
    "tiles removed by a revolt": (
        {"conflict": {**LAST, "removed": ["A1"], "points": 2}},
        "has `removed` other tiles",
    ),
    "more tiles removed than there were": (
        {"conflict": {**WAR, "removed": ["G3", "H3", "J3"], "points": 4}},
        "has `removed` other tiles",
    ),
    "farms removed from land": (
        {"conflict": {**WAR, "color": "blue"}},
        "has `removed` other tiles",
    ),
    "a tile removed twice": (
        {"conflict": {**WAR, "removed": ["G3", "G3"]}},
        "`conflict.removed` names something twice",
    ),
    "points of a war that it did not give": ({"conflict": {**WAR, "points": 2}}, "gave 3 `points`"),
    "a revolt without a point": (
        count_points({"revolts_won_as_attacker": 1}, {"revolts_lost_as_defender": 1}),
        "Each revolt that was won",
    ),
    "a war without a point": (
        count_points({"wars_won_as_attacker": 1}, {"wars_lost_as_defender": 1}),
        "Each war that was won",
    ),
    "points of no war": (count_points({"wars": 1}, {}), "Each war that was won"),
    "a revolt that nobody lost": (
        count_points({"revolts": 1, "revolts_won_as_attacker": 1}, {}),
        "As many revolts",
    ),
    "a war that both attacked": (
        count_points({"wars": 2, "wars_won_as_attacker": 1}, {"wars_lost_as_attacker": 1}),
        "As many wars",
    ),
    "points that nobody has": (count_points({"tiles": 10}, {}), "No more points are `counted`"),
    "a side named twice": (
        war(united={"at": "I3", "sides": [["F4", "F4"], ["L4"]]}),
        "`united.sides` names something twice",
    ),
    "tiles committed that are in the game": (war(gone={}), "that are `committed` are `gone`"),
}


@pytest.mark.parametrize("position", POSSIBLE.values(), ids=POSSIBLE)
def test_what_can_have_been_is_read(position):
    """TE-3.1, TE-9.4, TE-12.3"""
    assert read(**position).agenda


@pytest.mark.parametrize(("position", "sentence"), WRONG.values(), ids=WRONG)
def test_what_cannot_have_been_is_refused(position, sentence):
    """TE-3.1, TE-6.1, TE-9.4, TE-10.2, TE-10.4, TE-11.1, TE-11.6, TE-11.7, TE-12.3"""
    with pytest.raises(BadPosition, match=sentence):
        read(**position)


@pytest.mark.parametrize("change", ["less", "more"])
def test_the_sides_of_a_war_are_whole_kingdoms(change):
    """TE-11.1"""
    position = war()
    one, other = position["united"]["sides"]
    changed = [name for name in one if name != "G3"] if change == "less" else [*one, "A1"]
    position["united"] = {**position["united"], "sides": [changed, other]}
    with pytest.raises(BadPosition, match="all cells of both kingdoms"):
        read(**position)


def test_what_a_catastrophe_tile_covers_is_part_of_no_side():
    """TE-1.7, TE-7.2, TE-11.1"""
    position = war()
    one, other = position["united"]["sides"]
    name = next(n for n in Table(at_war()).beside(one[0]) if Table(at_war()).on.get(n) is None)
    position |= {"catastrophes": [name], "catastrophes_left": [1, 2]}
    assert read(**position).united
    position["united"] = {**position["united"], "sides": [[*one, name], other]}
    with pytest.raises(BadPosition, match="all cells of both kingdoms"):
        read(**position)


def test_after_a_war_its_position_is_read():
    """TE-11.6, TE-11.7"""
    position = GAME.write_position(did(at_war(), CommitTiles(1, 0)))
    assert position["conflict"]["removed"]
    assert read(**position).conflict.points == position["conflict"]["points"]


def test_catastrophe_tiles_on_the_board_are_not_left():
    """TE-2.3, TE-7.1"""
    assert read().catastrophes == [2, 2]
    assert read(catastrophes=["A1", "B1", "C1"]).catastrophes == [0, 1]


def test_with_english_support_no_tile_was_committed_in_vain():
    """TE-17.1"""
    position = war()
    english = GAME.setup(Options(english_support=True), 2)
    assert GAME.read_position(english, position, 2).support == [1, 0]
    position["tiles"]["M4"] = "black"
    position["bag"]["black"] -= 1
    one, other = position["united"]["sides"]
    position["united"]["sides"] = [one, [*other, "M4"]]
    for step in position["agenda"]:
        if "conflict" in step:
            step["conflict"]["defender_board"] = 3
    assert GAME.read_position(SETUP, position, 2).support == [1, 0]
    with pytest.raises(BadPosition, match="enough to win, or none are"):
        GAME.read_position(english, position, 2)
