"""Positions that contradict themselves, the box or the rules are refused, each for its reason."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import BadPosition
from domain.engine.starting.starts import read_start
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.state.setup import Options
from tests.games.hansa_teutonica.table import KAMPEN, player, start, table
from tests.support.for_each import for_each

FOUR_MARKERS = dict.fromkeys(
    (KAMPEN, "bremen--hamburg", "bremen--minden", "bremen--hannover"), "extra_office"
)
DISPLACED = {"type": "Relocate", "seats": [1], "piece": "trader", "placed": True, "extras": 1}


@for_each(
    ("words", "position"),
    [
        ("`active`: There is no seat 3", {"active": 3}),
        ("`last/seat`: There is no seat 9", {"last": {"seat": 9, "deed": "income"}}),
        ("has 2 places", {"routes": {KAMPEN: ["0t"]}}),
        ("`routes/kampen--bremen`: There is no route", {"routes": {"kampen--bremen": [None]}}),
        ("no piece '4t'", {"routes": {KAMPEN: ["4t", None]}}),
        ("filled from the left", {"cities": {"minden": {"offices": [None, "0t", None, None]}}}),
        ("not have the shapes", {"cities": {"luneburg": {"offices": ["0t"]}}}),
        ("not have the shapes", {"cities": {"emden": {"offices": ["0t", None]}}}),
        ("`special`: It takes only merchants", {"special": ["0t", None, None, None]}),
        ("only 2 markers plus_3_actions", {"pile": {"plus_3_actions": 3}}),
        ("more than 3 properties", {"markers": FOUR_MARKERS}),
        ("`pawn`: There is no province 'P01'", {"pawn": "P01"}),
        ("`connected`: It names something twice", {"connected": [0, 0]}),
        ("has `winners`", {"winners": [0]}),
        ("over here", {"ended": "prestige"}),
        (
            "`pending`: By the rest of the position, this is `null`",
            {"ended": "prestige", "winners": [0], "pending": {"type": "GreenOffice", "seats": []}},
        ),
        ("no post 101", {"last": {"seat": 0, "deed": "place", "posts": [101]}}),
        ("no post -1", {"last": {"seat": 0, "deed": "place", "posts": [-1]}}),
        ("no route", {"last": {"seat": 0, "deed": "place", "route": "paris--rome"}}),
        ("no city", {"last": {"seat": 0, "deed": "office", "city": "paris"}}),
        (
            "`last/posts`: It names something twice",
            {"last": {"seat": 0, "deed": "move", "posts": [1, 1]}},
        ),
        (
            "`pending/seats/0`: By the rest of the position, this is `0`",
            {"pending": {"type": "Removing", "seats": [1], "left": 2}},
        ),
        (
            "`pending/seats`: It names something twice.",
            {"pending": {"type": "Removing", "seats": [0, 0], "left": 2}},
        ),
        ("There is no such member", {"nonsense": 1}),
        ("`passes`: A position begins .* leave this out", {"passes": ["kampen"]}),
        ("`connected/0`: There is no seat 3", {"connected": [3]}),
        (r"join the two red cities: \[\]", {"connected": [0]}),
        (
            "`pending/seats/0`: There is no seat 3",
            {"pending": {"type": "GreenOffice", "seats": [3]}},
        ),
        (
            "no province that two players|no `actions`|",
            {"pending": {"type": "PlacePawn", "seats": [1]}},
        ),
        ("no city 'paris'", {"cities": {"paris": {"offices": []}}}),
        ("has 4 places", {"cities": {"minden": {"offices": ["0t"]}}}),
        ("special has 4 places", {"special": [None]}),
        ("no route 'paris--rome'", {"markers": {"paris--rome": "extra_office"}}),
        ("no route 'paris--rome'", {"pending": DISPLACED | {"route": "paris--rome"}}),
    ],
)
def test_impossible_positions_are_refused(words: str, position: dict[str, Any]) -> None:
    """HT-1.3, HT-6.6, HT-6.10, HT-6.13, HT-8.3, HT-8.4, HT-8.8"""
    with pytest.raises(BadPosition, match=words):
        start(**position)


def test_a_position_describes_each_seat():
    with pytest.raises(BadPosition, match="Expected 3 items, one for each seat"):
        read_start(GAME, GAME.setup(Options(), 3), {"seats": []}, 3)


@for_each(
    ("words", "one"),
    [
        ("Invalid enum value 'luck'", {"levels": {"luck": 1}}),
        ("keys can be improved 4 times", {"levels": {"keys": 5}}),
        ("`seats/0/fresh`: A position begins .* leave this out", {"fresh": {"extra_office": 1}}),
        ("traders instead of 26", {"stock": {"t": 1, "m": 1}}),
    ],
)
def test_impossible_players_are_refused(words: str, one: dict[str, Any]) -> None:
    """HT-1.4, HT-1.5, HT-1.6, HT-8.1"""
    seat = {"supply": {}, "stock": {"t": 11, "m": 1}, "levels": {}, **one}
    with pytest.raises(BadPosition, match=words):
        start(seat, player(), player())


def test_only_the_active_player_has_markers_that_are_fresh() -> None:
    """HT-8.1"""
    seats = (player(), player(ready={"extra_office": 1}, fresh={"extra_office": 1}), player())
    assert table(*seats, active=1).fresh[0] == 1
    with pytest.raises(BadPosition, match="`seats/1/fresh`: A position begins"):
        start(*seats, active=0)
