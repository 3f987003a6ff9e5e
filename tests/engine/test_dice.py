"""Test dice by counting all outcomes."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import factorial

import pytest

from domain.engine.dice import Luck, choose, draw, shuffle
from domain.match.dice import KeyedDice
from tests.engine.table import Script
from tests.support.for_each import for_each


def test_luck_stays_below_and_reaches_every_number():
    dice = Luck("a seed")
    assert {dice.below(6) for _ in range(300)} == set(range(6))
    assert dice.below(1) == 0


def test_the_same_seed_falls_the_same_way():
    one, two, other = Luck(5), Luck(5), Luck(6)
    falls = [one.below(1000) for _ in range(20)]
    assert falls == [two.below(1000) for _ in range(20)]
    assert falls != [other.below(1000) for _ in range(20)]


def test_each_item_is_chosen_by_one_number():
    assert [choose(Script(n), "abc") for n in range(3)] == ["a", "b", "c"]


@for_each("size", range(6))
def test_each_order_comes_out_of_exactly_one_way_the_dice_can_fall(size):
    orders = Counter()
    for falls in product(*(range(i + 1) for i in range(size - 1, 0, -1))):
        items = list(range(size))
        shuffle(Script(*falls), items)
        orders[tuple(items)] += 1
    assert len(orders) == factorial(size)
    assert set(orders.values()) == {1}


def test_each_piece_of_a_bag_is_drawn_by_one_number():
    bag = [2, 0, 3, 1]
    drawn = Counter(draw(Script(n), bag[:]) for n in range(6))
    assert [drawn[kind] for kind in range(4)] == bag


def test_what_is_drawn_is_taken_out_of_the_bag():
    bag, dice = [2, 0, 1], Script(2, 1, 0)
    assert [draw(dice, bag) for _ in range(3)] == [2, 0, 0]
    assert bag == [0, 0, 0]
    assert dice.asked == [3, 2, 1]


@for_each("sides", [0, -1])
@for_each("dice", [Luck(1), KeyedDice(b"seed", 1)])
def test_no_die_has_fewer_sides_than_one(dice, sides):
    with pytest.raises(ValueError, match=f"A die with {sides} sides"):
        dice.below(sides)


@for_each("bag", [[3, -1, 2], [-1], [0, 0], []])
def test_nothing_is_drawn_from_a_bag_that_cannot_be(bag):
    left = bag[:]
    with pytest.raises(ValueError, match=r"A (bag|die) with"):
        draw(Luck(1), bag)
    assert bag == left
