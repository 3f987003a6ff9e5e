"""What can be in progress by the plan of a season: GW-3.1, GW-7.3, GW-12.3, GW-13.7."""

from __future__ import annotations

import pytest

from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import requests, soldiers, supply
from tests.games.great_wall.test_wrong_orders import LOSING
from tests.games.great_wall.test_wrong_requests import play_to, refusal
from tests.games.great_wall.turns import in_turn
from tests.games.great_wall.wrong import MOVING

ACTIVE = "`active` must be the clan that has the turn."
OTHER = "The `season` differs from that of the `agenda`."
ASK = [steps.AskReclaim(seat=seat) for seat in reversed(in_turn(MOVING).players)]


@pytest.mark.parametrize(
    ("below", "why"),
    [
        ([steps.TakeTurn(slot=1)], "EndTurn asks no seat."),
        ([steps.TakeTurn(slot=1), steps.EndTurn()], None),
        ([steps.TakeTurn(slot=1), steps.EndTurn(), soldiers.DefeatCheck()], None),
        ([steps.TakeTurn(slot=1), steps.RestOfTurn()], None),
        ([steps.TakeTurn(slot=2), steps.EndTurn()], ACTIVE),
        ([steps.TakeTurn(slot=0)], ACTIVE),
        ([steps.EndCheck(), steps.EndWinter()], OTHER),
    ],
)
def test_a_turn_goes_on_until_it_ends(below, why):
    """GW-7.3, GW-7.6"""
    state = in_turn(MOVING)
    state.agenda = [*below, MOVING]
    assert refusal(state) == why


@pytest.mark.parametrize("slot", [1, 3])
def test_a_clan_has_the_turn_once_the_first_card_is_resolved(slot):
    """GW-7.3"""
    state = in_turn(MOVING)
    state.active, state.agenda = None, [steps.TakeTurn(slot=slot), MOVING]
    assert refusal(state) == ACTIVE


@pytest.mark.parametrize(
    ("season", "below", "why"),
    [
        ("winter", [steps.EndCheck()], "EndWinter asks no seat."),
        ("winter", [steps.EndCheck(), steps.EndWinter()], None),
        ("summer", [steps.EndCheck(), steps.EndWinter()], OTHER),
        ("spring", [steps.Summer()], None),
        ("winter", [steps.Summer()], OTHER),
        ("summer", [steps.Fall(), *ASK, steps.ClearTrack()], None),
        ("fall", [steps.Fall(), *ASK, steps.ClearTrack()], OTHER),
        ("fall", [steps.TakeTurn(slot=0)], None),
        ("spring", [steps.TakeTurn(slot=0)], OTHER),
        (None, [steps.TakeTurn(slot=0)], None),
        (None, [steps.EndCheck(), steps.EndWinter()], None),
    ],
)
def test_the_agenda_begins_with_the_end_of_its_season(season, below, why):
    """GW-3.1"""
    state = in_turn(MOVING)
    state.season, state.active, state.agenda = season, None, [*below, MOVING]
    assert refusal(state) == why


@pytest.mark.parametrize(
    ("season", "below"),
    [("summer", [steps.Fall(), *ASK[:2]]), ("summer", [steps.Fall()]), (None, [steps.Fall()])],
)
def test_the_cleared_command_track_has_no_cards(season, below):
    """GW-12.3"""
    state = in_turn(MOVING)
    state.season, state.active, state.agenda = season, None, [*below, MOVING]
    assert refusal(state) == "The Command track must be empty: GW-12.3."
    clear(state)
    assert refusal(state) is None


def clear(state):
    """Move the command cards to the discards of their owners."""
    for one in filter(None, state.track):
        state.clans[one.clan].discard += (one.card,)
    state.track = (None,) * len(state.track)


def test_no_seat_is_asked_while_the_command_track_is_cleared():
    """GW-12.3"""
    state = in_turn(MOVING)
    state.season, state.active, state.agenda = "summer", None, [steps.Fall(), *ASK, MOVING]
    clear(state)
    assert refusal(state) == "ClearTrack asks no seat."


def test_requests_are_laid_open_before_the_event_of_a_year():
    """GW-16.13, GW-16.14"""
    refilling = "RefillRequests asks no seat."
    state = play_to(supply.PlaceShame, lambda one: one.agenda[0] == steps.Spring())
    assert isinstance(state.agenda[2], requests.RefillRequests)
    state.agenda[2:] = [LOSING]
    assert refusal(state) == refilling
    state.agenda[1:] = [LOSING]
    assert refusal(state) is None
    state.requests, state.request_deck = (), (*state.request_deck, *state.requests)
    assert refusal(state) == "That number of open Requests is not possible."


def test_after_a_request_others_can_be_declared():
    """GW-16.11"""
    state = play_to(supply.PlaceShame, lambda one: one.agenda[0] == steps.EndCheck())
    state.agenda = [steps.EndCheck(), requests.FulfilRequests(), LOSING]
    assert refusal(state) is None  # abilities answer a fulfilled Request
