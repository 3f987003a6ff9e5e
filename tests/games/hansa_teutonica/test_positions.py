"""Positions that no game reaches are refused, each for its own reason."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import BadPosition
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.state.setup import Options
from tests.games.hansa_teutonica.table import player, table

KAMPEN = "kampen--osnabruck"
FOUR_MARKERS = dict.fromkeys(
    (KAMPEN, "bremen--hamburg", "bremen--minden", "bremen--hannover"), "extra_office"
)
OVER = {"ended": "prestige", "winners": (0,)}


@pytest.mark.parametrize(
    ("words", "position"),
    [
        ("Seats are 0 to 2", {"active": 3}),
        ("Seats are 0 to 2", {"last": {"seat": 9, "deed": "income"}}),
        ("has 2 places", {"routes": {KAMPEN: ["0t"]}}),
        ("no 'kampen--bremen'", {"routes": {"kampen--bremen": [None]}}),
        ("belong to seats 0 to 2", {"routes": {KAMPEN: ["4t", None]}}),
        ("filled from the left", {"cities": {"minden": {"offices": [None, "0t", None, None]}}}),
        (
            "without another office",
            {"cities": {"minden": {"offices": [None] * 4, "extra": ["0t"]}}},
        ),
        ("not have the shapes", {"cities": {"luneburg": {"offices": ["0t"]}}}),
        ("not have the shapes", {"cities": {"emden": {"offices": ["0t", None]}}}),
        ("Only merchants", {"special": ["0t", None, None, None]}),
        ("only 2 markers plus_3_actions", {"pile": {"plus_3_actions": 3}}),
        ("At most 3 markers", {"markers": FOUR_MARKERS}),
        ("`pawn` must be a province", {"pawn": "P01"}),
        ("`connected` names something twice", {"connected": [0, 0]}),
        ("has `winners`", {"winners": [0]}),
        ("has `winners`", {"ended": "prestige"}),
        ("of this map", {"last": {"seat": 0, "deed": "place", "posts": [101]}}),
        ("of this map", {"last": {"seat": 0, "deed": "place", "posts": [-1]}}),
        ("of this map", {"last": {"seat": 0, "deed": "place", "route": "paris--rome"}}),
        ("of this map", {"last": {"seat": 0, "deed": "office", "city": "paris"}}),
        ("at most 2 `actions`", {"actions": 99}),
        ("at most 2 `actions`", {"actions": 3}),
        ("on a map with provinces", {"pawn_moved": True}),
        ("makes a turn `closed`", {"closed": True}),
        ("There is no such member", {"nonsense": 1}),
        ("give permissions", {"passes": ["kampen"]}),
        ("Seats are 0 to 2", {"connected": [3]}),
        ("Seats are 0 to 2", {"pending": {"type": "GreenOffice", "seats": [3]}}),
        ("`pawn` must be a province", {"pending": {"type": "PlacePawn", "seats": [1]}}),
        ("no 'paris'", {"cities": {"paris": {"offices": []}}}),
        ("has 4 places", {"cities": {"minden": {"offices": ["0t"]}}}),
        ("special has 4 places", {"special": [None]}),
        ("no 'paris--rome'", {"markers": {"paris--rome": "extra_office"}}),
    ],
)
def test_impossible_positions_are_refused(words: str, position: dict[str, Any]) -> None:
    """HT-1.3, HT-6.6, HT-6.10, HT-8.4, HT-8.8"""
    with pytest.raises(BadPosition, match=words):
        table(**position)


def test_a_position_describes_each_seat():
    with pytest.raises(BadPosition, match="describe 3 seats"):
        GAME.read_position(GAME.setup(Options(), 3), {"seats": []}, 3)


@pytest.mark.parametrize(
    ("words", "one"),
    [
        ("no ability 'luck'", {"levels": {"luck": 1}}),
        ("keys can be improved 4 times", {"levels": {"keys": 5}}),
        ("Only ready markers", {"fresh": {"extra_office": 1}}),
        ("traders instead of 26", {"stock": {"t": 1, "m": 1}}),
    ],
)
def test_impossible_players_are_refused(words: str, one: dict[str, Any]) -> None:
    """HT-1.4, HT-1.5, HT-1.6, HT-8.1"""
    seat = {"supply": {}, "stock": {"t": 11, "m": 1}, "levels": {}, **one}
    with pytest.raises(BadPosition, match=words):
        table(seat, player(), player())


def test_only_the_active_player_has_markers_that_are_fresh() -> None:
    """HT-8.1"""
    seats = (player(), player(ready={"extra_office": 1}, fresh={"extra_office": 1}), player())
    assert table(*seats, active=1, actions=1, acted=True).fresh[0] == 1
    with pytest.raises(BadPosition, match="the active player"):
        table(*seats, active=0)
    with pytest.raises(BadPosition, match="A seat with `fresh` markers must have `acted`"):
        table(*seats, active=1)


def moving(*held: int, left: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": "Moving", "seats": [0], "held": held, "left": left, "marker": False, **more}


def relocating(**more: Any) -> dict[str, Any]:
    step = {"type": "Relocate", "seats": [1], "route": KAMPEN, "piece": "trader"}
    return {**step, "placed": False, "extras": 1, **more}


REDEPLOYING = {"type": "Deploying", "seats": [0], "bonus": "redeploy_2", "left": 2, "traders": 2}
REMOVING = {"type": "Removing", "seats": [0], "left": 2}
DRAWN = {"type": "PlaceMarkers", "seats": [0]}


@pytest.mark.parametrize(
    "pending",
    [
        REMOVING | {"left": 4},
        DRAWN | {"kinds": []},
        DRAWN | {"kinds": ["extra_office"] * 4},
        relocating(seats=[0]),
        relocating(extras=2),
        relocating(placed=True, extras=0),
        relocating(route="bremen--hamburg"),
        moving(),
        moving(1, left=2),
        moving(1, 1, 1),
        moving(3),
        moving(1, lands=["England"]),
        moving(0),
        moving(99),
        moving(left=3, marker=True),
        moving(left=1, marker=True),
        moving(left=2, bonus=True),
        REDEPLOYING,
        {"type": "GreenOffice", "seats": [0]},
    ],
)
def test_pending_steps_must_be_possible(pending: dict[str, Any]) -> None:
    """HT-3.4, HT-4.4, HT-5.3, HT-8.5, HT-8.8, HT-14.4"""
    with pytest.raises(BadPosition, match="`pending` does not fit"):
        table(routes={KAMPEN: ["0t", "2t"]}, pending=pending)


@pytest.mark.parametrize(
    ("pending", "awaited"),
    [
        (REMOVING, 0),
        (DRAWN | {"kinds": ["extra_office"] * 3}, 0),
        (relocating(), 1),
        (relocating(placed=True), 1),
        (moving(1, left=1), 0),
        (moving(1), 0),
    ],
)
def test_a_game_may_begin_in_the_middle_of_an_action(pending: dict[str, Any], awaited: int) -> None:
    """HT-3.4"""
    state = table(routes={KAMPEN: ["0t", "2t"]}, pending=pending)
    assert state.agenda[-1].seats == (awaited,)


def test_the_option_decides_what_the_marker_does_to_pieces():
    """HT-13.4: steps that this table does not have are refused."""
    routes, other = {KAMPEN: ["1t", None]}, {"remove_three": "move"}
    begun = moving(left=3, marker=True)
    assert table(routes=routes, options=other, pending=begun).agenda[-1].left == 3
    for pending, options in ((begun, {}), (REMOVING, other)):
        with pytest.raises(BadPosition, match="`pending`"):
            table(routes=routes, options=options, pending=pending)


def test_two_players_have_acted_when_they_are_in_the_middle_of_an_action():
    """HT-11.6: otherwise the free move of the pawn would count as the one at the beginning."""
    duel = {"pawn": "P05", "actions": 1, "pending": moving(1)}
    with pytest.raises(BadPosition, match="`acted`"):
        table(player(), player(), **duel)
    assert table(player(), player(), **duel, acted=True).acted
    displaced = {
        "pawn": "P10",
        "actions": 1,
        "routes": {KAMPEN: ["0t", None]},
        "pending": relocating(),
    }
    with pytest.raises(BadPosition, match="`acted`"):
        table(player(), player(), **displaced)
    assert table(player(), player(), acted=True, **displaced).acted


def test_a_seat_that_has_acted_has_spent_an_action():
    """HT-3.2"""
    assert table(actions=1, acted=True).acted
    with pytest.raises(BadPosition, match="must have spent an action"):
        table(actions=2, acted=True)
    more = player(used={"plus_3_actions": 1})
    assert table(more, player(), player(), actions=4, acted=True).acted


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("once in a turn", {"passes": ["cardiff", "cardiff"]}),
        ("each with an action", {"acted": False, "actions": 2}),
        ("no office in cardiff", {"cities": {"cardiff": {"offices": ["1t", None, None, None]}}}),
        ("no office in cardiff", {"cities": {}}),
    ],
)
def test_permissions_are_used_once_and_need_an_office(words, changes):
    """HT-14.12"""
    used = {"acted": True, "actions": 1, "passes": ["cardiff"]}
    used["cities"] = {"cardiff": {"offices": ["0t", None, None, None]}}
    assert table(**used, options={"map": "britannia"}).passes == ("cardiff",)
    with pytest.raises(BadPosition, match=words):
        table(**{**used, **changes}, options={"map": "britannia"})


def test_a_game_is_over_when_it_must_be():
    """HT-9.1, HT-9.2, HT-10.7"""
    seats = (player(prestige=20), player(prestige=3), player())
    assert table(*seats, **OVER).agenda == []
    with pytest.raises(BadPosition, match="must have `ended`"):
        table(*seats)
    for wrong in ({"ended": "markers"}, {"ended": "pieces"}, {"winners": (1,)}):
        with pytest.raises(BadPosition, match="cannot have `ended` like this"):
            table(*seats, **{**OVER, **wrong})
    with pytest.raises(BadPosition, match="cannot have `ended` like this"):
        table(player(prestige=19), player(), player(), **OVER)
    with pytest.raises(BadPosition, match="cannot have `ended` like this"):
        table(player(prestige=19), player(), player(), **{**OVER, "ended": "pieces"})
    with pytest.raises(BadPosition, match="nothing is `pending`"):
        table(*seats, **OVER, pending=REMOVING)


def test_a_permanent_bonus_is_used_even_with_twenty_points():
    """HT-9.2, HT-14.4"""
    seats = (player("t", prestige=20), player(), player())
    state = table(*seats, options={"map": "east"}, pending={"type": "GreenOffice", "seats": [0]})
    assert state.ended is None
