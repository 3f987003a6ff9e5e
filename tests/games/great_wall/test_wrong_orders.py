"""Positions of the cooperative game: orders of players, claims, events: GW-16.3, GW-16.9."""

import pytest
from msgspec.structs import replace

from domain.engine.errors import BadPosition
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import coop
from domain.games.great_wall.state.agenda.supply import LoseResources, PlaceShame
from domain.games.great_wall.state.clans import Claim
from tests.games.great_wall.test_wrong_requests import play_to, refusal, refusal_of_step
from tests.games.great_wall.turns import in_turn, read
from tests.games.great_wall.wrong import MOVING

QUESTION, BELOW = -1, -2
LOSING = LoseResources((0,), left=1, resources=board.RESOURCES)


def ordering(kind):
    """A random game that asks for the order of those who do this."""
    state = play_to(coop.OrderPlayers, lambda one: isinstance(one.agenda[BELOW], kind))
    assert read(state) == state
    return state


@pytest.fixture(scope="module")
def location():
    return ordering(coop.ResolveInOrder)


@pytest.fixture(scope="module")
def others():
    return ordering(coop.OthersInOrder)


@pytest.fixture(scope="module")
def each():
    return ordering(coop.EachInOrder)


def test_some_are_named_and_the_others_wait(others):
    """GW-16.3"""
    waiting = others.agenda[QUESTION].waiting
    missing = "`waiting` are the others, in Tea order."
    assert refusal_of_step(others, QUESTION, waiting=waiting[::-1]) == missing
    assert refusal_of_step(others, QUESTION, waiting=waiting[:1]) == missing
    assert refusal_of_step(others, QUESTION, waiting=waiting[1:], named=waiting[:1]) == missing
    strange = others.active
    assert (
        refusal_of_step(others, QUESTION, named=(strange,))
        == "`named` must be some of the `clans` below."
    )
    assert (
        refusal_of_step(others, QUESTION, named=waiting[:1] * 2) == "`named` names something twice."
    )


def test_the_active_player_is_asked(others):
    """GW-16.3"""
    seat = next(seat for seat in range(others.seats) if seat != others.active)
    assert refusal_of_step(others, QUESTION, seats=(seat,)) == "The Active player chooses: GW-16.3."


def test_the_question_for_an_order_is_above_the_step_that_uses_it(others):
    """GW-16.3"""
    without = others.copy()
    del without.agenda[BELOW]
    assert refusal(without) == "The step below must use the order: GW-16.3."
    above = others.copy()
    above.agenda.insert(len(above.agenda) - 1, above.agenda[BELOW])
    assert refusal(above) == "The question for the order must come first: GW-16.3."


def test_the_clans_that_are_there_take_part(location, others, each):
    """GW-6.5, GW-7.3, GW-16.3"""
    wrong = "`clans` must be those that take part."
    for state in (location, others, each):
        clans = state.agenda[BELOW].clans
        assert refusal_of_step(state, BELOW, clans=clans[::-1]) == wrong
    assert refusal_of_step(location, BELOW, clans=others.agenda[BELOW].clans[:1]) == wrong
    assert refusal_of_step(others, BELOW, slot=9) == "There is no command card on this slot."
    assert refusal_of_step(each, BELOW, clans=(9, 0)) == "Only players can do it."
    here = replace(each.agenda[BELOW].here, alone=False)
    assert refusal_of_step(each, BELOW, here=here) == "Each player must do it separately: GW-18.6."


def of_reed(state):
    return isinstance(state.agenda[BELOW], coop.OthersInOrder)


def test_one_player_needs_no_order():
    """GW-16.3"""
    state = play_to(coop.OrderPlayers, of_reed, 2)
    assert state.active == state.reed
    laid = next(slot for slot, one in enumerate(state.track) if one.clan != state.reed)
    new = state.copy()
    owner = state.track[laid].clan
    clans = tuple(clan for clan in state.tea if clan != owner)
    new.agenda[BELOW] = coop.OthersInOrder(slot=laid, clans=clans)
    new.agenda[QUESTION] = replace(state.agenda[QUESTION], waiting=clans)
    assert refusal(new) == "One player needs no order."


def test_claimed_horde_cards_are_not_kept(others):
    """GW-16.9"""
    state = others.copy()
    state.clans[0].defeated = ("moon",)
    assert refusal(state) == "`defeated` names Horde cards of this game."
    state.clans[0].defeated, state.clans[0].claimed = (), (Claim(state.horde_deck[0]),)
    assert refusal(state) == "Claimed Horde cards are discarded at once."
    against = in_turn(MOVING)
    assert refusal(against) is None
    against.clans[1].defeated = ("scouts_left",)
    assert refusal(against) == "Claimed Horde cards are kept."


def test_a_year_has_one_event(others):
    """GW-16.14"""
    state = others.copy()
    assert with_events(state, state.slot) is None
    assert with_events(state, state.slot + 1) == f"There can be at most {state.slot} events."


def test_the_event_of_a_year_is_revealed_at_its_end():
    """GW-16.14"""
    blamed = play_to(PlaceShame, lambda one: one.agenda[:2] == [steps.Spring(), coop.EventStep()])
    assert with_events(blamed, blamed.slot) is None
    assert with_events(blamed, blamed.slot + 1) == f"There can be at most {blamed.slot} events."
    blamed.agenda = [steps.Spring(), steps.Ask(step=LOSING), LOSING]
    assert with_events(blamed, blamed.slot + 1) is None


def with_events(state, count):
    """The refusal of a position with this number of events; None if it is read."""
    new = state.copy()
    new.events, new.event_deck = tuple(decks.EVENTS)[:count], tuple(decks.EVENTS)[count:]
    return refusal(new)


def test_each_event_card_is_there_once(others):
    """GW-16.14"""
    state = others.copy()
    state.events = ("war_drums", "war_drums")
    with pytest.raises(BadPosition):
        read(state)
