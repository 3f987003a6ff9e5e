"""Positions with Requests: those a game reaches are read, others refused: GW-16.3, GW-16.11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.dice import Luck, choose
from domain.engine.errors import BadPosition
from domain.engine.game import advance, legal_moves, seats_to_move
from domain.engine.play import Step
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import requests as asked
from domain.games.great_wall.state.agenda.requests import Due
from domain.games.great_wall.state.agenda.supply import PlaceShame
from domain.games.great_wall.state.counts import in_order
from domain.games.great_wall.state.table import State
from tests.games.great_wall.course import after
from tests.games.great_wall.game import new_table
from tests.games.great_wall.table import participation_honor
from tests.games.great_wall.test_requests import declare
from tests.games.great_wall.turns import read

MAX_MOVES = 4000


def play_to(
    kind: type[Step], fits: Callable[[State], bool] = lambda _: True, seats: int = 3
) -> State:
    """A random game of this number of seats that reaches this question and fits the condition."""
    for seed in range(99):
        dice = Luck(seed)
        state = new_table(seats, dice, mode="coop")
        for _ in range(MAX_MOVES):
            if not seats_to_move(state):
                break
            if isinstance(state.agenda[-1], kind) and fits(state):
                return state
            seat = choose(dice, seats_to_move(state))
            advance(GAME, state, choose(dice, legal_moves(GAME, state, seat)), dice)
    raise AssertionError(f"No game asks {kind.__name__}.")


def refusal(state: State) -> str | None:
    """The refusal of a position; None if it is read."""
    try:
        read(state)
    except BadPosition as refused:
        return str(refused)
    return None


def refusal_of_step(state: State, at: int, **otherwise: Any) -> str | None:
    """The refusal after these changes of a step on the agenda; None if it is read."""
    new = state.copy()
    new.agenda[at] = replace(new.agenda[at], **otherwise)
    return refusal(new)


# the order of command cards

ORDERING = play_to(asked.AgreeOrder)
FIRST = ORDERING.agenda[-1].order
ONCE = "`agreed` names something twice."
PROPOSER = "The seat that proposed the order must agree."
TOO_MANY = "That number of open Requests is not possible."
AMOUNTS = "Each must pay its part, and all together not more than asked."


@pytest.mark.parametrize(
    ("otherwise", "why"),
    [
        ({}, None),
        ({"order": (*FIRST[1:], FIRST[0])}, "The first proposal is the Tea order."),
        ({"order": FIRST[1:]}, "`order` must name each clan with a card."),
        ({"order": (0, 1, 1)}, "`order` must name each clan with a card."),
        ({"seats": (0, 1)}, "All seats with a card must be asked."),
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
def test_a_proposed_order_is_read_or_refused(otherwise, why):
    """GW-16.3"""
    assert refusal_of_step(ORDERING, -1, **otherwise) == why


def test_a_question_about_the_only_order_is_refused():
    """GW-16.3; Ruling 41"""
    state = ORDERING.copy()
    for clan in state.clans[1:]:
        clan.discard = in_order(tuple(decks.COMMANDS), (*clan.hand, clan.shown))
        clan.hand, clan.shown = (), None
    assert refusal_of_step(state, -1, seats=(0,), order=(0,)) == "There is only one order."


def test_an_order_is_agreed_on_before_the_first_card_lies_there():
    """GW-16.3"""
    state = ORDERING.copy()
    state.agenda.insert(1, steps.Chain())
    assert refusal(state) == "There is no order to agree on here."


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
        ({"breaches": 1}, "Sections can be breached only in Winter."),
        ({"defeats": 7}, None),
        ({"defeats": 41}, "Amounts of an effect must be from 0 to 40."),
    ],
)
def test_open_requests_in_fall_are_read_or_refused(values, why):
    """GW-16.1, GW-16.13"""
    state = ORDERING.copy()
    state.requests = ("rites", "timber_levy", "clean_hands")
    for name, value in values.items():
        setattr(state, name, value)
    assert refusal(state) == why


def test_with_enough_fulfilled_requests_the_game_is_over():
    """GW-16.12"""
    state = ORDERING.copy()
    state.requests, state.fulfilled = state.setup.requests[:3], state.setup.requests[3:10]
    assert refusal(state) == "With that many Requests `fulfilled` the game is over."


def test_soldiers_are_lost_only_to_requests():
    """GW-16.11"""
    state = ORDERING.copy()
    clan = state.clans[0]
    clan.pool, clan.lost = (clan.pool[0] - 1, *clan.pool[1:]), (1, 0, 0)
    assert refusal(state) == "Soldiers can be `lost` only to Requests."
    state.requests, state.fulfilled = ("rites", "clean_hands", "timber_levy"), ("veterans_home",)
    assert refusal(state) is None


def test_games_without_requests_have_no_counts_for_them():
    """GW-16.1"""
    state = new_table(3)
    state.defeats = 1
    assert refusal(state) == "Only Requests count `defeats`."
    state.defeats, state.requests = 0, ("rites",)
    assert refusal(state) == "There is no 'rites' among the `requests` of this game."


# declarations, agreements, payments


def declaring(*open_: str, **own: Any) -> State:
    """A random game that reached the Requests of a Winter, with these lying open."""
    state = play_to(asked.DeclareRequests).copy()
    state.requests = open_
    gone = {*open_, *state.fulfilled}
    state.request_deck = tuple(card for card in state.setup.requests if card not in gone)
    for clan in state.clans:
        clan.resources, clan.honor = (5, 5, 5, 5), 20
        clan.counted = participation_honor(20)
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
            "Only seats that can declare a Request are asked.",
        ),
    ],
)
def test_declarations_are_read_or_refused(otherwise, why):
    """GW-16.11"""
    assert refusal_of_step(OPEN, -1, **otherwise) == why


def test_requests_are_declared_in_winter():
    """GW-16.10"""
    state = OPEN.copy()
    state.agenda.insert(1, asked.FulfilRequests())
    assert refusal(state) == "Requests can be fulfilled only in Winter."


PAYING = declare(OPEN, LEVY, 1)
EACH = Due(wood=2)
AT = {type(step).__name__: at for at, step in enumerate(PAYING.agenda)}


@pytest.mark.parametrize(
    ("step", "otherwise", "why"),
    [
        ("PayRequest", {}, None),
        ("PayRequest", {"seats": (0,)}, None),
        ("PayRequest", {"seats": (0, 1)}, "The seat that declared it has already agreed."),
        ("PayRequest", {"request": HOME}, "This Request is not the declared one."),
        ("CollectPayments", {"request": HOME}, "The Request must be closed next."),
        ("CollectPayments", {"declarer": 3}, "Seats go from 0 to 2."),
        ("CollectPayments", {"dues": (EACH,)}, "`dues` must have one entry for each seat."),
        ("CollectPayments", {"dues": (EACH, EACH, Due(wood=1))}, AMOUNTS),
        ("CollectPayments", {"dues": (EACH, EACH, Due(wood=3))}, AMOUNTS),
        (
            "CloseRequest",
            {"request": "clean_hands"},
            "The Request 'clean_hands' is not open.",
        ),
        ("FulfilRequests", {"failed": ((0, "moon"),)}, "There is no Request 'moon'."),
        ("FulfilRequests", {"failed": ((0, LEVY),)}, None),
        (
            "FulfilRequests",
            {"failed": ((1, LEVY),)},
            "A seat cannot repeat a failed declaration.",
        ),
    ],
)
def test_payments_are_read_or_refused(step, otherwise, why):
    """GW-16.11"""
    assert refusal_of_step(PAYING, AT[step], **otherwise) == why


def test_no_seat_agrees_to_pay_more_than_it_has():
    """GW-16.11"""
    state = PAYING.copy()
    state.clans[2].resources = (1, 0, 0, 0)
    assert refusal(state) == "Each seat must be able to pay what it agreed to."


def test_each_seat_pays_only_its_part():
    """GW-16.11"""
    state = declare(OPEN, GLORY, 1)
    state.agenda[-1] = asked.PayRequest((0,), request=GLORY)
    assert refusal(state) == "Each seat must owe its part and no share yet."


OFFERING = after(declare(OPEN, GLORY, 1), moves.GiveShare(1, 5))


@pytest.mark.parametrize(
    ("at", "otherwise", "why"),
    [
        (-1, {}, None),
        (-1, {"left": 26}, "`left` must be from 1 to 25 here."),
        (-1, {"left": 0}, "`left` must be from 1 to 25 here."),
        (-1, {"kind": "wood"}, "The step that asks for shares must be below."),
        (-1, {"request": LEVY}, "This Request is not the declared one."),
        (-2, {"kind": "wood"}, "Players do not pay this together."),
        (-2, {"waiting": (0, 1, 2)}, "The step that asks for shares must be below."),
        (-2, {"waiting": (9,)}, "Seats go from 0 to 2."),
        (-2, {"waiting": (1, 1)}, "`waiting` names something twice."),
        (-3, {"dues": (Due(), Due(honor=31), Due())}, AMOUNTS),
        (
            -3,
            {"dues": (Due(), Due(honor=21), Due())},
            "Each seat must be able to pay what it agreed to.",
        ),
    ],
)
def test_offers_are_read_or_refused(at, otherwise, why):
    """GW-16.11"""
    assert refusal_of_step(OFFERING, at, **otherwise) == why


def sacrificing() -> State:
    state = declare(OPEN, HOME)
    return after(state, moves.AgreeToPay(1, HOME), moves.AgreeToPay(2, HOME))


LOSING = sacrificing()


@pytest.mark.parametrize(
    ("otherwise", "why"),
    [
        ({}, None),
        ({"left": 0}, "`left` must be from 1 to "),
        ({"left": 2}, "Soldiers can be `lost` only to Requests."),
        ({"left": 17}, "`left` must be from 1 to "),
        ({"request": LEVY}, "`left` must be from 1 to 0 here."),
        ({"request": "clean_hands"}, "The Request 'clean_hands' is not open."),
    ],
)
def test_sacrifices_are_read_or_refused(otherwise, why):
    """GW-16.11"""
    said = refusal_of_step(LOSING, -1, **otherwise)
    assert said is None if why is None else said is not None and said.startswith(why)


def test_soldiers_leave_only_for_the_declared_request():
    """GW-16.11"""
    state = LOSING.copy()
    at = next(at for at, step in enumerate(state.agenda) if isinstance(step, asked.CloseRequest))
    state.agenda[at] = asked.CloseRequest(request=LEVY)
    assert refusal(state) == "Only the Request being fulfilled can take soldiers."


def test_after_the_end_check_shame_comes_and_then_spring():
    """GW-16.10, GW-16.13"""
    state = next(
        state for state in _tables_with_shame() if isinstance(state.agenda[0], steps.Spring)
    )
    assert refusal(state) is None
    state.agenda[0] = steps.Summer()
    assert refusal(state) is not None


def _tables_with_shame() -> Any:
    """Tables of a random game."""
    dice = Luck(1)
    state = new_table(3, dice, mode="coop")
    while seats_to_move(state):
        yield state.copy()
        seat = choose(dice, seats_to_move(state))
        advance(GAME, state, choose(dice, legal_moves(GAME, state, seat)), dice)


def over(fulfilled: int) -> State:
    """A game that ended in Winter, with this number of Requests fulfilled."""
    state = OPEN.copy()
    cards = state.setup.requests
    state.fulfilled, state.requests = cards[:fulfilled], cards[fulfilled : fulfilled + 3]
    state.request_deck = cards[fulfilled + 3 :]
    state.agenda, state.ended = [], "requests"
    state.winners = (0, 1, 2)
    return state


def test_a_won_game_is_read():
    """GW-16.12"""
    state = over(7)
    assert refusal(state) is None
    state.winners = (0, 1)
    assert refusal(state) == "These are not the `winners`."
    assert refusal(over(6)) == "The game cannot have `ended` like this."


def test_a_lost_game_has_no_winners():
    """GW-16.12"""
    state = over(6)
    state.ended, state.winners, state.slot = "time", (), 5
    assert refusal(state) is None
    state.winners = (0,)
    assert refusal(state) == "These are not the `winners`."


def in_winter(planned: type[Step]) -> State:
    """A seat places Shame while this step is still planned."""
    return play_to(PlaceShame, lambda state: any(isinstance(one, planned) for one in state.agenda))


def test_no_more_sections_are_breached_than_were_assaulted():
    """GW-13.4, GW-16.13"""
    state = in_winter(steps.Assault)
    left = sum(isinstance(one, steps.Assault) for one in state.agenda)
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
