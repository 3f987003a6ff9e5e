"""Confidence intervals of 95 %."""

from __future__ import annotations

from math import sqrt

Z_95 = 1.96
"""Standard deviations of a normal distribution within 95 %."""
PRIOR_SEATS = 20
"""Number of average seats that a prior adds to each sample."""
_STUDENT_T_95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""The same for Student's t-distribution with 1, 2, … degrees of freedom."""

Interval = tuple[float, float]


def wilson_interval(hits: float, n: int) -> Interval:
    """Wilson's score interval of a share: `hits` of `n`, with n >= 1. It lies within 0 and 1."""
    rate, spread = hits / n, Z_95 * Z_95 / n
    middle = (rate + spread / 2) / (1 + spread)
    half = Z_95 * sqrt(rate * (1 - rate) / n + spread / n / 4) / (1 + spread)
    return middle - half, middle + half


def mean_interval(n: int, total: float, squares: float) -> Interval | None:
    """The interval of a mean, from n, the sum and the sum of squares; None for fewer than two
    values.
    """
    if n < 2:
        return None
    mean = total / n
    variance = max(0.0, squares - n * mean * mean) / (n - 1)
    half = student_t_95(n - 1) * sqrt(variance / n)
    return mean - half, mean + half


def student_t_95(freedom: int) -> float:
    """Standard deviations within 95 % for a number of degrees of freedom (1 or more)."""
    return _STUDENT_T_95[freedom - 1] if freedom <= len(_STUDENT_T_95) else Z_95 + 2.4 / freedom


def advantage(n: int, total: float, squares: float, seats: float) -> tuple[float, Interval]:
    """The win rate of `n` seats relative to the average seat (1.0), and its interval.

    The value of a seat is its share of the victory times the number of seats in its match. `total`
    and `squares` are the sums of these values and of their squares, `seats` is the sum of the
    numbers of seats. A prior of `PRIOR_SEATS` average seats shrinks the rate towards 1.0; for
    matches with one number of seats this is the mean of a beta distribution. The interval is that
    of a normal distribution with the same variance.
    """
    weight = n + PRIOR_SEATS
    mean = (total + PRIOR_SEATS) / weight
    average = (squares + PRIOR_SEATS * seats / n) / weight
    half = Z_95 * sqrt(max(0.0, average - mean * mean) / (weight + 1))
    return mean, (max(0.0, mean - half), mean + half)
