"""Positions with a past that cannot lead to them are refused, each for its reason."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import BadPosition
from tests.games.hansa_teutonica.table import EMDEN, KAMPEN, THREE, player, table

EXTRA = {"goslar": {"offices": ["0t"], "extra": ["0t"]}}
NOT_ABOUT = "does not fit these routes, posts and city"


def last(deed: str, *posts: int, route: str | None = None, city: str | None = None) -> Any:
    return {"last": {"seat": 0, "deed": deed, "posts": [*posts], "route": route, "city": city}}


def posts_of(route: str) -> range:
    """The numbers of the posts of a route on the map of three."""
    board = table().board
    return board.posts[board.route_number[route]]


ON_KAMPEN, ON_EMDEN = posts_of(KAMPEN), posts_of(EMDEN)

POSSIBLE: dict[str, dict[str, Any]] = {
    "income": last("income"),
    "a piece": last("place", ON_KAMPEN[1], route=KAMPEN),
    "a displacement": last("relocate", ON_KAMPEN[0], ON_EMDEN[0], route=KAMPEN),
    "an office": last("office", *ON_KAMPEN, route=KAMPEN, city="kampen"),
    "an ability by a marker": last("ability"),
    "an ability by a route": last("ability", route=EMDEN),
    "a swap": last("swap", city="kampen"),
    "an extra office by a marker that is out of the game": {"cities": EXTRA},
}

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "income on a route": (last("income", route=KAMPEN), NOT_ABOUT),
    "a piece on no route": (last("place", ON_KAMPEN[0]), NOT_ABOUT),
    "a piece on two posts": (last("place", *ON_KAMPEN, route=KAMPEN), NOT_ABOUT),
    "a piece on another route": (last("place", ON_EMDEN[0], route=KAMPEN), NOT_ABOUT),
    "a piece in a city": (last("place", ON_KAMPEN[0], route=KAMPEN, city="kampen"), NOT_ABOUT),
    "half a route": (last("establish", ON_KAMPEN[0], route=KAMPEN), NOT_ABOUT),
    "two routes": (last("establish", *ON_EMDEN[:1], *ON_KAMPEN[1:], route=EMDEN), NOT_ABOUT),
    "an office far away": (last("office", *ON_KAMPEN, route=KAMPEN, city="emden"), NOT_ABOUT),
    "a swap in no city": (last("swap"), NOT_ABOUT),
    "a post named twice": (
        last("move", ON_KAMPEN[0], ON_KAMPEN[0], route=KAMPEN),
        "`last.posts` names something twice",
    ),
    "a city that is not there": (last("swap", city="rome"), "cities and posts of this map"),
    "extra offices without markers": (
        {"cities": EXTRA, "markers": THREE, "pile": {"extra_office": 2}},
        "more `extra` offices than used markers",
    ),
    "extra offices with markers that are drawn": (
        {
            "cities": EXTRA,
            "pile": {"extra_office": 3},
            "pending": {"type": "PlaceMarkers", "kinds": ["extra_office"] * 2},
        },
        "more `extra` offices than used markers",
    ),
    "red cities that nothing joins": ({"connected": [1]}, "join the red cities"),
    "a prize beyond the privilege": (
        {"special": [None, "1m", None, None]},
        "must have uncovered the colour",
    ),
    "a step that waits for another": (
        {
            "routes": {KAMPEN: ["0t", None]},
            "pending": {"type": "Removing", "seats": [1], "left": 2},
        },
        "`pending` waits for seat 0",
    ),
    "a step that waits for somebody twice": (
        {
            "routes": {KAMPEN: ["0t", None]},
            "pending": {"type": "Removing", "seats": [0, 0], "left": 2},
        },
        "`pending` waits for seat 0",
    ),
}


@pytest.mark.parametrize("position", POSSIBLE.values(), ids=POSSIBLE)
def test_possible_pasts_are_read(position: dict[str, Any]) -> None:
    """HT-4.2, HT-5.3, HT-6.6, HT-6.9, HT-8.4"""
    assert table(**position).agenda


@pytest.mark.parametrize(("position", "sentence"), WRONG.values(), ids=WRONG)
def test_impossible_pasts_are_refused(position: dict[str, Any], sentence: str) -> None:
    """HT-1.3, HT-1.9, HT-6.10, HT-6.13, HT-8.3, HT-8.5"""
    with pytest.raises(BadPosition, match=sentence):
        table(**position)


def test_an_extra_office_takes_a_marker_of_its_owner() -> None:
    """HT-8.3"""
    told = {"cities": EXTRA, "markers": THREE, "pile": {"extra_office": 1}}
    used = {"used": {"extra_office": 1}}
    assert table(player(**used), player(), player(), **told).extras.count(b"") == 26
    with pytest.raises(BadPosition, match="more `extra` offices than used markers"):
        table(player(), player(**used), player(), **told)
