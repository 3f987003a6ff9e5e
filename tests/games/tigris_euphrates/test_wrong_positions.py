"""Positions that no game reaches: the game refuses each with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import BadPosition
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.moves import CommitTiles, PlaceTile
from tests.engine.table import contents
from tests.games.tigris_euphrates.positions import LAST, at_war, conflict, read, revolt, war
from tests.games.tigris_euphrates.table import did, hands, table, turn_of

AT_WAR = (
    "Where Reinforce waits in the turn of seat 0, the `agenda` is EndTurn(seat=0), Turn((0,)),"
    " ServeTraders(seat=0), FindSquares(seat=0), FindWars(seat=0),"
)
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a field that is unknown": ({"tile": {}}, "`tile`: There is no such member"),
    "a cell that is unknown": ({"tiles": {"Z9": "red"}}, "There is no cell 'Z9' on this board."),
    "two things on a cell": (
        {"tiles": {"A1": "red"}, "catastrophes": ["A1"]},
        "There is more than one thing on A1.",
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
    "a treasure where no temple was": ({"treasures": ["A1"]}, "No treasure can lie on A1."),
    "a leader without a temple": (
        {"leaders": [{"red": "A1"}, {}]},
        "The leader on A1 has no temple.",
    ),
    "two kings in a kingdom": (
        {"leaders": [{"black": "F2"}, {"black": "F4"}]},
        "A kingdom has two leaders of one colour.",
    ),
    "seven tiles in a hand": ({"hands": [{"red": 7}, {}]}, "A hand has at most 6 tiles."),
    "too few hands": ({"hands": [{}]}, "`hands` must have one entry for each of 2 seats."),
    "more tiles than there are": (
        {"bag": {"black": 31}},
        "There are more black tiles than the game has.",
    ),
    "a statistic that is unknown": ({"counted": [{"luck": 1}, {}]}, "`counted` knows no 'luck'."),
    "a seat that does not exist": ({"first": 2}, "Seats go from 0 to 1."),
    "winners without an end": (
        {"winners": [0]},
        "There are `winners` if and only if the game has `ended`.",
    ),
    "an end with an agenda": (
        {"ended": "bag", "winners": [0], "agenda": turn_of(0)},
        "A game that has `ended` has nothing on its `agenda`.",
    ),
    "an agenda without an end of the turn": (
        {"agenda": turn_of(0)[1:]},
        "The first step of the `agenda` must be EndTurn.",
    ),
    "an agenda that waits for nobody": (
        {"agenda": turn_of(0)[:1]},
        "The last step of the `agenda` must wait for one seat.",
    ),
    "three actions": (
        {"agenda": turn_of(0, 3)},
        "A Turn is that of the seat of EndTurn, with one or two actions left.",
    ),
    "the turn of another": (
        {"agenda": [*turn_of(0)[:1], *turn_of(1)[1:]]},
        "A Turn is that of the seat of EndTurn, with one or two actions left.",
    ),
    "a war in peace": (
        {"agenda": [*turn_of(0), {"type": "ChooseWar", "seats": [0], "colors": ["red"]}]},
        "Kingdoms are `united` while a war is on.",
    ),
    "a conflict with nobody": (conflict(defender_at="F3"), "A conflict is between two leaders."),
    "a conflict with oneself": (
        conflict(attacker=1, attacker_at="F4"),
        "Where Reinforce waits in the turn of seat 0, the `agenda` is EndTurn(seat=0),"
        " Turn((0,)), ServeTraders(seat=0), Resolve(), Reinforce((0,)).",
    ),
    "a war without union": (conflict(kind="war"), "Kingdoms are `united` while a war is on."),
    "a conflict that is never decided": (
        war("Resolve"),
        f"{AT_WAR} Resolve(), Reinforce((1,)).",
    ),
    "a conflict of other supporters": (
        conflict(attacker_board=3),
        "The supporters of a conflict are miscounted.",
    ),
    "wars that nobody looks for": (
        war("FindWars"),
        f"{AT_WAR} Resolve(), Reinforce((1,)).",
    ),
    "a union with nothing left to settle": (
        war(agenda=turn_of(0)),
        "Kingdoms are `united` while a war is on.",
    ),
    "more treasures than there are": (
        {"treasures_taken": [1, 0]},
        "There are more treasures than the game has.",
    ),
    "three catastrophe tiles of a seat": (
        {"catastrophes_left": [3, 0]},
        "There are more catastrophe tiles than the players have.",
    ),
    "more catastrophe tiles than there are": (
        {"catastrophes": ["A1", "B1", "C1", "A2", "A3"]},
        "There are more catastrophe tiles than the players have.",
    ),
    "last cells that do not exist": (
        {"last": {"seat": 0, "deed": "tile", "cells": ["Q1"]}},
        "There is no cell 'Q1' on this board.",
    ),
    "a last seat that does not exist": (
        {"last": {"seat": 2, "deed": "pass"}},
        "`last` and `conflict` must tell of seats that exist.",
    ),
    "a cell of a war that is unknown": (
        war(united={"at": "I3", "sides": [["Q1"], ["L4"]]}),
        "There is no cell 'Q1' on this board.",
    ),
    "a removed tile that was nowhere": (
        {**revolt(), "conflict": {**LAST, "removed": ["Q1"]}},
        "There is no cell 'Q1' on this board.",
    ),
    "a winner that does not sit there": (
        {**revolt(), "conflict": {**LAST, "winner": 2}},
        "`last` and `conflict` must tell of seats that exist.",
    ),
    "a loser that does not sit there": (
        {**revolt(), "conflict": {**LAST, "loser": -1}},
        "`last` and `conflict` must tell of seats that exist.",
    ),
    "an attacker that does not sit there": (
        {**revolt(), "conflict": {**LAST, "attacker": 9}},
        "`last` and `conflict` must tell of seats that exist.",
    ),
    "no actions": (
        {"agenda": turn_of(0, 0)},
        "A Turn is that of the seat of EndTurn, with one or two actions left.",
    ),
    "a seat below the first": ({"first": -1}, "Seats go from 0 to 1."),
    "a winner that does not sit there at the end": (
        {"ended": "bag", "winners": [2]},
        "Seats go from 0 to 1.",
    ),
    "an end without winners": (
        {"ended": "bag"},
        "There are `winners` if and only if the game has `ended`.",
    ),
    "a treasure on nothing": (
        {"tiles": {}, "treasures": ["F3"]},
        "No treasure can lie on F3.",
    ),
    "a treasure on a catastrophe tile": (
        {"tiles": {}, "catastrophes": ["F3"], "treasures": ["F3"]},
        "No treasure can lie on F3.",
    ),
    "a leader on a river": (
        {"leaders": [{"red": "E3"}, {}]},
        "Farms, and only farms, lie on river cells; E3 is not one for this.",
    ),
}


@pytest.mark.parametrize(("position", "reason"), WRONG.values(), ids=WRONG)
def test_a_contradiction_is_refused_and_named(position, reason):
    """TE-1.1, TE-1.3, TE-1.7, TE-1.9, TE-3.1, TE-5.7, TE-12.1, TE-13.2"""
    with pytest.raises(BadPosition) as refused:
        read(**position)
    assert refused.value.reason.startswith(reason)


@pytest.mark.parametrize("left", [0, 3])
def test_a_turn_has_one_action_left_or_two(left):
    """TE-3.1"""
    with pytest.raises(BadPosition, match="one or two actions left"):
        read(agenda=turn_of(0, left))


def test_the_colours_of_a_choice_are_those_that_are_contested():
    """TE-11.3"""
    state = did(
        table(
            tiles={"G3": "black", "H3": "black", "J3": "black", "K3": "black", "L3": "red"},
            leaders=({"black": "F4", "red": "F2"}, {"black": "L4", "red": "L2"}),
            hands=hands("g", ""),
        ),
        PlaceTile(0, "green", "I3"),
    )
    position = GAME.write_position(state)
    assert contents(read(**position)) == contents(state)
    for colors in (["green"], ["black", "blue"]):
        position["agenda"][-1]["colors"] = colors
        with pytest.raises(BadPosition, match="all colours that are contested"):
            read(**position)


@pytest.mark.parametrize("told", ["winner", "loser", "attacker"])
def test_the_last_conflict_names_seats_that_exist(told):
    """TE-9.1"""
    position = GAME.write_position(did(at_war(), CommitTiles(1, 0)))
    assert position["conflict"]
    position["conflict"][told] = 2
    with pytest.raises(BadPosition, match="seats that exist"):
        read(**position)


def test_what_the_last_conflict_removed_lay_on_the_board():
    """TE-11.6"""
    position = GAME.write_position(did(at_war(), CommitTiles(1, 0)))
    position["conflict"]["removed"] = ["J3", "Q9"]
    with pytest.raises(BadPosition, match="no cell 'Q9'"):
        read(**position)


def test_the_sides_of_a_union_are_cells_of_the_board():
    """TE-11.1"""
    for changed in ({"at": "Z3"}, {"sides": [["Z3"], ["L4"]]}, {"sides": [["F4"], ["Z3"]]}):
        position = war()
        position["united"].update(changed)
        with pytest.raises(BadPosition, match="no cell 'Z3'"):
            read(**position)
