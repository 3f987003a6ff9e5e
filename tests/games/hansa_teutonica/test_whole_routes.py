"""Establishing a route with all its events, in order."""

from __future__ import annotations

from domain.engine.game import seats_to_move
from domain.games.hansa_teutonica import GAME, moves
from domain.games.hansa_teutonica.events import course, routes
from tests.games.hansa_teutonica.table import (
    COELLEN,
    DUISBURG,
    EMDEN,
    GOSLAR,
    KAMPEN,
    after,
    calm,
    happens,
    player,
    refusal,
)
from tests.support.for_each import for_each


def own_route(route, row, one=None, **position):
    """Seat 0 is about to establish this route."""
    routes = {route: row, **position.pop("routes", {})}
    return calm(one or player(), player(), player(), routes=routes, **position)


def test_an_office_with_its_order_of_events():
    """HT-6.2, HT-6.3, HT-6.4, HT-6.6, HT-6.7, HT-6.12"""
    state = own_route(
        EMDEN,
        ["0t", "0m", "0t"],
        cities={"emden": {"offices": ["2m", None]}},
        markers={EMDEN: "swap_offices"},
    )
    assert happens(state, moves.OpenOffice(0, EMDEN, "groningen")) == [
        course.ActionSpent(0, 1),
        routes.RouteEstablished(0, EMDEN),
        routes.PrestigeGained(2, "emden", 1),
        routes.MarkerTaken(0, EMDEN, "swap_offices"),
        routes.OfficeOpened(0, "groningen", 0, "trader", (EMDEN, 0), 1),
        routes.RouteCleared(0, EMDEN, 1, 1),
    ]
    then = after(state, moves.OpenOffice(0, EMDEN, "groningen"))
    assert then.prestige == [1, 0, 1]
    assert GAME.view(then, None).routes[EMDEN] == (None, None, None)


def test_the_office_takes_the_first_piece_of_its_shape():
    """HT-6.6: a round one the merchant."""
    state = own_route(EMDEN, ["0t", "0m", "0t"])
    told = happens(state, moves.OpenOffice(0, EMDEN, "emden"))
    assert told[-2:] == [
        routes.OfficeOpened(0, "emden", 0, "merchant", (EMDEN, 1), 0),
        routes.RouteCleared(0, EMDEN, 2, 0),
    ]


def test_the_last_office_completes_the_city_before_the_rest_is_cleared():
    """HT-6.8, HT-6.2"""
    state = own_route(DUISBURG, ["0t", "0t"])
    assert happens(state, moves.OpenOffice(0, DUISBURG, "duisburg")) == [
        course.ActionSpent(0, 1),
        routes.RouteEstablished(0, DUISBURG),
        routes.OfficeOpened(0, "duisburg", 0, "trader", (DUISBURG, 0), 0),
        routes.CityCompleted("duisburg", 1),
        routes.RouteCleared(0, DUISBURG, 1, 0),
    ]


def test_both_ends_reward_their_controllers():
    """HT-6.3: also the same player twice, and the player who establishes."""
    cities = {"goslar": {"offices": ["0t"]}, "hildesheim": {"offices": ["0t", None]}}
    state = own_route(GOSLAR, ["0t"] * 3, cities=cities)
    assert happens(state, moves.EstablishRoute(0, GOSLAR)) == [
        course.ActionSpent(0, 1),
        routes.RouteEstablished(0, GOSLAR),
        routes.PrestigeGained(0, "goslar", 1),
        routes.PrestigeGained(0, "hildesheim", 1),
        routes.RouteCleared(0, GOSLAR, 3, 0),
    ]


def test_an_extra_office_uses_the_marker_and_no_coin():
    """HT-8.3, HT-8.2, HT-6.7"""
    one = player(ready={"extra_office": 1})
    state = own_route(
        EMDEN, ["0m", "0t", "0t"], one, cities={"groningen": {"offices": ["1t", None]}}
    )
    move = moves.OpenExtraOffice(0, EMDEN, "groningen", "merchant")
    assert happens(state, move) == [
        course.ActionSpent(0, 1),
        routes.RouteEstablished(0, EMDEN),
        routes.PrestigeGained(1, "groningen", 1),
        routes.MarkerUsed(0, "extra_office"),
        routes.ExtraOfficeOpened(0, "groningen", "merchant", (EMDEN, 0)),
        routes.RouteCleared(0, EMDEN, 2, 0),
    ]
    shown = GAME.view(after(state, move), None)
    assert shown.cities["groningen"].extra == ("0m",)
    assert shown.players[0].used == {"extra_office": 1}


def test_an_extra_office_connects_the_red_cities_as_well():
    """HT-6.13, HT-8.3"""
    chain = {
        "arnheim": {"offices": ["0t", None, None, None]},
        "munster": {"offices": ["0m", None]},
        "minden": {"offices": ["0t", None, None, None]},
        "brunswiek": {"offices": ["1t"]},
        "stendal": {"offices": ["0t", None, None, None]},
    }
    one = player(ready={"extra_office": 1})
    state = own_route("brunswiek--stendal", ["0t"] * 4, one, cities=chain)
    told = happens(state, moves.OpenExtraOffice(0, "brunswiek--stendal", "brunswiek", "trader"))
    assert told[-2:] == [
        routes.CitiesConnected(0, 7),
        routes.RouteCleared(0, "brunswiek--stendal", 3, 0),
    ]


@for_each(
    ("route", "city", "ability", "piece"),
    [
        (EMDEN, "groningen", "book", "merchant"),
        ("hamburg--stade", "stade", "privilege", "trader"),
        ("hamburg--lubeck", "lubeck", "bag", "trader"),
        ("gottingen--quedlinburg", "gottingen", "actions", "trader"),
        ("halle--quedlinburg", "halle", "keys", "trader"),
    ],
)
def test_five_cities_improve_an_ability_each(route, city, ability, piece):
    """HT-6.9, HT-1.9, HT-3.7"""
    posts = 4 if ability == "keys" else 3
    state = own_route(route, ["0t"] * posts)
    move = moves.ImproveAbility(0, route, city, ability)
    more = 1 if ability == "actions" else 0
    assert happens(state, move) == [
        course.ActionSpent(0, 1),
        routes.RouteEstablished(0, route),
        routes.AbilityImproved(0, ability, 1, piece, more),
        routes.RouteCleared(0, route, posts, 0),
    ]
    then = after(state, move)
    assert then.actions == 1 + more
    assert then.in_supply(0) == ((0, 1) if piece == "merchant" else (1, 0))


def test_special_prestige_takes_the_merchant_off_the_route():
    """HT-6.10, HT-6.12"""
    one = player(levels={"privilege": 2, "book": 1})
    state = own_route(COELLEN, ["0t", "0m", "0m", "0t"], one)
    assert happens(state, moves.TakeSpecialPrestige(0, COELLEN, 2)) == [
        course.ActionSpent(0, 1),
        routes.RouteEstablished(0, COELLEN),
        routes.SpecialPrestigeTaken(0, 2, 9, (COELLEN, 1)),
        routes.RouteCleared(0, COELLEN, 2, 1),
    ]


@for_each(("space", "points"), [(0, 7), (1, 8), (2, 9), (3, 11)])
def test_the_spaces_of_special_prestige_rise_with_the_privilege(space, points):
    """HT-6.10, HT-10.4"""
    state = own_route(COELLEN, ["0m", "0t", "0t", "0t"], player(levels={"privilege": space}))
    then = after(state, moves.TakeSpecialPrestige(0, COELLEN, space))
    assert GAME.scoring(then).lines[0].breakdown["special"] == points
    if space < 3:
        higher = moves.TakeSpecialPrestige(0, COELLEN, space + 1)
        assert refusal(state, higher) == ("HT-6.10", "no_privilege")


def test_the_twentieth_point_ends_the_game_after_the_action():
    """HT-9.1, HT-9.2, HT-10.7"""
    seats = (player(), player(prestige=19), player())
    cities = {"osnabruck": {"offices": ["1t", None, None]}}
    state = calm(*seats, routes={KAMPEN: ["0t", "0t"]}, cities=cities)
    assert happens(state, moves.EstablishRoute(0, KAMPEN)) == [
        course.ActionSpent(0, 1),
        routes.RouteEstablished(0, KAMPEN),
        routes.PrestigeGained(1, "osnabruck", 1),
        routes.RouteCleared(0, KAMPEN, 2, 0),
        course.GameEnded("prestige", (1,), (0, 23, 0)),
    ]
    nearly = calm(
        player(), player(prestige=18), player(), routes={KAMPEN: ["0t", "0t"]}, cities=cities
    )
    assert seats_to_move(after(nearly, moves.EstablishRoute(0, KAMPEN))) == (0,)
