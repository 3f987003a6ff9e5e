"""Challenges, counters and giving in."""

from __future__ import annotations

import pytest

from domain.engine.game import seats_to_move
from tests.engine.toy.events import CardDrawn, CardPlayed, GaveIn, Passed
from tests.engine.toy.moves import Counter, GiveIn, Pass, Seal, ShowCard
from tests.games.toy.table import play, refuse, table
from tests.support.for_each import for_each


def won(**changes):
    """A table where seat 0 has taken the prize."""
    state = table(**changes)
    play(state, Seal(0, 5), Seal(1, 2))
    assert seats_to_move(state) == (0,)
    return state


def test_the_winner_challenges_up_to_twice():
    """TOY-3.1"""
    state = won()
    for card in (1, 3):
        assert play(state, ShowCard(0, 1, card)) == [CardPlayed(0, 1, card)]
        play(state, GiveIn(1))
    assert state.round == 2


def test_the_winner_may_pass():
    """TOY-3.1"""
    assert play(won(), Pass(0))[0] == Passed(0)


@for_each(
    ("move", "fault"),
    [
        (ShowCard(0, 1, 6), "not_in_hand"),
        (ShowCard(0, 0, 1), "not_another"),
        (ShowCard(0, 1, 1), "no_points"),
        (Seal(0, 1), "not_now"),
    ],
)
def test_challenges_that_are_refused(move, fault):
    """TOY-3.1"""
    assert refuse(won(points=[2, 0]), move) == ("TOY-3.1", fault)


def test_after_a_counter_the_other_must_answer():
    """TOY-3.2"""
    state = won()
    play(state, ShowCard(0, 1, 1))
    assert seats_to_move(state) == (1,)
    play(state, Counter(1, 4))
    assert seats_to_move(state) == (0,)


@for_each(
    ("move", "fault"),
    [
        (Counter(1, 5), "not_in_hand"),
        (Counter(1, 4), "too_low"),
        (Seal(1, 4), "not_now"),
    ],
)
def test_counters_that_are_refused(move, fault):
    """TOY-3.2"""
    state = won(hands=[[5, 6], [2, 4]])
    play(state, ShowCard(0, 1, 6))
    assert refuse(state, move) == ("TOY-3.2", fault)


@pytest.mark.parametrize(("points", "paid"), [(2, 1), (0, 0)])
def test_who_gives_in_pays_a_point_if_there_is_one(points, paid):
    """TOY-3.3"""
    state = won()
    play(state, ShowCard(0, 1, 1))
    state.points[1] = points
    assert play(state, GiveIn(1))[0] == GaveIn(1, 0, paid)


def test_shown_cards_are_replaced_the_last_one_first():
    """TOY-3.4"""
    state = won(bag=[0, 0, 0, 0, 0, 2])
    events = play(state, ShowCard(0, 1, 1), Counter(1, 4), GiveIn(0))
    drawn = [event.seat for event in events if isinstance(event, CardDrawn)]
    assert drawn == [1, 0]
