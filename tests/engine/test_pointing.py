"""The move that somebody points at, and why there is none."""

from __future__ import annotations

import pytest

from domain.engine.errors import RuleBroken, Unfinished
from domain.engine.game import refuse
from domain.engine.resolve_touches import pointed_at
from tests.engine.table import position
from tests.engine.toy import GAME, moves


def pointed(state, *path):
    return pointed_at(GAME, state, 0, GAME.view(state, 0), path)


def said(refused):
    return GAME.words().say(refuse(refused.value))


@pytest.fixture
def challenging():
    agenda = [{"type": "Round", "number": 2}, {"type": "Challenge", "seats": [0], "left": 2}]
    return position(2, hands=[[2, 2, 5], [1]], points=[0, 3], bag=[0] * 6, agenda=agenda)


def test_touches_lead_to_a_move_as_soon_as_one_is_left(challenging):
    assert pointed(challenging, "pass") == moves.Pass(0)
    assert pointed(challenging, "card:2") == moves.ShowCard(0, 1, 2)  # to the only other seat
    assert pointed(challenging, "card:2", "seat:1") == moves.ShowCard(0, 1, 2)


def test_where_several_moves_are_left_it_is_said_what_can_be_touched_next(challenging):
    with pytest.raises(Unfinished) as refused:
        pointed(challenging)
    assert refused.value.choices == ("card:2", "card:5", "pass")
    assert refused.value.reason.endswith("What can be touched next: `card:2`, `card:5`, `pass`.")


def test_where_no_move_is_left_it_is_said_what_forbids_those_that_begin_so(challenging):
    with pytest.raises(RuleBroken) as refused:
        pointed(challenging, "card:2", "seat:0")
    assert (refused.value.rule, refused.value.fault) == ("TOY-3.1", "not_another")


@pytest.mark.parametrize(("points", "fault"), [([0, 0], "not_another"), ([0, 0, 0], "no_points")])
def test_of_several_reasons_the_most_frequent_is_told_and_of_equal_ones_the_first(points, fault):
    agenda = [{"type": "Round", "number": 2}, {"type": "Challenge", "seats": [0], "left": 2}]
    hands = [[2], *([1] for _ in points[1:])]
    state = position(len(points), hands=hands, points=points, bag=[0] * 6, agenda=agenda)
    with pytest.raises(RuleBroken) as refused:
        pointed(state, "card:2")
    assert refused.value.fault == fault


@pytest.mark.parametrize(
    "path", [["seat:1"], ["nonsense"], ["card:6"], ["pass", "pass"], ["card:2", "seat:1", "pass"]]
)
def test_where_none_begins_so_it_is_said_what_the_step_asks_for(challenging, path):
    with pytest.raises(RuleBroken) as refused:
        pointed(challenging, *path)
    assert said(refused) == "Challenge somebody, or pass."
