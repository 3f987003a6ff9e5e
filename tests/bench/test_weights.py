"""Weights of an evaluation, fitted to matches."""

import pytest

from bench.weights import explained, fit, rows, solved
from domain.engine.dice import Luck
from domain.games.great_wall.bot import outlook


def test_equations_are_solved_whatever_their_order():
    assert solved([[0.0, 2.0, 4.0], [3.0, 1.0, 5.0]]) == pytest.approx([1, 2])


def test_what_was_put_in_is_found_again():
    luck = Luck("weights")
    numbers = [(1.0, float(luck.below(9)), float(luck.below(9))) for _ in range(3_000)]
    seen = [(x, 7 + 2 * x[1] - 3 * x[2]) for x in numbers]
    weights = fit(seen)
    assert weights == pytest.approx([7, 2, -3], abs=0.02)
    assert explained(seen, weights) == pytest.approx(1, abs=0.001)


def test_a_match_tells_what_each_seat_still_got():
    seen = rows(0)
    assert len(seen) % 2 == 0
    assert {len(numbers) for numbers, _ in seen} == {len(outlook.NAMES)}
    assert rows(0) == seen != rows(4)
