"""Positions with a past that did not lead to them: the game refuses each with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import BadPosition
from tests.games.tigris_euphrates.positions import REVOLT, WAR, read

COLUMN = {"tiles": dict.fromkeys(("A1", "K1", "P2", "N5"), "red")}
REMOVED = "A war has `removed` no more tiles than its loser had"
WON = "The stronger of two seats won"


def last(deed: str, *cells: str, seat: int = 1, **rest: Any) -> dict[str, Any]:
    """The first turn of seat 0 after this deed."""
    return {"last": {"seat": seat, "deed": deed, "cells": [*cells], **rest}}


def count_points(one: dict[str, int], other: dict[str, int], points: int = 9) -> dict[str, Any]:
    """The counts of two players, each with this number of points."""
    return {"counted": [one, other], "points": [{"red": points}, {"red": points}]}


POSSIBLE: dict[str, dict[str, Any]] = {
    "a tile": {**COLUMN, **last("tile", "A1", color="red")},
    "a leader that came": {**last("leader", "F2", color="red"), "leaders": [{}, {"red": "F2"}]},
    "a leader that was beaten": last("leader", "F2", color="red"),
    "a leader that moved": {
        **last("leader", "A1", "F2", color="red"),
        "leaders": [{}, {"red": "F2"}],
    },
    "a leader that left": last("withdraw", "F2", color="red"),
    "a catastrophe on a tile": {
        **last("catastrophe", "A1", color="red"),
        "catastrophes": ["A1"],
    },
    "a catastrophe on nothing": {**last("catastrophe", "A1"), "catastrophes": ["A1"]},
    "a pass": last("pass"),
    "a swap": last("swap"),
    "a monument": {
        **last("monument", "G5", "H5", "G6", "H6", color="red"),
        "monuments": {"black-red": "G5"},
    },
    "a war": {"conflict": WAR},
    "a revolt": {"conflict": REVOLT},
    "a revolt that was counted": count_points(
        {"revolts": 1, "revolts_won_as_attacker": 1}, {"revolts_lost_as_defender": 1}
    ),
}

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a tile that is not there": (last("tile", "A1", color="red"), "This `last` tile does not show"),
    "a tile of another colour": (
        {**COLUMN, **last("tile", "A1", color="black")},
        "This `last` tile does not show",
    ),
    "a tile of no colour": ({**COLUMN, **last("tile", "A1")}, "This `last` tile does not show"),
    "a tile on two cells": (
        {**COLUMN, **last("tile", "A1", "F3", color="red")},
        "This `last` tile does not show",
    ),
    "a tile on a cell named twice": (
        {**COLUMN, **last("tile", "A1", "A1", color="red")},
        "`last/cells`: It names something twice",
    ),
    "a pass on a cell": (last("pass", "A1"), "This `last` pass does not show"),
    "a pass with a colour": (last("pass", color="red"), "This `last` pass does not show"),
    "a leader that is another": (
        {**last("leader", "F2", color="red"), "leaders": [{"red": "F2"}, {}]},
        "This `last` leader does not show",
    ),
    "a leader that came from a tile": (
        {**last("leader", "F3", "F2", color="red"), "leaders": [{}, {"red": "F2"}]},
        "This `last` leader does not show",
    ),
    "a leader that is still there": (
        {**last("withdraw", "F2", color="red"), "leaders": [{}, {"red": "F2"}]},
        "This `last` withdraw does not show",
    ),
    "a catastrophe that is not there": (
        last("catastrophe", "A1"),
        "This `last` catastrophe does not show",
    ),
    "a monument that is not there": (
        last("monument", "G5", "H5", "G6", "H6", color="red"),
        "This `last` monument does not show",
    ),
    "a monument beyond the edge": (
        last("monument", "P11", "A1", "A2", "A3", color="red"),
        "This `last` monument does not show",
    ),
    "a pass of another": (last("pass", seat=0), "before this turn was that of seat 1"),
    "a treasure named twice": (
        {"treasures": ["F3", "F3"]},
        "`treasures`: It names something twice",
    ),
    "a winner that is the loser": ({"conflict": {**REVOLT, "loser": 0}}, WON),
    "a weaker winner": ({"conflict": {**REVOLT, "attacker_total": 1}}, WON),
    "a defender that lost a tie": ({"conflict": {**WAR, "winner": 0, "loser": 1}}, WON),
    "a war with less than nothing": ({"conflict": {**WAR, "attacker_total": -1}}, REMOVED),
    "tiles removed by a revolt": (
        {"conflict": {**REVOLT, "removed": ["A1"], "points": 2}},
        REMOVED,
    ),
    "more tiles removed than there were": (
        {"conflict": {**WAR, "removed": ["G3", "H3", "J3"], "points": 4}},
        REMOVED,
    ),
    "a tile removed twice": (
        {"conflict": {**WAR, "removed": ["G3", "G3"]}},
        "`conflict/removed`: It names something twice",
    ),
    "points of a war that it did not give": (
        {"conflict": {**WAR, "points": 2}},
        "It gave 3 `points`",
    ),
    "a revolt without a point": (
        count_points({"revolts_won_as_attacker": 1}, {"revolts_lost_as_defender": 1}),
        "A revolt that was won",
    ),
    "a war without a point": (
        count_points({"wars_won_as_attacker": 1}, {"wars_lost_as_defender": 1}),
        "A revolt that was won",
    ),
    "points of no war": (count_points({"wars": 1}, {}), "A revolt that was won"),
    "a revolt that nobody lost": (
        count_points({"revolts": 1, "revolts_won_as_attacker": 1}, {}),
        "As many revolts",
    ),
    "a war that both attacked": (
        count_points({"wars": 2, "wars_won_as_attacker": 1}, {"wars_lost_as_attacker": 1}),
        "As many wars",
    ),
    "points that nobody has": (count_points({"tiles": 10}, {}), "No more points are `counted`"),
}


@pytest.mark.parametrize("position", POSSIBLE.values(), ids=POSSIBLE)
def test_what_can_have_been_is_read(position):
    """TE-3.1, TE-9.4, TE-12.3"""
    assert read(**position).agenda


@pytest.mark.parametrize(("position", "sentence"), WRONG.values(), ids=WRONG)
def test_what_cannot_have_been_is_refused(position, sentence):
    """TE-3.1, TE-6.1, TE-9.4, TE-10.2, TE-10.4, TE-11.6, TE-11.7, TE-12.3"""
    with pytest.raises(BadPosition, match=sentence):
        read(**position)
