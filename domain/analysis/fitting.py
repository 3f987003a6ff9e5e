"""Fits a curve to matches: multinomial logistic regression of the winner on the evaluations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import log, sqrt
from operator import mul

import msgspec

from domain.engine.resources.win_probability import Bin, Curve, softmax

Vector = list[float]
Rows = list[Vector]
"""The features of one state, by seat."""

BINS = 10
MAX_ROUNDS = 60
STEP_TOLERANCE = 1e-9
PRIORS = (1e-3, 1.0, 1e-3, 1.0)
"""Weights of the priors of slope, growth, edge and edge growth: evaluations have no meaning (a
small weight, only to keep the fit finite), and their meaning does not change.
"""
MIN_CHANCE = 1e-12
"""Lower bound of a chance, to keep its logarithm finite."""


class Snapshot(msgspec.Struct, frozen=True):
    """A state before a decision: the number of decisions before it, and its evaluation by seat.

    At a cooperative table: the evaluation of the table, and 0 for the game.
    """

    decided: int
    values: tuple[float, ...]


class Sample(msgspec.Struct, frozen=True):
    """A finished match: some of its states, and the share of the win by seat.

    At a cooperative table: the share of the table, and that of the game.
    """

    name: str  # what it samples: game, version of the rules, seed
    mode: str  # "" for the default mode
    seats: int
    number: int  # index among the matches with this name, mode and number of seats
    decisions: int
    shares: tuple[float, ...]
    snapshots: tuple[Snapshot, ...]


class Case(msgspec.Struct, frozen=True):
    """A state to fit to."""

    rows: Rows
    shares: tuple[float, ...]
    weight: float


def fit(samples: Sequence[Sample], cooperative: bool = False) -> Curve:
    """The curve that explains the winners best, with its log loss in two-fold cross-validation.

    Raises ValueError for fewer than two matches.
    """
    if len(samples) < 2:
        raise ValueError("A curve needs two matches at least.")
    halves = samples[::2], samples[1::2]
    predictions = [
        *predict(_fit(halves[0], cooperative), halves[1]),
        *predict(_fit(halves[1], cooperative), halves[0]),
    ]
    return msgspec.structs.replace(
        _fit(samples, cooperative),
        matches=len(samples),
        log_loss=log_loss(predictions),
        uniform_log_loss=log(len(samples[0].shares)),
        bins=bins_of(predictions),
    )


class Prediction(msgspec.Struct, frozen=True):
    """The prediction of a curve for a state, and the actual result."""

    chances: tuple[float, ...]
    shares: tuple[float, ...]
    weight: float


def predict(curve: Curve, samples: Sequence[Sample]) -> Iterator[Prediction]:
    """The predictions of a curve for all states; each match has the same total weight."""
    for sample in samples:
        for snapshot in sample.snapshots:
            chances = curve.chances(snapshot.values, snapshot.decided)
            yield Prediction(chances, sample.shares, 1 / len(sample.snapshots))


def log_loss(predictions: Sequence[Prediction]) -> float:
    """The mean log loss of a state, in nats; lower is better."""
    lost = sum(
        one.weight * share * -log(max(chance, MIN_CHANCE))
        for one in predictions
        for chance, share in zip(one.chances, one.shares, strict=True)
    )
    return lost / sum(one.weight for one in predictions)


def bins_of(predictions: Sequence[Prediction]) -> tuple[Bin, ...]:
    """Bins of equal width over the predicted chances of all seats, without empty ones."""
    bins: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for one in predictions:
        for pair in zip(one.chances, one.shares, strict=True):
            bins[min(int(pair[0] * BINS), BINS - 1)].append(pair)
    return tuple(
        Bin(len(pairs), *(sum(numbers) / len(pairs) for numbers in zip(*pairs, strict=True)))
        for pairs in bins
        if pairs
    )


def _fit(samples: Sequence[Sample], cooperative: bool) -> Curve:
    usual = sum(sample.decisions for sample in samples) / len(samples)
    scale = _spread(samples)
    cases = list(_cases(samples, Curve(0.0, usual_decisions=usual), scale, cooperative))
    slope, growth, edge, edge_growth = _newton(cases)
    return Curve(slope / scale, growth / scale, usual, edge, edge_growth)


def _spread(samples: Sequence[Sample]) -> float:
    """The standard deviation of evaluations around the mean of their state."""
    squares = [
        (value - sum(snapshot.values) / len(snapshot.values)) ** 2
        for sample in samples
        for snapshot in sample.snapshots
        for value in snapshot.values
    ]
    return sqrt(sum(squares) / len(squares)) or 1.0


def _cases(
    samples: Sequence[Sample], curve: Curve, scale: float, cooperative: bool
) -> Iterator[Case]:
    """States with features by seat: its value, and value times stage. At a cooperative table, also
    an indicator of the table, and indicator times stage.
    """
    for sample in samples:
        for snapshot in sample.snapshots:
            stage = curve.stage(snapshot.decided)
            rows = [
                [value / scale, value / scale * stage, edge, edge * stage]
                for number, value in enumerate(snapshot.values)
                for edge in [float(cooperative and number == 0)]
            ]
            yield Case(rows, sample.shares, 1 / len(sample.snapshots))


def _newton(cases: Sequence[Case]) -> Vector:
    """The weights that minimize the log loss plus the priors, by Newton's method."""
    weights = [0.0] * len(PRIORS)
    for _ in range(MAX_ROUNDS):
        gradient, hessian = _slopes(cases, weights)
        step = solve(hessian, gradient)
        weights = [weight - change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < STEP_TOLERANCE:
            break
    return weights


def _slopes(cases: Sequence[Case], weights: Vector) -> tuple[Vector, Rows]:
    """The gradient and the Hessian of the log loss plus the priors."""
    size = range(len(weights))
    gradient = list(map(mul, PRIORS, weights))
    hessian = [[PRIORS[i] * (i == j) for j in size] for i in size]
    for case in cases:
        chances = _predict(case.rows, weights)
        mean = [sum(map(mul, chances, column)) for column in zip(*case.rows, strict=True)]
        hit = [sum(map(mul, case.shares, column)) for column in zip(*case.rows, strict=True)]
        for i in size:
            gradient[i] += case.weight * (mean[i] - hit[i])
        for chance, row in zip(chances, case.rows, strict=True):
            off = [x - middle for x, middle in zip(row, mean, strict=True)]
            for i in size:
                for j in size:
                    hessian[i][j] += case.weight * chance * off[i] * off[j]
    return gradient, hessian


def _predict(rows: Rows, weights: Vector) -> tuple[float, ...]:
    return softmax([sum(map(mul, row, weights)) for row in rows])


def solve(matrix: Rows, right: Vector) -> Vector:
    """Solve a system of linear equations by Gaussian elimination with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        first = rows[column]
        for row in chain(range(column), range(column + 1, size)):
            factor = rows[row][column] / first[column]
            rows[row] = [x - factor * y for x, y in zip(rows[row], first, strict=True)]
    return [row[size] / row[i] for i, row in enumerate(rows)]
