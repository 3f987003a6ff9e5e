"""How sure one can be of what was counted: between which values the truth lies with 95 %."""

from __future__ import annotations

from math import sqrt

Z = 1.96
"""How many standard deviations hold 95 % of a normal distribution."""
PRIOR = 20
"""As many seats as are taken to have won as often as the average, before any is counted."""
_STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""The same of Student's distribution, for 1, 2, … degrees of freedom."""

Interval = tuple[float, float]


def wilson(hits: float, n: int) -> Interval:
    """Of a share: `hits` of `n`, which is at least 1. Wilson's score interval; within 0 and 1."""
    rate, spread = hits / n, Z * Z / n
    middle = (rate + spread / 2) / (1 + spread)
    half = Z * sqrt(rate * (1 - rate) / n + spread / n / 4) / (1 + spread)
    return middle - half, middle + half


def of_mean(n: int, total: float, squares: float) -> Interval | None:
    """Of the mean of `n` values with this sum and this sum of their squares; None for fewer than
    two, of which nobody can say how they vary.
    """
    if n < 2:
        return None
    mean = total / n
    variance = max(0.0, squares - n * mean * mean) / (n - 1)
    half = student(n - 1) * sqrt(variance / n)
    return mean - half, mean + half


def student(freedom: int) -> float:
    """How many standard deviations hold 95 %, with so many degrees of freedom (1 or more)."""
    return _STUDENT[freedom - 1] if freedom <= len(_STUDENT) else Z + 2.4 / freedom


def advantage(n: int, total: float, squares: float, seats: float) -> tuple[float, Interval]:
    """How often `n` seats win, measured by the average seat (1.0), and its interval.

    Of each seat counts its share of the victory times the number of seats of its match: `total` and
    `squares` are sums of that and of its squares, `seats` is the sum of the numbers of seats. It is
    shrunk towards 1.0 as if `PRIOR` average seats had been counted before, which for matches of
    one number of seats is the mean of a beta distribution; the interval is that of a normal
    distribution with its variance.
    """
    weight = n + PRIOR
    mean = (total + PRIOR) / weight
    average = (squares + PRIOR * seats / n) / weight
    half = Z * sqrt(max(0.0, average - mean * mean) / (weight + 1))
    return mean, (max(0.0, mean - half), mean + half)
