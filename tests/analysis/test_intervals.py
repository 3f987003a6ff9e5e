"""Intervals agree with published tables, and with random samples."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from domain.analysis.intervals import (
    PRIOR_SEATS,
    advantage,
    mean_interval,
    student_t_95,
    wilson_interval,
)
from tests.support.for_each import for_each


def test_the_interval_of_a_share_is_that_of_wilson() -> None:
    """Checked with the tables in Newcombe (1998), method 3."""
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson_interval(15, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert wilson_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson_interval(1, 29) == pytest.approx((0.0061, 0.1718), abs=1e-4)
    assert wilson_interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson_interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


@for_each(
    ("freedom", "expected"), [(1, 12.706), (5, 2.571), (30, 2.042), (40, 2.021), (120, 1.980)]
)
def test_few_values_take_a_wider_interval(freedom: int, expected: float) -> None:
    assert student_t_95(freedom) == pytest.approx(expected, abs=2e-3)


def test_the_interval_of_a_mean() -> None:
    values = [4.0, 6.0, 8.0]
    found = mean_interval(3, sum(values), sum(value * value for value in values))
    half = 4.303 * 2 / sqrt(3)
    assert found == pytest.approx((6 - half, 6 + half), abs=1e-3)
    assert mean_interval(1, 5.0, 25.0) is None
    assert mean_interval(2, 6.0, 18.0) == (3.0, 3.0)


def test_intervals_hold_the_truth_nineteen_times_of_twenty() -> None:
    chance, held = Random(7), 0
    for _ in range(1_000):
        values = [chance.gauss(10, 3) for _ in range(8)]
        low, high = mean_interval(8, sum(values), sum(value * value for value in values)) or (0, 0)
        held += low <= 10 <= high
    assert 930 <= held <= 970


@for_each("seats", [2, 3, 5])
@for_each(("wins", "n"), [(0, 1), (1, 1), (30, 80), (0, 400)])
def test_an_advantage_is_that_of_a_beta_distribution(seats: int, wins: int, n: int) -> None:
    """Whose parameters are the seats that won and those that did not, with the prior's."""
    won, lost = wins + PRIOR_SEATS / seats, n - wins + PRIOR_SEATS * (1 - 1 / seats)
    mean = won / (won + lost)
    deviation = sqrt(won * lost / (won + lost) ** 2 / (won + lost + 1))
    value, (low, high) = advantage(n, wins * seats, wins * seats**2, n * seats)
    assert value == pytest.approx(seats * mean)
    assert high == pytest.approx(seats * (mean + 1.96 * deviation))
    assert low == pytest.approx(max(0.0, seats * (mean - 1.96 * deviation)))


def test_what_was_seldom_seen_is_taken_to_be_average() -> None:
    once, _ = advantage(1, 4.0, 16.0, 4.0)
    often, (low, high) = advantage(1_000, 2_000.0, 8_000.0, 4_000.0)
    assert 1 < once < 1.2
    assert low < often < high
    assert often == pytest.approx(2.0, abs=0.03)
