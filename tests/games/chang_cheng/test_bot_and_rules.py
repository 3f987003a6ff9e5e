"""The bots count by the rules: their forecast of a decided result equals the result."""

from __future__ import annotations

import pytest

from domain.games.chang_cheng.board import MONGOL, THREATS
from domain.games.chang_cheng.bot.evaluation import china_only, estimate_losses, evaluate
from domain.games.chang_cheng.events.course import EventCardScored, MongolsInvaded
from domain.games.chang_cheng.moves import (
    AddWall,
    BuildDouble,
    BuildSingle,
    ChangeValue,
    DeclineCard,
    ScoreFirst,
)
from tests.games.chang_cheng.situations import LAST, nearly_full
from tests.games.chang_cheng.table import card, happens, only, table
from tests.support.for_each import for_each


def losing(loss: float) -> tuple[float, ...]:
    """This loss in b1:M1, and none anywhere else."""
    return tuple(loss * (name == "b1:M1") for name in MONGOL)


@for_each(
    ("north", "payers"),
    [
        ("0 0 0 1 1", (0,)),
        ("0 1 0 1 1", (1,)),
        ("0 0 n 1 1", (0, 1)),
        ("n n n 0 1", ()),
        ("n n 0 0 1", (0,)),
        ("0 0t 0 1 1", ()),
        ("0 0t 1 1 n", (1,)),
        ("0t 0 1t 1 n", ()),
        ("0x 0x 0 1 1", (1,)),
        ("0x 0x 1x 1x n", ()),
    ],
)
def test_a_full_mongol_region_is_expected_to_cost_what_it_will_cost(north, payers):
    """CC-10.2, CC-10.3, CC-10.4, CC-11.5"""
    state = nearly_full(north)
    expected = evaluate(state, 0, losing(4)) - evaluate(state, 0, losing(0))
    assert expected == pytest.approx(4 * (1 in payers) - 4 * (0 in payers))
    attacks = [event for event in happens(state, LAST) if isinstance(event, MongolsInvaded)]
    assert attacks[0].region == "b1:M1"
    assert attacks[0].payers == payers


@for_each(
    "walls",
    [
        "b1:1=0 b1:2=1 b1:3=1 b1:6=0 b1:7=1 b1:8=2 b1:9=2",
        "b1:1=0 b1:2=0x b1:3=1 b1:6=1x b1:7=1x b1:8=2 b1:9=2",
        "b1:1=1t b1:2=1 b1:3=2 b1:6=1 b1:7=1 b1:8=1 b1:9=2t",
        "b1:1=1x b1:2=1x b1:3=2x b1:6=2x b1:7=1x b1:8=1x b1:9=2x",
    ],
)
def test_full_chinese_regions_are_expected_to_pay_what_they_will_pay(walls):
    """CC-6.4, CC-6.5"""
    state = table(walls, prestige={"b1:C1": 3, "b1:C2": 4}, hands=[[], [], []])
    happens(state, BuildDouble(0, ("b1:4", "b1:5")))
    expected = [china_only(state, seat) for seat in range(3)]
    happens(state, ScoreFirst(0, "b1:C1"))
    assert [china_only(state, seat) for seat in range(3)] == pytest.approx(expected)


@for_each(
    ("number", "chosen"),
    [(3, ChangeValue(1, 2)), (3, ChangeValue(1, -2)), (4, ChangeValue(1, 2)), (4, AddWall(1))],
)
def test_a_region_that_is_scored_just_now_is_expected_to_pay_what_it_will_pay(number, chosen):
    """CC-6.3, CC-7.5"""
    state = table(
        "b1:1=0 b1:2=0 b1:3=1 b2:1=2",
        prestige={"b1:C1": 1},
        cards=[card(1, number, "b1:C1"), card(2, 6, "b1:C1")],
        hands=[[], [], []],
    )
    happens(state, BuildSingle(0, "b1:4"), chosen)
    expected = [china_only(state, seat) for seat in range(3)]
    happens(state, DeclineCard(2))
    assert [china_only(state, seat) for seat in range(3)] == pytest.approx(expected)


def test_neutral_walls_keep_the_bots_from_expecting_points():
    """CC-11.5"""
    state = table("b1:1=n b1:2=n b1:3=n b1:6=n b1:7=n b1:8=n b1:9=0", seats=2, hands=[[], []])
    happens(state, BuildDouble(0, ("b1:4", "b1:5")))
    expected = china_only(state, 0)
    assert expected == pytest.approx(3) == pytest.approx(state.score(0) - state.score(1))
    happens(state, ScoreFirst(0, "b1:C2"))
    assert china_only(state, 0) == pytest.approx(expected)


@for_each("hand", [[], [3], [1, 4, 6]])
def test_at_the_end_a_card_in_hand_is_worth_its_reward(hand):
    """CC-12.4"""
    with_cards, without = (
        nearly_full("0 1 n 0 1", events=["imperial_reward"], hands=[cards, []])
        for cards in (hand, [])
    )
    expected = evaluate(with_cards, 0) - evaluate(without, 0)
    paid = only(happens(with_cards, LAST), EventCardScored)
    assert expected == paid.points[0] == 2 * len(hand)


@for_each(("removed", "seen"), [([], [0]), ([], [1]), (["b1:M1"], [0])])
def test_losses_are_known_or_the_mean_of_what_is_not_known(removed, seen):
    """CC-9.2, CC-9.3"""
    state = table(threats={"b1:M1": 4}, seen={"b1:M1": seen}, removed=removed)
    losses = estimate_losses(state, 0)
    known = seen == [0]
    others = sum(loss * count for loss, count in THREATS.items()) - 4 * known
    assert losses[0] == (4.0 if known else 3.0)
    assert losses[1:] == pytest.approx((others / (15 - known),) * 11)


def test_a_removed_threat_costs_nothing_in_the_evaluation():
    """CC-7.4, CC-10.2"""
    state = nearly_full("0 0 0 1 1", removed=["b1:M1"])
    assert evaluate(state, 0, losing(4)) == evaluate(state, 0, losing(0))


def test_a_scored_region_is_worth_nothing_more():
    """CC-6.1"""
    scored, other = (table("b1:1=0 b1:2=0 b1:3=0 b1:4=1", prestige={"b1:C1": n}) for n in (0, 4))
    assert china_only(scored, 0) == china_only(other, 0)


def test_only_the_owner_weighs_a_card_by_its_number():
    """CC-9.1"""
    weak, strong = (table("b1:1=0", cards=[card(0, n, "b1:C1")]) for n in (1, 5))
    assert evaluate(strong, 0) > evaluate(weak, 0)
    assert evaluate(strong, 1) == evaluate(weak, 1)
