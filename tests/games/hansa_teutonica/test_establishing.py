"""Chapters 6 and 7: establishing routes, control, networks."""

from domain.engine.errors import RuleBroken
from domain.engine.game import candidates
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.events.course import ActionSpent
from domain.games.hansa_teutonica.events.routes import (
    AbilityImproved,
    CitiesConnected,
    CityCompleted,
    MarkerTaken,
    OfficeOpened,
    PrestigeGained,
    RouteCleared,
    RouteEstablished,
    SpecialPrestigeTaken,
)
from domain.games.hansa_teutonica.moves import (
    EstablishRoute,
    ImproveAbility,
    OpenExtraOffice,
    OpenOffice,
    SwapOffices,
    TakeSpecialPrestige,
)
from domain.games.hansa_teutonica.scoring import controller, survey
from tests.games.hansa_teutonica.table import after, happens, player, refusal, table
from tests.support.for_each import for_each

KAMPEN = "kampen--osnabruck"
PRIZES = "coellen--warburg"
CHAIN = {
    "arnheim": {"offices": ["0t", None, None, None]},
    "munster": {"offices": ["0m", None]},
    "minden": {"offices": ["1t", "0t", None, None]},
    "stendal": {"offices": ["1t", "0m", None, None]},
}


def own_route(route=KAMPEN, row=("0t", "0t"), *seats, **position):
    """Seat 0 holds a route."""
    routes = {route: list(row), **position.pop("routes", {})}
    return table(*(seats or (player(), player(), player())), routes=routes, **position)


def control(state, city):
    return controller(state, state.board.city_number[city])


def test_all_posts_must_have_your_pieces():
    """HT-6.1"""
    for row in (["0t", None], ["0t", "1t"]):
        assert refusal(own_route(row=row), EstablishRoute(0, KAMPEN)) == ("HT-6.1", "not_all_yours")


def test_control_then_marker_then_the_choice_then_the_stock():
    """HT-6.2, HT-6.3, HT-6.4, HT-6.6, HT-6.12"""
    cities = {"osnabruck": {"offices": ["1t", None, None]}}
    state = own_route(
        KAMPEN,
        ("0t", "0t"),
        player(levels={"privilege": 1}),
        player(),
        player(),
        cities=cities,
        markers={KAMPEN: "plus_3_actions"},
    )
    assert happens(state, OpenOffice(0, KAMPEN, "osnabruck")) == [
        ActionSpent(0, 1),
        RouteEstablished(0, KAMPEN),
        PrestigeGained(1, "osnabruck", 1),
        MarkerTaken(0, KAMPEN, "plus_3_actions"),
        OfficeOpened(0, "osnabruck", 1, "trader", (KAMPEN, 0), 0),
        RouteCleared(0, KAMPEN, 1, 0),
    ]


def test_the_player_chooses_one_thing_that_the_route_offers():
    """HT-6.5, HT-6.11: a merchant of the route adds an option at Coellen."""
    state = own_route(PRIZES, ("0t", "0m", "0t", "0t"))
    legal = {type(move) for move in candidates(GAME, state, 0) if can(state, move)}
    assert {EstablishRoute, OpenOffice, TakeSpecialPrestige} <= legal
    assert ImproveAbility not in legal
    assert OpenExtraOffice not in legal


def can(state, move):
    try:
        GAME.answers.judge(state, move)
    except RuleBroken:
        return False
    return True


def test_no_office_is_skipped_and_shape_and_colour_must_fit():
    """HT-6.6"""
    state = own_route()
    assert refusal(state, OpenOffice(0, KAMPEN, "kampen")) == ("HT-6.6", "no_privilege")
    assert refusal(state, OpenOffice(0, KAMPEN, "bremen")) == ("HT-6.6", "not_an_end")
    assert refusal(state, OpenOffice(0, KAMPEN, "paris")) == ("HT-1.9", "no_such_city")
    state = own_route("emden--groningen", ("0t", "0t", "0t"))
    assert refusal(state, OpenOffice(0, "emden--groningen", "emden")) == ("HT-6.6", "wrong_shape")


def test_a_coin_is_a_point_at_once():
    """HT-6.7, HT-9.4"""
    state = own_route("emden--groningen", ("0t", "0t", "0t"))
    assert after(state, OpenOffice(0, "emden--groningen", "groningen")).prestige == [1, 0, 0]


def test_the_last_office_completes_a_city():
    """HT-6.8"""
    state = own_route("arnheim--duisburg", ("0t", "0t", "0t"))
    assert CityCompleted("duisburg", 1) in happens(
        state, OpenOffice(0, "arnheim--duisburg", "duisburg")
    )
    then = after(state, OpenOffice(0, "arnheim--duisburg", "duisburg"))
    again = own_route("dortmund--duisburg", cities={"duisburg": {"offices": ["0t"]}})
    assert then.complete == again.complete == 1
    assert refusal(again, OpenOffice(0, "dortmund--duisburg", "duisburg"))[0] == "HT-6.8"


def test_a_city_improves_its_own_ability():
    """HT-6.9"""
    route = "emden--groningen"
    state = own_route(route, ("0t", "0t", "0t"))
    events = happens(state, ImproveAbility(0, route, "groningen", "book"))
    assert AbilityImproved(0, "book", 1, "merchant", 0) in events
    assert refusal(state, ImproveAbility(0, route, "groningen", "bag"))[1] == "other_ability"
    assert refusal(state, ImproveAbility(0, route, "emden", "bag"))[1] == "no_ability_city"
    assert refusal(state, ImproveAbility(0, route, "stade", "privilege")) == (
        "HT-6.9",
        "not_an_end",
    )
    done = own_route(route, ("0t", "0t", "0t"), player(levels={"book": 3}), player(), player())
    assert refusal(done, ImproveAbility(0, route, "groningen", "book"))[1] == "ability_complete"


def test_any_ability_with_the_option():
    """HT-13.1"""
    route = "emden--groningen"
    state = own_route(route, ("0t", "0t", "0t"), options={"ability_choice": "any"})
    then = after(state, ImproveAbility(0, route, "groningen", "keys"))
    assert GAME.view(then, 0).players[0].levels["keys"] == 1
    assert refusal(state, ImproveAbility(0, route, "emden", "keys"))[1] == "no_ability_city"


def test_special_prestige_takes_a_merchant_of_the_route_and_may_skip_spaces():
    """HT-6.10, HT-10.4"""
    row = ("0m", "0t", "0t", "0t")
    state = own_route(PRIZES, row, player(levels={"privilege": 1}), player(), player())
    events = happens(state, TakeSpecialPrestige(0, PRIZES, 1))
    assert SpecialPrestigeTaken(0, 1, 8, (PRIZES, 0)) in events
    assert refusal(state, TakeSpecialPrestige(0, PRIZES, 2)) == ("HT-6.10", "no_privilege")
    assert refusal(state, TakeSpecialPrestige(0, PRIZES, 4))[1] == "no_such_space"
    traders = own_route(PRIZES, ("0t",) * 4)
    assert refusal(traders, TakeSpecialPrestige(0, PRIZES, 0))[1] == "no_merchant"
    taken = own_route(PRIZES, row, special=["1m", None, None, None])
    assert refusal(taken, TakeSpecialPrestige(0, PRIZES, 0))[1] == "occupied"
    assert (
        refusal(own_route(row=("0m", "0t")), TakeSpecialPrestige(0, KAMPEN, 0))[1] == "other_route"
    )
    assert (
        GAME.scoring(after(state, TakeSpecialPrestige(0, PRIZES, 1))).lines[0].breakdown["special"]
        == 8
    )


@for_each(("before", "points"), [((), 7), ((1,), 4), ((1, 2), 2), ((1, 2, 3), 0)])
def test_connecting_the_red_cities_is_worth_less_each_time(before, points):
    """HT-6.13"""
    seats = (player(levels={"privilege": 1, "book": 3}), *(player() for _ in range(3)))
    row = {"brunswiek--stendal": ["0t"] * 4}
    state = table(*seats, routes=row, cities=CHAIN)
    state.connected = before
    then = happens(state, OpenOffice(0, "brunswiek--stendal", "brunswiek"))
    assert CitiesConnected(0, points) in then


def test_a_swap_connects_nothing_and_each_seat_connects_once():
    """HT-6.13"""
    cities = {**CHAIN, "brunswiek": {"offices": ["0t"]}}
    cities["minden"] = {"offices": ["1t", "0t", None, None]}
    seats = (player(levels={"book": 3}, ready={"swap_offices": 1}), player(), player())
    state = table(*seats, cities=cities)
    assert after(state, SwapOffices(0, "minden", 0)).connected == ()
    row = {"arnheim--duisburg": ["0t", "0t", "0t"]}
    for connected, times in (((), 1), ((0,), 0)):
        again = table(*seats, routes=row, cities=cities, connected=connected)
        gained = happens(again, OpenOffice(0, "arnheim--duisburg", "duisburg"))
        assert [type(event) for event in gained].count(CitiesConnected) == times


def test_the_most_offices_control_and_then_the_one_furthest_right():
    """HT-7.1, HT-7.2, HT-7.3"""
    minden = {"offices": ["0t", "1t", "0t", None]}
    assert control(table(cities={"minden": minden}), "minden") == 0
    assert control(table(cities={"minden": {"offices": ["0t", "1t", None, None]}}), "minden") == 1
    tied = {"offices": ["0t", "1t", None, None], "extra": ["0m"]}
    assert control(table(cities={"minden": tied}), "minden") == 0
    even = {"offices": ["1t", None, None, None], "extra": ["0m"]}
    assert control(table(cities={"minden": even}), "minden") == 1
    assert control(table(), "minden") is None


def test_a_network_is_all_offices_in_connected_cities():
    """HT-7.4"""
    cities = {
        "arnheim": {"offices": ["0t", "0m", None, None]},
        "munster": {"offices": ["0m", "0t"]},
        "halle": {"offices": ["0t", "0t"]},
    }
    linked = table(player(levels={"book": 2}), player(), player(), cities=cities)
    assert survey(linked).networks[0] == 4
