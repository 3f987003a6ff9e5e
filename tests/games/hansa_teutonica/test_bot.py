"""The bots of Hansa Teutonica: the effort for a route, and their moves on small tables."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import advance, judge, legal_moves, seats_to_move
from domain.engine.play import Move
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.bot.effort import (
    IMPOSSIBLE,
    Means,
    effort,
    means_of,
    pawn_efforts,
    tally_posts,
)
from domain.games.hansa_teutonica.bot.plan import MAX_PATIENT_TURNS, make_planner
from domain.games.hansa_teutonica.bot.reward import RIVAL_PRESTIGE_COST, Towns, evaluate_seats
from domain.games.hansa_teutonica.bot.worth import evaluate
from domain.games.hansa_teutonica.moves import EstablishRoute, ImproveAbility, MovePawn, PlacePiece
from domain.games.hansa_teutonica.state.table import State, code_of
from tests.games.hansa_teutonica.moments import MOMENTS
from tests.games.hansa_teutonica.table import player, table
from tests.support.for_each import for_each

THINKING = [level for level in GAME.levels if level.key in ("merchant", "alderman")]
RICH = Means(supply=5, stock=0, on_posts=0, bag=3, book=2)

MARKERS = {
    "markers": {
        "bremen--osnabruck": "extra_office",
        "luneburg--perleberg": "swap_offices",
        "goslar--hildesheim": "remove_three",
    },
    "pile": {"extra_office": 4, "improve_ability": 3, "plus_3_actions": 2, "plus_4_actions": 2},
}


def choose(level: str, state: State, seat: int = 0) -> Move:
    bot = next(each.bot for each in GAME.levels if each.key == level)
    return bot(bot_view(GAME, state, seat, Luck(1)))


@for_each(
    ("posts", "means", "actions"),
    [
        pytest.param(b"\x01\x01\x01", RICH._replace(on_posts=3), 1, id="only to be established"),
        pytest.param(b"\x00\x00\x00", RICH, 4, id="three to be placed"),
        pytest.param(b"\x00\x00", RICH._replace(supply=0, stock=5), 4, id="an income first"),
        pytest.param(b"\x00\x00", RICH._replace(on_posts=2), 2, id="both moved at once"),
        pytest.param(b"\x00\x01", RICH._replace(on_posts=1), 2, id="its own piece stays"),
        pytest.param(b"\x00\x00", RICH._replace(supply=1), IMPOSSIBLE, id="too few pieces"),
    ],
)
def test_a_route_takes_this_number_of_actions(posts: bytes, means: Means, actions: float) -> None:
    assert effort(tally_posts(posts, 2)[0], means) == actions


def test_a_merchant_in_the_way_costs_more_than_a_trader() -> None:
    trader, merchant = (tally_posts(bytes((1, there)), 2)[0] for there in (3, 4))
    assert 2 < effort(trader, RICH) < effort(merchant, RICH)


def test_means_are_those_of_the_seat() -> None:
    state = table(player("ttm"), player("t"), routes={"dortmund--duisburg": ["0t", "1t"]})
    assert means_of(state, 0) == Means(supply=3, stock=8, on_posts=1, bag=3, book=2)


def test_the_pawn_moves_freely_over_two_borders_and_further_for_an_action() -> None:
    state = table(player("ttm"), player("t"), pawn="P16")
    routes = state.board.route_number
    efforts = pawn_efforts(state, 0)
    here, near, far = (
        efforts[routes[route]]
        for route in ("goslar--magdeburg", "paderborn--warburg", "bremen--hamburg")
    )
    assert here == 0 < near < far == 1


def test_a_waiting_seat_does_not_know_where_the_pawn_will_be() -> None:
    state = table(player("ttm"), player("t"), pawn="P16")
    assert len(set(pawn_efforts(state, 1))) == 1


@pytest.mark.parametrize("level", [level.key for level in THINKING])
def test_a_full_route_to_gottingen_is_for_another_action(level: str) -> None:
    state = table(
        player("t"),
        player("t"),
        player("t"),
        routes={"gottingen--quedlinburg": ["0t", "0t", "0t"]},
        **MARKERS,
    )
    assert choose(level, state) == ImproveAbility(
        0, "gottingen--quedlinburg", "gottingen", "actions"
    )


@pytest.mark.parametrize("level", [level.key for level in THINKING])
def test_the_pawn_goes_where_a_route_is_full(level: str) -> None:
    state = table(
        player("t"),
        player("t"),
        pawn="P13",
        routes={"gottingen--quedlinburg": ["0t", "0t", "0t"]},
        **MARKERS,
    )
    assert choose(level, state) == MovePawn(0, "P15")


@pytest.mark.parametrize("level", [level.key for level in THINKING])
def test_a_winning_seat_ends_the_game(level: str) -> None:
    state = table(
        player("t", prestige=18),
        player("t"),
        player("t"),
        actions=1,
        routes={"dortmund--duisburg": ["0t", "0t"]},
        cities={"duisburg": {"offices": ["0t"]}, "dortmund": {"offices": ["0m", None]}},
    )
    advance(GAME, state, choose(level, state), Luck(1))
    assert state.winners == (0,)


def test_more_pieces_on_a_wanted_route_are_better() -> None:
    less = table(
        player("ttt"),
        player(),
        player(),
        routes={"gottingen--quedlinburg": ["0t", None, None]},
        **MARKERS,
    )
    more = table(
        player("tt"),
        player(),
        player(),
        routes={"gottingen--quedlinburg": ["0t", "0t", None]},
        **MARKERS,
    )
    assert evaluate(less, 0) < evaluate(more, 0)


NEAR, FAR = "dortmund--duisburg", "hamburg--lubeck"


def on(state: State, seat: int, route: str) -> int:
    """How many traders of a seat stand on a route."""
    span = state.board.posts[state.board.route_number[route]]
    return state.posts.count(code_of(seat, 0), span.start, span.stop)


def likes_near_best(state: State, seat: int) -> float:
    """Seat 0 has no preference; seat 1 prefers one of the two routes."""
    if seat == 1:
        return on(state, 1, NEAR)
    return 1.1 * on(state, seat, NEAR) + on(state, seat, FAR)


@pytest.mark.parametrize(("candidates", "route"), [(1, NEAR), (8, FAR)])
def test_a_bot_that_looks_ahead_avoids_posts_where_it_is_displaced(
    candidates: int, route: str
) -> None:
    state = table(player("t"), player("tttt"), player(), actions=1, **MARKERS)
    bot = make_planner(likes_near_best, width=4, depth=2, candidates=candidates)
    move = bot(bot_view(GAME, state, 0, Luck(1)))
    assert isinstance(move, PlacePiece)
    assert move.post[0] == route


@pytest.mark.parametrize("level", [level.key for level in THINKING])
def test_when_a_game_goes_on_for_long_any_route_is_good_enough(level: str) -> None:
    seats = [player("tt"), player("tt"), player("tt")]
    full = {"kampen--osnabruck": ["0t", "0t"]}
    taken = {"osnabruck": {"offices": ["1t", None, None]}}
    soon, late = (
        table(*seats, turn=turn, routes=full, cities=taken, **MARKERS)
        for turn in (10, MAX_PATIENT_TURNS * 3 + 1)
    )
    assert choose(level, soon) != EstablishRoute(0, "kampen--osnabruck")
    assert choose(level, late) == EstablishRoute(0, "kampen--osnabruck")


EAST, BRITANNIA = {"map": "east"}, {"map": "britannia"}
BOOK = {"book": 3}
"""Three more merchants to use."""


def test_a_permanent_bonus_is_worth_a_route() -> None:
    """HT-14.6: all offices are taken; one seat can improve its privilege, one cannot."""
    cities = {
        "malmo": {"offices": ["2m", "2t", "2m"]},
        "stralsund": {"offices": ["2t", "2m"]},
    }
    seats = (
        player(),
        player(levels={"privilege": 3}),
        player(levels={"book": 3, "privilege": 2}),
    )
    state = table(*seats, options=EAST, cities=cities, pile=MARKERS["pile"])
    _, standings = evaluate_seats(Towns(state))
    route = state.board.route_number["malmo--stralsund"]
    assert standings[0].plain[route] > standings[1].plain[route] == 0


def test_a_route_for_more_merchants_than_a_seat_has_is_no_plan() -> None:
    """HT-14.1"""
    there, elsewhere = (
        table(player("tt"), player(), player(), options=EAST, routes=routes)
        for routes in (
            {"malmo--stralsund": [None, None, "0t"]},
            {"havelberg--perleberg": ["0t", None]},
        )
    )
    assert evaluate(there, 0) < evaluate(elsewhere, 0)


def test_a_city_in_a_country_that_scores_is_worth_more() -> None:
    """HT-14.14"""
    wales, england = (
        table(player(), player(), player(), options=BRITANNIA, cities={city: {"offices": offices}})
        for city, offices in (("pembroke", ["0t", None, None]), ("coventry", ["0t", None]))
    )
    assert evaluate(wales, 0) > evaluate(england, 0) + 3


def rewards(state: State, route: str, seat: int = 0) -> tuple[float, float]:
    """The value of a route for a seat, without a merchant and with one."""
    _, standings = evaluate_seats(Towns(state))
    number = state.board.route_number[route]
    return standings[seat].plain[number], standings[seat].with_merchant[number]


def take_offices(*cities: str, **options: Any) -> dict[str, Any]:
    """All offices of these cities, taken by seat 2."""
    chart = table(options=options).setup.map
    rows = {city.id: [f"2{office.shape[0]}" for office in city.offices] for city in chart.cities}
    return {city: {"offices": rows[city]} for city in cities}


def test_a_bot_counts_both_abilities_of_a_city() -> None:
    """HT-14.11: Waren improves the bag, which is complete, or the actions."""
    seats = [player(levels={"bag": 3, "actions": level}) for level in (1, 5)]
    rival = player(levels=BOOK)
    cities, pile = take_offices("havelberg", **EAST), MARKERS["pile"]
    state = table(*seats, rival, options=EAST, cities=cities, pile=pile)
    able, complete = (rewards(state, "havelberg--waren", seat)[0] for seat in (0, 1))
    assert able > complete == 0


def test_a_bot_counts_any_ability_with_the_option() -> None:
    """HT-13.1: the keys of Halle are complete, but other abilities are not."""
    seats = [player(levels={"keys": 4}), player(), player(levels=BOOK)]
    cities = take_offices("halle", "quedlinburg")
    printed, any_ = (
        table(*seats, options={"ability_choice": choice}, cities=cities, **MARKERS)
        for choice in ("printed", "any")
    )
    assert rewards(any_, "halle--quedlinburg") > rewards(printed, "halle--quedlinburg") == (0, 0)


@for_each(("privilege", "points"), [(0, 7), (1, 8), (2, 9), (3, 11)])
def test_a_bot_hopes_for_the_best_prize_that_its_privilege_reaches(
    privilege: int, points: int
) -> None:
    """HT-6.10: less the cost of a rival who controls both cities."""
    seats = (player(levels={"privilege": privilege}), player(), player(levels=BOOK))
    cities = take_offices("coellen", "warburg")
    all_free, one_free = (
        table(*seats, special=special, cities=cities)
        for special in ([None] * 4, ["1m", None, None, None])
    )
    assert rewards(all_free, "coellen--warburg") == (0, points - 2 * RIVAL_PRESTIGE_COST)
    reached = points - 2 * RIVAL_PRESTIGE_COST if privilege else 0
    assert rewards(one_free, "coellen--warburg") == (0, reached)


def test_a_bot_hopes_for_no_office_that_its_privilege_does_not_reach() -> None:
    """HT-6.6: the next office of Kampen is orange."""
    cities = {"kampen": {"offices": ["1t", None]}, **take_offices("osnabruck")}
    chart = table().setup.map
    colours = [o.privilege for city in chart.cities if city.id == "kampen" for o in city.offices]
    needed = ("white", "orange", "purple", "black").index(colours[1])
    assert needed > 0
    low, high = (
        table(player(levels={"privilege": level}), player(), player(levels=BOOK), cities=cities)
        for level in (needed - 1, needed)
    )
    assert rewards(low, "kampen--osnabruck")[1] < rewards(high, "kampen--osnabruck")[1]


@pytest.mark.parametrize(("acted", "near"), [(False, 0.2), (True, 1.0)])
def test_a_bot_sends_the_pawn_as_far_as_the_rules_allow(acted: bool, near: float) -> None:
    """HT-11.4, HT-11.6: free provinces are those of the menu, at the beginning of the turn."""
    left = {"acted": True, "actions": 1} if acted else {}
    state = table(player("ttm"), player("t"), pawn="P16", **left)
    free = {move.province for move in legal_moves(GAME, state, 0) if isinstance(move, MovePawn)}
    touched = {each.id: set(each.routes) for each in state.setup.provinces}
    reached = set().union(*(touched[province] for province in free)) - touched["P16"]
    by_name = dict(zip(state.board.route_number, pawn_efforts(state, 0), strict=True))
    assert {by_name[route] for route in touched["P16"]} == {0.0}
    assert {by_name[route] for route in reached} == {near}
    assert {by_name[route] for route in set(by_name) - reached - touched["P16"]} == {1.0}


@pytest.mark.parametrize("level", [level.key for level in GAME.levels[:3]])
def test_bots_answer_every_kind_of_question(level: str) -> None:
    """HT-3.4"""
    for build in MOMENTS.values():
        state = build()
        (seat,) = seats_to_move(state)
        judge(GAME, state, choose(level, state, seat))
