"""Fitting a curve to matches: multinomial logistic regression of who won on the evaluations."""

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
ROUNDS = 60
CLOSE = 1e-9
PRIORS = (1e-3, 1.0, 1e-3, 1.0)
"""How much weighs the belief that an evaluation says nothing, and that it always says the same: the
first only to keep a curve finite. The same of the edge that a table has which plays together.
"""
LEAST = 1e-12
"""A chance is never taken for less, as the logarithm of nothing is infinite."""


class Snapshot(msgspec.Struct, frozen=True):
    """A state before a decision: how many came before it, and its evaluation by seat; of a table
    that plays together that of the table, and 0 for what it plays against.
    """

    decided: int
    values: tuple[float, ...]


class Sample(msgspec.Struct, frozen=True):
    """A match that was played to its end: some of its states, and the share of the win by seat; of
    a table that plays together its own, and that of what it plays against.
    """

    name: str  # of what it is a sample: game, version of the rules, seed
    mode: str  # "" for the usual one
    seats: int
    number: int  # of the match among those of this name, mode and number of seats
    decisions: int
    shares: tuple[float, ...]
    snapshots: tuple[Snapshot, ...]


class Case(msgspec.Struct, frozen=True):
    """A state to learn from."""

    rows: Rows
    shares: tuple[float, ...]
    weight: float


def fit(samples: Sequence[Sample], together: bool = False) -> Curve:
    """The curve that explains best who won, and how well one that was fitted on half of the matches
    foretells the other half. ValueError for less than two matches.
    """
    if len(samples) < 2:
        raise ValueError("A curve needs two matches at least.")
    halves = samples[::2], samples[1::2]
    told = [
        *foretold(_fitted(halves[0], together), halves[1]),
        *foretold(_fitted(halves[1], together), halves[0]),
    ]
    return msgspec.structs.replace(
        _fitted(samples, together),
        matches=len(samples),
        log_loss=log_loss(told),
        uniform=log(len(samples[0].shares)),
        bins=bins_of(told),
    )


class Foretold(msgspec.Struct, frozen=True):
    """What a curve says of a state, and what came of it."""

    chances: tuple[float, ...]
    shares: tuple[float, ...]
    weight: float


def foretold(curve: Curve, samples: Sequence[Sample]) -> Iterator[Foretold]:
    """What a curve says of all states of some matches; all matches weigh the same."""
    for sample in samples:
        for snapshot in sample.snapshots:
            chances = curve.chances(snapshot.values, snapshot.decided)
            yield Foretold(chances, sample.shares, 1 / len(sample.snapshots))


def log_loss(told: Sequence[Foretold]) -> float:
    """The mean surprise of a state, in nats: the less the better."""
    lost = sum(
        one.weight * share * -log(max(chance, LEAST))
        for one in told
        for chance, share in zip(one.chances, one.shares, strict=True)
    )
    return lost / sum(one.weight for one in told)


def bins_of(told: Sequence[Foretold]) -> tuple[Bin, ...]:
    """Equally wide bins of the chances of all seats, without those that are empty."""
    bins: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for one in told:
        for pair in zip(one.chances, one.shares, strict=True):
            bins[min(int(pair[0] * BINS), BINS - 1)].append(pair)
    return tuple(
        Bin(len(pairs), *(sum(numbers) / len(pairs) for numbers in zip(*pairs, strict=True)))
        for pairs in bins
        if pairs
    )


def _fitted(samples: Sequence[Sample], together: bool) -> Curve:
    usual = sum(sample.decisions for sample in samples) / len(samples)
    scale = _spread(samples)
    cases = list(_cases(samples, Curve(0.0, usual=usual), scale, together))
    slope, growth, edge, edge_growth = _newton(cases)
    return Curve(slope / scale, growth / scale, usual, edge, edge_growth)


def _spread(samples: Sequence[Sample]) -> float:
    """The usual distance of an evaluation from the mean of its state."""
    squares = [
        (value - sum(snapshot.values) / len(snapshot.values)) ** 2
        for sample in samples
        for snapshot in sample.snapshots
        for value in snapshot.values
    ]
    return sqrt(sum(squares) / len(squares)) or 1.0


def _cases(samples: Sequence[Sample], curve: Curve, scale: float, together: bool) -> Iterator[Case]:
    """The features of a seat are its value, and its value by the stage; where all play together,
    besides, that it is the table, and not what it plays against.
    """
    for sample in samples:
        for snapshot in sample.snapshots:
            stage = curve.stage(snapshot.decided)
            rows = [
                [value / scale, value / scale * stage, edge, edge * stage]
                for number, value in enumerate(snapshot.values)
                for edge in [float(together and number == 0)]
            ]
            yield Case(rows, sample.shares, 1 / len(sample.snapshots))


def _newton(cases: Sequence[Case]) -> Vector:
    """The weights of the features at which the log loss, and the prior, is least."""
    weights = [0.0] * len(PRIORS)
    for _ in range(ROUNDS):
        gradient, hessian = _slopes(cases, weights)
        step = solve(hessian, gradient)
        weights = [weight - change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < CLOSE:
            break
    return weights


def _slopes(cases: Sequence[Case], weights: Vector) -> tuple[Vector, Rows]:
    """The first and the second derivatives of what is to be least."""
    size = range(len(weights))
    gradient = list(map(mul, PRIORS, weights))
    hessian = [[PRIORS[i] * (i == j) for j in size] for i in size]
    for case in cases:
        chances = _told(case.rows, weights)
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


def _told(rows: Rows, weights: Vector) -> tuple[float, ...]:
    return softmax([sum(map(mul, row, weights)) for row in rows])


def solve(matrix: Rows, right: Vector) -> Vector:
    """The solution of a system of linear equations, by Gauss with pivots."""
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
