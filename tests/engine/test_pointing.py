"""The move that touches point at, or why they point at none."""

from __future__ import annotations

import pytest

from domain.engine.contract.refusals import describe_refusal
from domain.engine.errors import IncompleteMove, RuleBroken
from domain.engine.resolve_touches import resolve_touches
from tests.engine.table import position
from tests.engine.toy import GAME, moves


def point_at(state, *path):
    return resolve_touches(GAME, state, 0, GAME.view(state, 0), path)


def say_refusal(refused):
    return GAME.words().say(describe_refusal(refused.value))


@pytest.fixture
def challenging():
    agenda = [{"type": "Round", "number": 2}, {"type": "Challenge", "seats": [0], "left": 2}]
    return position(2, hands=[[2, 2, 5], [1]], points=[0, 3], bag=[0] * 6, agenda=agenda)


def test_touches_lead_to_a_move_as_soon_as_only_one_fits(challenging):
    assert point_at(challenging, "pass") == moves.Pass(0)
    assert point_at(challenging, "card:2") == moves.ShowCard(0, 1, 2)  # to the only other seat
    assert point_at(challenging, "card:2", "seat:1") == moves.ShowCard(0, 1, 2)


def test_where_several_moves_are_left_it_is_said_what_can_be_touched_next(challenging):
    with pytest.raises(IncompleteMove) as refused:
        point_at(challenging)
    assert refused.value.choices == ("card:2", "card:5", "pass")
    assert refused.value.reason.endswith("Touch one of these next: `card:2`, `card:5`, `pass`.")


def test_touches_can_come_in_any_order(challenging):
    assert point_at(challenging, "seat:1", "card:2") == moves.ShowCard(0, 1, 2)
    with pytest.raises(IncompleteMove) as refused:
        point_at(challenging, "seat:1")
    assert refused.value.choices == ("card:2", "card:5")


def test_where_no_move_is_left_it_is_said_what_forbids_those_that_begin_so(challenging):
    with pytest.raises(RuleBroken) as refused:
        point_at(challenging, "card:2", "seat:0")
    assert (refused.value.rule, refused.value.fault) == ("TOY-3.1", "not_another")


@pytest.mark.parametrize(("points", "fault"), [([0, 0], "not_another"), ([0, 0, 0], "no_points")])
def test_of_several_reasons_the_most_frequent_is_given_and_of_equal_ones_the_first(points, fault):
    agenda = [{"type": "Round", "number": 2}, {"type": "Challenge", "seats": [0], "left": 2}]
    hands = [[2], *([1] for _ in points[1:])]
    state = position(len(points), hands=hands, points=points, bag=[0] * 6, agenda=agenda)
    with pytest.raises(RuleBroken) as refused:
        point_at(state, "card:2")
    assert refused.value.fault == fault


@pytest.mark.parametrize("path", [["nonsense"], ["pass", "pass"], ["card:2", "seat:1", "pass"]])
def test_where_none_begins_so_it_is_said_what_the_step_asks_for(challenging, path):
    with pytest.raises(RuleBroken) as refused:
        point_at(challenging, *path)
    assert say_refusal(refused) == "Challenge another seat, or pass."
