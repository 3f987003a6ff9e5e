"""What the plan of a season lets be going on, and what not: GW-3.1, GW-7.3, GW-12.3, GW-13.7."""

from __future__ import annotations

import pytest

from domain.games.great_wall.state.steps import requests, soldiers, supply, year
from tests.games.great_wall.test_wrong_orders import LOSING
from tests.games.great_wall.test_wrong_requests import come_to, refusal
from tests.games.great_wall.turns import in_turn
from tests.games.great_wall.wrong import MOVING

ACTIVE = "`active` is whoever has the turn."
OTHER = "The `season` is another one than that of the `agenda`."
ASK = [year.AskReclaim(seat=seat) for seat in reversed(in_turn(MOVING).players)]


@pytest.mark.parametrize(
    ("below", "why"),
    [
        ([year.TakeTurn(slot=1)], "Nobody is asked in EndTurn."),
        ([year.TakeTurn(slot=1), year.EndTurn()], None),
        ([year.TakeTurn(slot=1), year.EndTurn(), soldiers.DefeatCheck()], None),
        ([year.TakeTurn(slot=1), year.RestOfTurn()], None),
        ([year.TakeTurn(slot=2), year.EndTurn()], ACTIVE),
        ([year.TakeTurn(slot=0)], ACTIVE),
        ([year.EndCheck(), year.EndWinter()], OTHER),
    ],
)
def test_a_turn_goes_on_until_it_ends(below, why):
    """GW-7.3, GW-7.6"""
    state = in_turn(MOVING)
    state.agenda = [*below, MOVING]
    assert refusal(state) == why


@pytest.mark.parametrize("slot", [1, 3])
def test_somebody_has_the_turn_once_the_first_card_is_resolved(slot):
    """GW-7.3"""
    state = in_turn(MOVING)
    state.active, state.agenda = None, [year.TakeTurn(slot=slot), MOVING]
    assert refusal(state) == ACTIVE


@pytest.mark.parametrize(
    ("season", "below", "why"),
    [
        ("winter", [year.EndCheck()], "Nobody is asked in EndWinter."),
        ("winter", [year.EndCheck(), year.EndWinter()], None),
        ("summer", [year.EndCheck(), year.EndWinter()], OTHER),
        ("spring", [year.Summer()], None),
        ("winter", [year.Summer()], OTHER),
        ("summer", [year.Fall(), *ASK, year.ClearTrack()], None),
        ("fall", [year.Fall(), *ASK, year.ClearTrack()], OTHER),
        ("fall", [year.TakeTurn(slot=0)], None),
        ("spring", [year.TakeTurn(slot=0)], OTHER),
        (None, [year.TakeTurn(slot=0)], None),
        (None, [year.EndCheck(), year.EndWinter()], None),
    ],
)
def test_a_season_ends_with_what_the_agenda_begins_with(season, below, why):
    """GW-3.1"""
    state = in_turn(MOVING)
    state.season, state.active, state.agenda = season, None, [*below, MOVING]
    assert refusal(state) == why


@pytest.mark.parametrize(
    ("season", "below"),
    [("summer", [year.Fall(), *ASK[:2]]), ("summer", [year.Fall()]), (None, [year.Fall()])],
)
def test_no_card_lies_on_the_command_track_once_it_is_cleared(season, below):
    """GW-12.3"""
    state = in_turn(MOVING)
    state.season, state.active, state.agenda = season, None, [*below, MOVING]
    assert refusal(state) == "The Command track has been cleared: GW-12.3."
    clear(state)
    assert refusal(state) is None


def clear(state):
    """Let the command cards go to the discards of their owners."""
    for one in filter(None, state.track):
        state.clans[one.clan].discard += (one.card,)
    state.track = (None,) * len(state.track)


def test_nobody_is_asked_while_the_command_track_is_cleared():
    """GW-12.3"""
    state = in_turn(MOVING)
    state.season, state.active, state.agenda = "summer", None, [year.Fall(), *ASK, MOVING]
    clear(state)
    assert refusal(state) == "Nobody is asked in ClearTrack."


def test_requests_are_laid_open_before_the_event_of_a_year():
    """GW-16.13, GW-16.14"""
    refilling = "Nobody is asked in RefillRequests."
    state = come_to(supply.PlaceShame, lambda one: one.agenda[0] == year.Spring())
    assert isinstance(state.agenda[2], requests.RefillRequests)
    state.agenda[2:] = [LOSING]
    assert refusal(state) == refilling
    state.agenda[1:] = [LOSING]
    assert refusal(state) is None
    state.requests, state.request_deck = (), (*state.request_deck, *state.requests)
    assert refusal(state) == "So many Requests do not lie open."


def test_after_a_request_others_can_be_declared():
    """GW-16.11"""
    state = come_to(supply.PlaceShame, lambda one: one.agenda[0] == year.EndCheck())
    state.agenda = [year.EndCheck(), requests.FulfilRequests(), LOSING]
    assert refusal(state) is None  # abilities answer one that was fulfilled
