"""Positions with Requests: those a game comes to are read, others refused: GW-16.3, GW-16.11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.dice import Luck, choose
from domain.engine.errors import BadPosition
from domain.engine.game import advance, awaited, legal_moves
from domain.engine.play import Step
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state.counts import in_order
from domain.games.great_wall.state.steps import requests as asked
from domain.games.great_wall.state.steps import year
from domain.games.great_wall.state.steps.requests import Due
from domain.games.great_wall.state.steps.supply import PlaceShame
from domain.games.great_wall.state.table import State
from tests.games.great_wall.course import after
from tests.games.great_wall.game import new_table
from tests.games.great_wall.table import participated
from tests.games.great_wall.test_requests import declared
from tests.games.great_wall.turns import read

MOST = 4000


def come_to(
    kind: type[Step], fits: Callable[[State], bool] = lambda _: True, seats: int = 3
) -> State:
    """A game by chance of so many that asks this, and is as it should be."""
    for seed in range(99):
        dice = Luck(seed)
        state = new_table(seats, dice, mode="coop")
        for _ in range(MOST):
            if not awaited(state):
                break
            if isinstance(state.agenda[-1], kind) and fits(state):
                return state
            seat = choose(dice, awaited(state))
            advance(GAME, state, choose(dice, legal_moves(GAME, state, seat)), dice)
    raise AssertionError(f"No game asks {kind.__name__}.")


def refusal(state: State) -> str | None:
    """Why a position is refused; None if it is read."""
    try:
        read(state)
    except BadPosition as refused:
        return str(refused)
    return None


def told(state: State, at: int, **otherwise: Any) -> str | None:
    """What is said if a step of the agenda says this."""
    new = state.copy()
    new.agenda[at] = replace(new.agenda[at], **otherwise)
    return refusal(new)


# the order of command cards

ORDERING = come_to(asked.AgreeOrder)
FIRST = ORDERING.agenda[-1].order
ONCE = "`agreed` names something twice."
PROPOSER = "Who proposed the order agrees with it."
TOO_MANY = "So many Requests do not lie open."
AMOUNTS = "Nobody pays less than their part, nor all more than is asked for."


@pytest.mark.parametrize(
    ("otherwise", "why"),
    [
        ({}, None),
        ({"order": (*FIRST[1:], FIRST[0])}, "First the Tea order is proposed."),
        ({"order": FIRST[1:]}, "`order` names each clan with a card."),
        ({"order": (0, 1, 1)}, "`order` names each clan with a card."),
        ({"seats": (0, 1)}, "All with a card are asked."),
        ({"seats": (0, 1), "agreed": (1,), "declined": (2,)}, ONCE),
        ({"seats": (0,), "agreed": (1,), "declined": (2,)}, None),
        ({"seats": (0, 1), "agreed": (2,), "proposed": (2,), "order": (0, 1, 2)}, None),
        ({"seats": (0, 1, 2), "proposed": (2,)}, PROPOSER),
        ({"seats": (0, 1), "agreed": (2,), "proposed": (7, 2)}, PROPOSER),
        (
            {"seats": (0, 1), "agreed": (2,), "proposed": (2, 2)},
            "`proposed` names something twice.",
        ),
    ],
)
def test_the_order_that_is_proposed(otherwise, why):
    """GW-16.3"""
    assert told(ORDERING, -1, **otherwise) == why


def test_nobody_agrees_on_an_order_where_there_is_but_one():
    """GW-16.3; Ruling 41"""
    state = ORDERING.copy()
    for clan in state.clans[1:]:
        clan.discard = in_order(tuple(decks.COMMANDS), (*clan.hand, clan.shown))
        clan.hand, clan.shown = (), None
    assert told(state, -1, seats=(0,), order=(0,)) == "There is only one order."


def test_an_order_is_agreed_on_before_the_first_card_lies_there():
    """GW-16.3"""
    state = ORDERING.copy()
    state.agenda.insert(1, year.Chain())
    assert refusal(state) == "No order is to be agreed on."


# Requests that lie open


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"requests": ()}, TOO_MANY),
        (
            {"requests": ("rites", "moon", "clean_hands")},
            "There is no 'moon' among the `requests` of this game.",
        ),
        ({"requests": ("rites", "rites", "clean_hands")}, "`requests` names something twice."),
        ({"requests": ("rites", "timber_levy", "clean_hands", "quarry_levy")}, TOO_MANY),
        ({"fulfilled": ("learned_council",)}, None),
        ({"breaches": 1}, "Sections are breached in Winter."),
        ({"defeats": 7}, None),
        ({"defeats": 41}, "What an effect is about goes from 0 to 40."),
    ],
)
def test_what_lies_open_in_fall(values, why):
    """GW-16.1, GW-16.13"""
    state = ORDERING.copy()
    state.requests = ("rites", "timber_levy", "clean_hands")
    for name, value in values.items():
        setattr(state, name, value)
    assert refusal(state) == why


def test_with_enough_of_them_the_game_is_over():
    """GW-16.12"""
    state = ORDERING.copy()
    state.requests, state.fulfilled = state.setup.requests[:3], state.setup.requests[3:10]
    assert refusal(state) == "With so many Requests `fulfilled` the game is over."


def test_soldiers_are_lost_to_requests_alone():
    """GW-16.11"""
    state = ORDERING.copy()
    clan = state.clans[0]
    clan.pool, clan.lost = (clan.pool[0] - 1, *clan.pool[1:]), (1, 0, 0)
    assert refusal(state) == "Soldiers are `lost` to Requests alone."
    state.requests, state.fulfilled = ("rites", "clean_hands", "timber_levy"), ("veterans_home",)
    assert refusal(state) is None


def test_games_without_requests_know_nothing_of_them():
    """GW-16.1"""
    state = new_table(3)
    state.defeats = 1
    assert refusal(state) == "Only Requests count `defeats`."
    state.defeats, state.requests = 0, ("rites",)
    assert refusal(state) == "There is no 'rites' among the `requests` of this game."


# declared, agreed to, paid


def declaring(*open_: str, **own: Any) -> State:
    """A game by chance that has come to the Requests of a Winter, with these lying open."""
    state = come_to(asked.DeclareRequests).copy()
    state.requests = open_
    gone = {*open_, *state.fulfilled}
    state.request_deck = tuple(card for card in state.setup.requests if card not in gone)
    for clan in state.clans:
        clan.resources, clan.honor = (5, 5, 5, 5), 20
        clan.counted = participated(20)
    step = state.agenda[-1]
    state.agenda[-1] = replace(step, seats=(0, 1, 2))
    return state


LEVY, GLORY, HOME = "timber_levy", "glory_belongs", "veterans_home"
OPEN = declaring(LEVY, GLORY, HOME)


@pytest.mark.parametrize(
    ("otherwise", "why"),
    [
        ({}, None),
        ({"failed": ((0, LEVY),)}, None),
        ({"failed": ((0, LEVY), (0, LEVY))}, "`failed` names something twice."),
        ({"failed": ((3, LEVY),)}, "Seats go from 0 to 2."),
        ({"failed": ((0, "moon"),)}, "There is no Request 'moon'."),
        (
            {"failed": ((0, LEVY), (0, GLORY), (0, HOME))},
            "Only those are asked who can declare something.",
        ),
    ],
)
def test_what_can_be_declared(otherwise, why):
    """GW-16.11"""
    assert told(OPEN, -1, **otherwise) == why


def test_requests_are_declared_in_winter():
    """GW-16.10"""
    state = OPEN.copy()
    state.agenda.insert(1, asked.FulfilRequests())
    assert refusal(state) == "Requests are fulfilled in Winter."


PAYING = declared(OPEN, LEVY, 1)
EACH = Due(wood=2)
AT = {type(step).__name__: at for at, step in enumerate(PAYING.agenda)}


@pytest.mark.parametrize(
    ("step", "otherwise", "why"),
    [
        ("PayRequest", {}, None),
        ("PayRequest", {"seats": (0,)}, None),
        ("PayRequest", {"seats": (0, 1)}, "Whoever declared it has agreed."),
        ("PayRequest", {"request": HOME}, "Another Request is declared."),
        ("CollectPayments", {"request": HOME}, "Then it is closed."),
        ("CollectPayments", {"declarer": 3}, "Seats go from 0 to 2."),
        ("CollectPayments", {"dues": (EACH,)}, "`dues` has what each seat pays."),
        ("CollectPayments", {"dues": (EACH, EACH, Due(wood=1))}, AMOUNTS),
        ("CollectPayments", {"dues": (EACH, EACH, Due(wood=3))}, AMOUNTS),
        (
            "CloseRequest",
            {"request": "clean_hands"},
            "The Request 'clean_hands' does not lie open.",
        ),
        ("FulfilRequests", {"failed": ((0, "moon"),)}, "There is no Request 'moon'."),
        ("FulfilRequests", {"failed": ((0, LEVY),)}, None),
        (
            "FulfilRequests",
            {"failed": ((1, LEVY),)},
            "Nobody declares again what they did in vain.",
        ),
    ],
)
def test_what_each_pays(step, otherwise, why):
    """GW-16.11"""
    assert told(PAYING, AT[step], **otherwise) == why


def test_nobody_agrees_to_pay_what_they_do_not_have():
    """GW-16.11"""
    state = PAYING.copy()
    state.clans[2].resources = (1, 0, 0, 0)
    assert refusal(state) == "They can pay what they agreed to."


def test_each_pays_only_what_is_asked_of_each():
    """GW-16.11"""
    state = declared(OPEN, GLORY, 1)
    state.agenda[-1] = asked.PayRequest((0,), request=GLORY)
    assert refusal(state) == "Each pays something, and nothing yet."


OFFERING = after(declared(OPEN, GLORY, 1), moves.GiveShare(1, 5))


@pytest.mark.parametrize(
    ("at", "otherwise", "why"),
    [
        (-1, {}, None),
        (-1, {"left": 26}, "`left` goes from 1 to 25 there."),
        (-1, {"left": 0}, "`left` goes from 1 to 25 there."),
        (-1, {"kind": "wood"}, "The next are asked for their shares then."),
        (-1, {"request": LEVY}, "Another Request is declared."),
        (-2, {"kind": "wood"}, "That is not paid together."),
        (-2, {"waiting": (0, 1, 2)}, "The next are asked for their shares then."),
        (-2, {"waiting": (9,)}, "Seats go from 0 to 2."),
        (-2, {"waiting": (1, 1)}, "`waiting` names something twice."),
        (-3, {"dues": (Due(), Due(honor=31), Due())}, AMOUNTS),
        (-3, {"dues": (Due(), Due(honor=21), Due())}, "They can pay what they agreed to."),
    ],
)
def test_what_is_offered(at, otherwise, why):
    """GW-16.11"""
    assert told(OFFERING, at, **otherwise) == why


def sacrificing() -> State:
    state = declared(OPEN, HOME)
    return after(state, moves.AgreeToPay(1, HOME), moves.AgreeToPay(2, HOME))


LOSING = sacrificing()


@pytest.mark.parametrize(
    ("otherwise", "why"),
    [
        ({}, None),
        ({"left": 0}, "`left` goes from 1 to "),
        ({"left": 2}, "Soldiers are `lost` to Requests alone."),
        ({"left": 17}, "`left` goes from 1 to "),
        ({"request": LEVY}, "`left` goes from 1 to 0 there."),
        ({"request": "clean_hands"}, "The Request 'clean_hands' does not lie open."),
    ],
)
def test_soldiers_that_leave_the_game(otherwise, why):
    """GW-16.11"""
    said = told(LOSING, -1, **otherwise)
    assert said is None if why is None else said is not None and said.startswith(why)


def test_it_is_the_declared_request_that_soldiers_leave_for():
    """GW-16.11"""
    state = LOSING.copy()
    at = next(at for at, step in enumerate(state.agenda) if isinstance(step, asked.CloseRequest))
    state.agenda[at] = asked.CloseRequest(request=LEVY)
    assert refusal(state) == "It is fulfilled by it."


def test_after_the_end_check_shame_comes_and_then_spring():
    """GW-16.10, GW-16.13"""
    state = next(state for state in _shamed() if isinstance(state.agenda[0], year.Spring))
    assert refusal(state) is None
    state.agenda[0] = year.Summer()
    assert refusal(state) is not None


def _shamed() -> Any:
    """Tables of a game by chance."""
    dice = Luck(1)
    state = new_table(3, dice, mode="coop")
    while awaited(state):
        yield state.copy()
        seat = choose(dice, awaited(state))
        advance(GAME, state, choose(dice, legal_moves(GAME, state, seat)), dice)


def over(fulfilled: int) -> State:
    """A game that has ended in Winter, with so many Requests fulfilled."""
    state = OPEN.copy()
    cards = state.setup.requests
    state.fulfilled, state.requests = cards[:fulfilled], cards[fulfilled : fulfilled + 3]
    state.request_deck = cards[fulfilled + 3 :]
    state.agenda, state.ended = [], "requests"
    state.winners = (0, 1, 2)
    return state


def test_a_game_that_was_won_is_read():
    """GW-16.12"""
    state = over(7)
    assert refusal(state) is None
    state.winners = (0, 1)
    assert refusal(state) == "Others are the `winners`."
    assert refusal(over(6)) == "It did not end like this."


def test_a_game_that_was_lost_has_no_winners():
    """GW-16.12"""
    state = over(6)
    state.ended, state.winners, state.slot = "time", (), 5
    assert refusal(state) is None
    state.winners = (0,)
    assert refusal(state) == "Others are the `winners`."


def in_winter(planned: type[Step]) -> State:
    """Somebody places Shame while this is still to be done."""
    return come_to(PlaceShame, lambda state: any(isinstance(one, planned) for one in state.agenda))


def test_no_more_sections_are_breached_than_were_assaulted():
    """GW-13.4, GW-16.13"""
    state = in_winter(year.Assault)
    left = sum(isinstance(one, year.Assault) for one in state.agenda)
    state.breaches = len(state.setup.table.sections) - left
    assert refusal(state) is None
    state.breaches += 1
    assert refusal(state) == "Each Section is breached once, in its assault."


def test_after_the_last_year_there_is_no_spring():
    """GW-13.8"""
    state = in_winter(asked.RefillRequests)
    state.slot = len(state.setup.slots) - 2
    assert refusal(state) is None
    state.slot += 1
    assert refusal(state) == "After the last Year there is no Spring: GW-13.8."
