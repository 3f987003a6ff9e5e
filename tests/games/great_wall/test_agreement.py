"""The order of command cards on which the table agrees: GW-16.3."""

from __future__ import annotations

from typing import Any

from domain.games.great_wall import moves
from domain.games.great_wall.events import course, requests
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.table import State
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import (
    events_of,
    events_of_steps,
    kinds,
    legal_moves_of,
    of,
    refusal_of,
)
from tests.games.great_wall.table import table

CARDS = ("despotism", "economy", "work_harder", "betrayal", "attack_order")


def show_cards(*cards: str | None, tea: tuple[int, ...], **values: Any) -> State:
    """A cooperative table where these cards are shown, and still to be placed."""
    clans = ({"shown": card} for card in cards)
    return table(*clans, seats=len(cards), mode="coop", tea=tea, **values)


def placing(*cards: str | None, tea: tuple[int, ...]) -> State:
    return begin(show_cards(*cards, tea=tea), steps.PlaceCommands())


def three() -> State:
    return placing(*CARDS[:3], tea=(2, 0, 1))


def laid(state: State) -> list[int]:
    """The clans of the cards on the track, from the left."""
    return [one.clan for one in state.track if one]


def agree(state: State, *seats: int) -> State:
    return after(state, *(moves.AgreeToOrder(seat, state.agenda[-1].order) for seat in seats))


def propose(state: State, seat: int, *order: int) -> State:
    return after(state, moves.ProposeOrder(seat, order))


def test_the_tea_order_is_the_first_proposal_to_all():
    """GW-16.3"""
    step = three().agenda[-1]
    assert (type(step).__name__, step.seats, step.order) == ("AgreeOrder", (0, 1, 2), (2, 0, 1))


def test_when_all_agree_the_cards_lie_in_this_order():
    """GW-7.2, GW-16.3"""
    state = agree(three(), 1, 0, 2)
    assert laid(state) == [2, 0, 1]
    assert [one.card for one in state.track if one] == ["work_harder", "despotism", "economy"]
    assert (state.agenda, [clan.shown for clan in state.clans]) == ([], [None] * 3)


def test_after_a_proposal_all_others_answer_again():
    """GW-16.3"""
    state = propose(agree(three(), 1), 0, 1, 0, 2)
    step = state.agenda[-1]
    assert (step.seats, step.order, step.agreed) == ((1, 2), (1, 0, 2), (0,))
    assert laid(agree(state, 2, 1)) == [1, 0, 2]


def test_each_other_order_can_be_proposed():
    """GW-16.3"""
    assert len(legal_moves_of(three(), moves.ProposeOrder, 1)) == 5
    five = placing(*CARDS, tea=(0, 1, 2, 3, 4))
    assert len(legal_moves_of(five, moves.ProposeOrder, 1)) == 119


def test_each_seat_proposes_once_each_fall():
    """GW-16.3"""
    state = propose(propose(three(), 0, 1, 0, 2), 1, 0, 1, 2)
    assert legal_moves_of(state, moves.ProposeOrder) == []
    assert refusal_of(state, moves.ProposeOrder(0, (2, 1, 0))) == ("GW-16.3", "proposed")
    state = propose(state, 2, 2, 1, 0)
    assert all(legal_moves_of(state, moves.ProposeOrder, seat) == [] for seat in (0, 1))
    assert laid(agree(state, 0, 1)) == [2, 1, 0]


def test_an_order_names_each_clan_with_a_card_once_and_is_not_the_one_proposed():
    """GW-16.3"""
    state = three()
    for order in ((0, 1), (0, 1, 1), (0, 1, 2, 3), (0, 1, -1)):
        assert refusal_of(state, moves.ProposeOrder(0, order)) == ("GW-16.3", "no_order")
    assert refusal_of(state, moves.ProposeOrder(0, (2, 0, 1))) == ("GW-16.3", "same_order")


def test_a_replaced_proposal_cannot_be_agreed_to():
    """GW-16.3"""
    state = propose(three(), 0, 1, 0, 2)
    assert refusal_of(state, moves.AgreeToOrder(1, (2, 0, 1))) == ("GW-16.3", "other_order")
    assert refusal_of(state, moves.LayCommand(1, 0)) == ("GW-16.3", "not_now")


def test_more_than_half_are_enough():
    """GW-16.3"""
    state = after(propose(three(), 0, 1, 0, 2), moves.DeclineOrder(1))
    assert laid(agree(state, 2)) == [1, 0, 2]


def test_with_half_or_fewer_the_tea_order_holds():
    """GW-16.3"""
    four = placing(*CARDS[:4], tea=(3, 2, 1, 0))
    state = agree(propose(four, 0, 0, 1, 2, 3), 1)
    events = events_of(after(state, moves.DeclineOrder(2)), moves.DeclineOrder(3))
    assert of(requests.OrderSettled, events) == [requests.OrderSettled((3, 2, 1, 0), True)]
    assert laid(after(state, moves.DeclineOrder(2), moves.DeclineOrder(3))) == [3, 2, 1, 0]


def test_it_makes_no_difference_who_answers_first():
    """GW-16.3"""
    state = three()
    one = after(agree(state, 0), moves.DeclineOrder(1))
    other = agree(after(state, moves.DeclineOrder(1)), 0)
    assert one.agenda == other.agenda


def test_events_record_the_agreement():
    """GW-16.3"""
    state = agree(propose(three(), 0, 1, 0, 2), 1)
    events = events_of(state, moves.AgreeToOrder(2, (1, 0, 2)))
    assert kinds(events)[:5] == ["OrderAgreed", "OrderSettled", *["CommandPlaced"] * 3]


def test_the_reed_clan_has_a_place_in_the_order():
    """GW-15.5, GW-16.3"""
    state = placing("economy", "betrayal", tea=(1, 2, 0))
    assert state.agenda[-1].order == (1, 2, 0)
    assert state.agenda[-1].seats == (0, 1)
    state = agree(propose(state, 1, 2, 0, 1), 0)
    assert [(one.clan, one.card) for one in state.track if one] == [
        (2, "reed_command"), (0, "economy"), (1, "betrayal"),
    ]  # fmt: skip


def test_a_seat_without_a_card_has_no_turn_and_no_question():
    """GW-16.3; Ruling 41"""
    state = placing("economy", None, "betrayal", tea=(2, 1, 0))
    assert (state.agenda[-1].seats, state.agenda[-1].order) == ((0, 2), (2, 0))
    assert state.track == (None, None, None)
    assert laid(agree(state, 0, 2)) == [2, 0]


def test_with_only_one_possible_order_there_is_no_question():
    """GW-16.3; Ruling 41"""
    state = placing("economy", None, None, tea=(2, 1, 0))
    assert (laid(state), state.agenda) == ([0], [])
    assert laid(placing(None, None, None, tea=(2, 1, 0))) == []
    assert laid(placing(None, None, tea=(1, 2, 0))) == [2]


def test_one_player_chooses_the_order_of_their_card_and_that_of_the_reed_clan():
    """GW-15.5, GW-16.3; Ruling 41"""
    state = placing("economy", None, tea=(1, 2, 0))
    assert (state.agenda[-1].seats, state.agenda[-1].order) == ((0,), (2, 0))
    assert laid(agree(state, 0)) == [2, 0]
    assert laid(propose(state, 0, 0, 2)) == [0, 2]


def test_a_fall_without_command_cards_ends_at_once():
    """GW-7.1, GW-16.3; Ruling 41"""
    state = table(*[{"hand": ()}] * 3, mode="coop")
    events = events_of_steps(state, steps.Fall())
    assert of(course.TurnBegan, events) == []
    assert of(course.SeasonBegan, events)[-1].season == "winter"


def test_in_a_standard_game_all_place_in_tea_order():
    """GW-7.2"""
    state = begin(
        table(*({"shown": card} for card in CARDS[:3]), tea=(2, 0, 1)), steps.PlaceCommands()
    )
    assert type(state.agenda[-1]).__name__ == "PlaceCommand"
