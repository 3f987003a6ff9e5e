"""`python -m bench.weights`: fit what counts at The Great Wall to matches of bots.

The bots choose at a glance and err now and then, so they need no weights. What each seat still got
is explained by its numbers at the beginning of a Year: a linear regression.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import pvariance

from domain.engine.bots import mixed, random_bot, sight_of
from domain.engine.dice import Luck
from domain.engine.game import advance, awaited, new_state
from domain.engine.play import Seat
from domain.games.great_wall import GAME
from domain.games.great_wall.bot import outlook
from domain.games.great_wall.bot.hasty import hasty

SEATS = (2, 3, 3, 4)
ERRORS = 15
"""How many of 100 moves are left to chance, so that much is seen."""
RIDGE = 5.0
"""Keeps numbers that hardly vary from getting large weights."""

Row = tuple[tuple[float, ...], float]
"""The numbers of a seat, and how many points it got after that."""


PLAYER = mixed(ERRORS, random_bot, hasty)


def rows(number: int) -> list[Row]:
    """What is seen in one match, by Year and seat."""
    seats, dice = SEATS[number % len(SEATS)], Luck(f"fit {number}")
    state = new_state(GAME, GAME.setup(GAME.options(), seats), seats, dice)
    seen: list[tuple[Seat, tuple[float, ...], int]] = []
    slot = state.slot
    while waiting := awaited(state):
        if state.slot != slot:
            slot = state.slot
            seen += [
                (one, outlook.numbers(state, one), outlook.score(state, one))
                for one in range(seats)
            ]
        advance(GAME, state, PLAYER(sight_of(GAME, state, waiting[0], dice)), dice)
    totals = [outlook.score(state, seat) for seat in range(seats)]
    return [(numbers, float(totals[seat] - score)) for seat, numbers, score in seen]


def fit(seen: list[Row]) -> list[float]:
    """The weights that explain best what was still to come, by ridge regression."""
    count = len(seen[0][0])
    moments = [
        [sum(x[i] * x[j] for x, _ in seen) + RIDGE * (i == j > 0) for j in range(count)]
        + [sum(x[i] * y for x, y in seen)]
        for i in range(count)
    ]
    return solved(moments)


def solved(rows: list[list[float]]) -> list[float]:
    """The solution of linear equations, each with its right side at the end."""
    for i in range(len(rows)):
        best = max(range(i, len(rows)), key=lambda row: abs(rows[row][i]))
        rows[i], rows[best] = rows[best], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j, row in enumerate(rows):
            if j != i:
                rows[j] = [a - row[i] * b for a, b in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]


def explained(seen: list[Row], weights: list[float]) -> float:
    """The share of the variance that the weights explain."""
    left = [y - sum(w * x for w, x in zip(weights, numbers, strict=True)) for numbers, y in seen]
    return 1 - pvariance(left) / pvariance([y for _, y in seen])


def main() -> None:
    """Play, fit and print the weights as they stand in the evaluation."""
    parser = argparse.ArgumentParser(prog="python -m bench.weights", description=__doc__)
    parser.add_argument("--matches", type=int, default=1_600)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.processes, get_context("spawn")) as pool:
        seen = [row for some in pool.map(rows, range(asked.matches)) for row in some]
    weights = fit(seen)
    for name, weight in zip(outlook.NAMES, weights, strict=True):
        print(f'    "{name}": {weight:.2f},')
    print(f"{len(seen)} rows, {explained(seen, weights):.0%} of the variance explained")


if __name__ == "__main__":
    main()
