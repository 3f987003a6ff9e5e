"""Requests of the Emperor: GW-16.2, GW-16.10 to GW-16.13."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.play import Move
from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import course, requests
from domain.games.great_wall.rules import ending
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import requests as request_steps
from domain.games.great_wall.state.agenda import supply
from domain.games.great_wall.state.clans import SOURCES
from domain.games.great_wall.state.table import State
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import (
    events_of,
    events_of_steps,
    kinds,
    legal_moves_of,
    new_table,
    of,
    plan_of,
    refusal_of,
)
from tests.games.great_wall.table import table
from tests.support.for_each import for_each

FULFIL = request_steps.FulfilRequests()
LEVY, RICH = "timber_levy", {"resources": {"wood": 5}}
DECLARE = moves.DeclareRequest(0, LEVY)


def winter(*clans: dict[str, Any], requests: tuple[str, ...], **values: Any) -> State:
    """A cooperative table where these Requests can be declared, as far as their needs hold."""
    state = table(*clans, mode="coop", requests=requests, season="winter", **values)
    deck = (card for card in state.setup.requests if card not in requests)
    state.request_deck = tuple(deck)
    return begin(state, FULFIL)


def declare(state: State, request: str, seat: int = 0) -> State:
    return after(state, moves.DeclareRequest(seat, request))


def agree(state: State, request: str, *seats: int) -> State:
    """The table after these seats agreed to pay."""
    return after(state, *(moves.AgreeToPay(seat, request) for seat in seats))


def current_question(state: State) -> Any:
    """The current question and its seats."""
    step = state.agenda[-1] if state.agenda else None
    return (type(step).__name__, step.seats) if step else None


# when, and how many


def test_winter_goes_on_with_requests_before_the_end_check():
    """GW-16.10"""
    order = plan_of(table(mode="coop"), steps.Winter())
    assert order[-4:] == ["Assault", "EndWinter", "FulfilRequests", "EndCheck"]


def test_without_an_end_come_shame_new_requests_and_spring():
    """GW-16.10, GW-16.13"""
    left = [type(step).__name__ for step in ending.plan_after_check(table(mode="coop"))]
    assert left[:2] == ["BlameRequests", "RefillRequests"]
    assert left[-1] == "Spring"


@for_each(("seats", "lying"), [(2, 2), (3, 3), (4, 3), (5, 3)])
def test_requests_lie_open_from_the_start(seats, lying):
    """GW-16.1"""
    state = new_table(seats, mode="coop")
    assert len(state.requests) == lying
    assert sorted((*state.requests, *state.request_deck)) == sorted(state.setup.requests)


def test_open_requests_are_random():
    """GW-16.1"""
    assert len({new_table(3, Luck(seed), mode="coop").requests for seed in range(9)}) > 1


def test_two_humans_leave_four_requests_out():
    """GW-16.1"""
    out = {name for name, card in decks.REQUESTS.items() if card.removed_with_2_players}
    assert len(out) == 4
    assert not out & set(new_table(2, mode="coop").setup.requests)
    assert out < set(new_table(3, mode="coop").setup.requests)


@pytest.mark.parametrize("options", [{}, {"mode": "solo"}])
def test_other_games_have_no_requests(options):
    """GW-16.1"""
    state = table(mode=options.get("mode", "standard"), seats=1 if options else 3)
    assert state.setup.requests == state.requests == ()
    assert "FulfilRequests" not in plan_of(state, steps.Winter())


# declaring


def test_all_seats_that_can_declare_are_asked():
    """GW-16.11"""
    state = winter(RICH, RICH, RICH, requests=(LEVY, "rites"))
    assert current_question(state) == ("DeclareRequests", (0, 1, 2))
    assert legal_moves_of(state, moves.DeclareRequest, 1) == [moves.DeclareRequest(1, LEVY)]
    assert refusal_of(state, moves.DeclareRequest(0, "rites")) == ("GW-16.11", "too_dear")
    assert refusal_of(state, moves.DeclareRequest(0, "clean_hands")) == ("GW-16.11", "no_request")
    assert refusal_of(state, moves.AgreeToPay(0, LEVY)) == ("GW-16.11", "not_now")


def test_without_a_possible_request_there_is_no_question():
    """GW-16.11"""
    assert current_question(winter(RICH, requests=(LEVY, "higher_wall"))) is None


def test_a_request_whose_check_does_not_hold_is_refused():
    """GW-16.11, GW-18.10"""
    state = winter(RICH, RICH, RICH, requests=(LEVY, "higher_wall"))
    assert refusal_of(state, moves.DeclareRequest(0, "higher_wall")) == ("GW-16.11", "not_met")


def test_when_all_decline_nothing_is_fulfilled():
    """GW-16.11"""
    state = winter(RICH, RICH, RICH, requests=(LEVY,))
    state = after(state, moves.Done(1), moves.Done(0), moves.Done(2))
    assert (state.agenda, state.requests) == ([], (LEVY,))


def test_after_a_declaration_all_are_asked_again():
    """GW-16.11"""
    state = winter(RICH, RICH, RICH, requests=(LEVY, "clean_hands"))
    state = declare(after(state, moves.Done(1)), "clean_hands", 2)
    assert state.fulfilled == ("clean_hands",)
    assert current_question(state) == ("DeclareRequests", (0, 1, 2))


# payments of each player


def test_each_player_pays_separately():
    """GW-16.11: the worked example WE24, where C has enough."""
    state = winter(RICH, {"resources": {"wood": 2}}, {"resources": {"wood": 2}}, requests=(LEVY,))
    state = declare(state, LEVY)
    assert current_question(state) == ("PayRequest", (1, 2))
    assert [clan.has("wood") for clan in state.clans] == [5, 2, 2]
    state = agree(state, LEVY, 2, 1)
    assert [clan.has("wood") for clan in state.clans] == [3, 0, 0]
    assert (state.requests, state.fulfilled, state.agenda) == ((), (LEVY,), [])


def test_no_player_pays_for_another():
    """GW-16.11: the worked example WE24, where C has too little."""
    state = winter(RICH, {"resources": {"wood": 2}}, {"resources": {"wood": 1}}, requests=(LEVY,))
    assert current_question(state) is None
    state = winter(RICH, RICH, {"resources": {"wood": 1}}, requests=(LEVY, "clean_hands"))
    assert refusal_of(state, DECLARE) == ("GW-16.11", "too_dear")


def test_one_refusal_is_enough():
    """GW-16.11"""
    state = declare(winter(RICH, RICH, RICH, requests=(LEVY,)), LEVY)
    state = after(agree(state, LEVY, 1), moves.RefuseToPay(2))
    assert [clan.has("wood") for clan in state.clans] == [5, 5, 5]
    assert (state.requests, state.fulfilled) == ((LEVY,), ())


def test_a_failed_declaration_cannot_be_repeated():
    """GW-16.11"""
    state = declare(winter(RICH, RICH, RICH, requests=(LEVY, "clean_hands")), LEVY)
    state = after(state, moves.RefuseToPay(1))
    assert current_question(state) == ("DeclareRequests", (0, 1, 2))
    assert refusal_of(state, DECLARE) == ("GW-16.11", "in_vain")
    assert legal_moves_of(state, moves.DeclareRequest) == [moves.DeclareRequest(0, "clean_hands")]
    assert moves.DeclareRequest(1, LEVY) in legal_moves_of(state, moves.DeclareRequest, 1)


def test_declarations_end_when_all_have_failed():
    """GW-16.11"""
    state = winter(RICH, RICH, RICH, requests=(LEVY,))
    for seat in range(3):
        state = after(declare(state, LEVY, seat), moves.RefuseToPay((seat + 1) % 3))
    assert (state.agenda, state.requests) == ([], (LEVY,))


def test_an_agreement_names_the_request():
    """GW-16.11"""
    state = declare(winter(RICH, RICH, RICH, requests=(LEVY,)), LEVY)
    assert refusal_of(state, moves.AgreeToPay(1, "rites")) == ("GW-16.11", "not_declared")


def test_a_player_with_several_options_to_pay_chooses():
    """GW-16.11, GW-18.2, GW-18.5"""
    own = {"active": ("keng_hsien_seng",), "resources": {"wood": 2, "gold": 1}}
    state = agree(declare(winter(own, RICH, RICH, requests=(LEVY,)), LEVY), LEVY, 1, 2)
    assert current_question(state) == ("Pay", (0,))
    state = after(state, moves.PayBill(0, wood=1, gold=1))
    assert (state.clans[0].resources, state.fulfilled) == ((1, 0, 0, 0), (LEVY,))


# payments of all together


def table_paying_together(*honor: int, **values: Any) -> State:
    """Seat 1 has declared a Request for which all pay honor together."""
    own = ({"honor": count} for count in honor)
    state = winter(*own, requests=("glory_belongs",), tea=(2, 1, 0), **values)
    return declare(state, "glory_belongs", 1)


def shares(*offers: tuple[int, int]) -> list[Move]:
    return [moves.GiveShare(seat, amount) for seat, amount in offers]


def test_shares_are_offered_in_tea_order_from_the_declaring_player():
    """GW-16.11, GW-18.10"""
    state = table_paying_together(20, 20, 20)
    assert current_question(state) == ("OfferShare", (1,))
    state = after(state, *shares((1, 5)))
    assert (current_question(state), state.agenda[-1].left) == (("OfferShare", (0,)), 25)
    state = after(state, *shares((0, 17)))
    assert [clan.honor for clan in state.clans] == [20, 20, 20]
    state = after(state, *shares((2, 8)))
    assert [clan.honor for clan in state.clans] == [3, 15, 12]
    assert [clan.counted[SOURCES.index("costs")] for clan in state.clans] == [-17, -5, -8]
    assert state.fulfilled == ("glory_belongs",)


def test_offers_are_at_most_what_is_missing_and_what_the_player_has():
    """GW-16.11"""
    state = table_paying_together(7, 40, 7)
    assert [move.amount for move in legal_moves_of(state, moves.GiveShare, 1)] == [*range(1, 31)]
    assert refusal_of(state, moves.GiveShare(1, 31)) == ("GW-16.11", "not_offered")
    assert refusal_of(state, moves.GiveShare(1, 0)) == ("GW-16.11", "not_offered")
    state = after(state, *shares((1, 20)))
    assert [move.amount for move in legal_moves_of(state, moves.GiveShare, 0)] == [*range(1, 8)]
    assert refusal_of(state, moves.GiveShare(0, 8)) == ("GW-16.11", "not_offered")
    assert refusal_of(state, moves.RefuseToPay(0)) == ("GW-16.11", "unfinished")


def test_an_offer_of_all_that_is_missing_ends_the_offers():
    """GW-16.11"""
    state = after(table_paying_together(0, 33, 20), *shares((1, 30)))
    assert ([clan.honor for clan in state.clans], state.agenda) == ([0, 3, 20], [])


def test_a_player_who_has_nothing_is_not_asked():
    """GW-16.11, GW-1.5"""
    state = after(table_paying_together(0, 20, 20), *shares((1, 15)))
    assert current_question(state) == ("OfferShare", (2,))


def test_no_player_pays_once_the_rest_is_impossible():
    """GW-16.11"""
    state = after(table_paying_together(10, 20, 10), *shares((1, 9)))
    assert [clan.honor for clan in state.clans] == [10, 20, 10]
    assert state.fulfilled == ()
    assert current_question(state) == ("DeclareRequests", (0, 2))
    state = after(table_paying_together(10, 20, 10), *shares((1, 10)), moves.Done(0))
    assert current_question(state) == ("DeclareRequests", (0, 2))
    assert state.agenda[-1].failed == ((1, "glory_belongs"),)


# soldiers who leave the game


def test_each_chooses_which_soldier_leaves_the_game():
    """GW-16.11"""
    some = {"pool": {"spearman": 2, "horseman": 1}, "firing": {"left": 1}}
    state = declare(winter(some, some, some, requests=("veterans_home",)), "veterans_home")
    state = agree(state, "veterans_home", 1, 2)
    assert current_question(state) == ("Sacrifice", (0,))
    assert refusal_of(state, moves.SacrificeSoldier(0, "archer")) == ("GW-16.11", "not_there")
    state = after(
        state,
        moves.SacrificeSoldier(0, "archer", "firing", "left"),
        moves.SacrificeSoldier(1, "horseman"),
        moves.SacrificeSoldier(2, "spearman"),
    )
    assert [clan.lost for clan in state.clans] == [(0, 1, 0), (0, 0, 1), (1, 0, 0)]
    assert state.clans[0].firing == (0, 0, 0)
    assert state.clans[1].pool == (2, 0, 0)
    assert state.fulfilled == ("veterans_home",)


def test_soldiers_under_shame_and_overseers_stay():
    """GW-8.4, GW-11.3, GW-16.11"""
    shamed = {"pool": {}, "shamed": {"spearman": 3}, "overseers": {"quarry": 2}}
    rich = {"pool": {"spearman": 1}}
    assert current_question(winter(shamed, rich, rich, requests=("veterans_home",))) is None


# fulfilled and open Requests


def test_a_fulfilled_request_lets_abilities_of_all_answer():
    """GW-16.11, GW-18.7"""
    state = winter({}, {"general": "fan_zhongyan"}, requests=("clean_hands",), tea=(2, 1, 0))
    events = events_of(state, moves.DeclareRequest(0, "clean_hands"))
    assert kinds(events) == ["RequestDeclared", "RequestFulfilled"]
    state = declare(state, "clean_hands")
    for seat in (2, 1, 0):
        assert current_question(state) == ("TakeResources", (seat,))
        state = after(state, moves.TakeResource(seat, "wood"))
    assert [clan.has("wood") for clan in state.clans] == [1, 1, 1]


@for_each(("seats", "goal"), [(2, 6), (3, 7), (4, 9), (5, 9)])
def test_this_number_of_fulfilled_requests_wins(seats, goal):
    """GW-16.2, GW-16.12"""
    state = table(mode="coop", seats=seats)
    names = tuple(decks.REQUESTS)
    state.fulfilled = names[: goal - 1]
    assert ending.reason(state) is None
    state.fulfilled = names[:goal]
    assert ending.reason(state) == "requests"
    [over] = of(course.GameEnded, events_of_steps(state, steps.EndCheck()))
    assert (over.reason, over.winners) == ("requests", tuple(range(seats)))


def test_the_victory_comes_before_every_loss():
    """GW-16.12"""
    won = {"fulfilled": tuple(decks.REQUESTS)[:7], "shame": 0, "slot": 5}
    assert ending.reason(table(mode="coop", **won)) == "requests"


def test_without_victory_the_last_year_or_an_empty_shame_pool_is_a_loss():
    """GW-16.12"""
    for values, why in (({"slot": 5}, "time"), ({"shame": 0}, "shame")):
        state = table(mode="coop", **values)
        [over] = of(course.GameEnded, events_of_steps(state, steps.EndCheck()))
        assert (over.reason, over.winners) == (why, ())


def test_walls_do_not_end_the_game():
    """GW-16.12"""
    state = table(mode="coop", walls={"left": 3, "center": 3, "right": 3})
    assert ending.reason(state) is None


def test_each_open_request_costs_each_player_a_shame_token():
    """GW-16.13"""
    state = table(mode="coop", requests=("rites", LEVY), tea=(1, 2, 0))
    [blamed] = of(requests.RequestsBlamed, events_of_steps(state, request_steps.BlameRequests()))
    assert blamed.requests == ("rites", LEVY)
    state = begin(state, request_steps.BlameRequests())
    getting = [step for step in state.agenda if isinstance(step, supply.GainShame)]
    assert current_question(state) == ("PlaceShame", (1,))
    assert [(step.seat, step.left) for step in reversed(getting)] == [
        (1, 0), (2, 1), (0, 1), (1, 1), (2, 1), (0, 1),
    ]  # fmt: skip


def test_without_an_open_request_there_is_no_shame():
    """GW-16.13"""
    assert events_of_steps(table(mode="coop"), request_steps.BlameRequests()) == []


def test_unfulfilled_requests_stay_and_others_come():
    """GW-16.13"""
    state = table(mode="coop", requests=("rites",), fulfilled=(LEVY,))
    gone = ("rites", LEVY)
    state.request_deck = tuple(card for card in state.setup.requests if card not in gone)
    new = begin(state, request_steps.RefillRequests())
    assert new.requests[0] == "rites"
    assert len(set(new.requests)) == 3
    assert sorted((*new.request_deck, *new.requests, LEVY)) == sorted(state.setup.requests)
    assert begin(new, request_steps.RefillRequests()).requests == new.requests


def test_no_request_comes_when_none_is_left():
    """GW-16.13"""
    state = table(mode="coop", requests=("rites",), request_deck=(LEVY,))
    state = begin(state, request_steps.RefillRequests())
    assert (state.requests, state.request_deck) == (("rites", LEVY), ())
