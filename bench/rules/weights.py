"""`python -m bench.rules.weights`: fits the evaluation of The Great Wall to matches of bots.

The bots choose without search and make random errors, so they need no weights. A linear regression
explains what each seat, or a cooperative table, still gained by its numbers at the start of a Year.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import pvariance
from typing import NamedTuple

from domain.engine.bots import bot_view, mix
from domain.engine.dice import Luck
from domain.engine.game import advance, new_state, random_bot, seats_to_move
from domain.games.great_wall import GAME, board
from domain.games.great_wall.bot import coop, outlook, solo
from domain.games.great_wall.bot.hasty import hasty_bot
from domain.games.great_wall.state.table import State


class Study(NamedTuple):
    """What is fitted for a mode: the numbers of a table, by seat, or once if there is only one
    side.

    `so_far` grows until the end: points, the lead over Qin, or fulfilled Requests.
    """

    seats: tuple[int, ...]  # table sizes, in turn
    names: tuple[str, ...]
    numbers: Callable[[State], list[tuple[float, ...]]]
    so_far: Callable[[State], list[float]]
    from_setup: bool = True  # whether the first row is before the deal


def _each(state: State) -> list[tuple[float, ...]]:
    return [outlook.compute_features(state, seat) for seat in range(state.seats)]


def _scores(state: State) -> list[float]:
    return [outlook.score(state, seat) for seat in range(state.seats)]


STUDIES: dict[str, Study] = {
    "standard": Study((2, 3, 3, 4), outlook.FEATURES, _each, _scores, from_setup=False),
    "solo": Study(
        (1,),
        solo.FEATURES,
        lambda state: [solo.compute_features(state)],
        lambda state: [solo.current_lead(state)],
    ),
    "coop": Study(
        (2, 3, 4, 5),
        coop.FEATURES,
        lambda state: [coop.compute_features(state)],
        lambda state: [float(len(state.fulfilled))],
    ),
}
ERROR_PERCENT = 15
"""The percentage of random moves, so that matches vary."""
RIDGE = 5.0
"""Keeps the weights of nearly constant numbers small."""

Row = tuple[tuple[float, ...], float]
"""The numbers of a seat or of a table, and the gain after them."""


PLAYER = mix(ERROR_PERCENT, random_bot, hasty_bot)


def rows(mode: board.Mode, number: int) -> list[Row]:
    """The rows of one match, by Year and seat."""
    study = STUDIES[mode]
    seats, dice = study.seats[number % len(study.seats)], Luck(f"fit {number}")
    state = new_state(GAME, GAME.setup(GAME.options(mode=mode), seats), seats, dice)
    seen: list[tuple[int, tuple[float, ...], float]] = []
    slot = None if study.from_setup else state.slot
    while waiting := seats_to_move(state):
        if state.slot != slot:
            slot = state.slot
            now = zip(study.numbers(state), study.so_far(state), strict=True)
            seen += [(one, numbers, so_far) for one, (numbers, so_far) in enumerate(now)]
        advance(GAME, state, PLAYER(bot_view(GAME, state, waiting[0], dice)), dice)
    totals = study.so_far(state)
    return [(numbers, totals[one] - so_far) for one, numbers, so_far in seen]


def fit(seen: list[Row]) -> list[float]:
    """The weights that best explain the gain, by ridge regression."""
    count = len(seen[0][0])
    moments = [
        [sum(x[i] * x[j] for x, _ in seen) + RIDGE * (i == j > 0) for j in range(count)]
        + [sum(x[i] * y for x, y in seen)]
        for i in range(count)
    ]
    return solve(moments)


def solve(rows: list[list[float]]) -> list[float]:
    """The solution of linear equations, each with its right-hand side at the end."""
    for i in range(len(rows)):
        best = max(range(i, len(rows)), key=lambda row: abs(rows[row][i]))
        rows[i], rows[best] = rows[best], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j, row in enumerate(rows):
            if j != i:
                rows[j] = [a - row[i] * b for a, b in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]


def r_squared(seen: list[Row], weights: list[float]) -> float:
    """The share of the variance that the weights explain."""
    left = [y - sum(w * x for w, x in zip(weights, numbers, strict=True)) for numbers, y in seen]
    return 1 - pvariance(left) / pvariance([y for _, y in seen])


def main() -> None:
    """Play, fit and print the weights in the form of the evaluation."""
    parser = argparse.ArgumentParser(prog="python -m bench.rules.weights", description=__doc__)
    parser.add_argument("--mode", choices=STUDIES, default="standard")
    parser.add_argument("--matches", type=int, default=1_600)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    play = partial(rows, asked.mode)
    with ProcessPoolExecutor(asked.processes, get_context("spawn")) as pool:
        seen = [row for some in pool.map(play, range(asked.matches), chunksize=8) for row in some]
    weights = fit(seen)
    for name, weight in zip(STUDIES[asked.mode].names, weights, strict=True):
        print(f'    "{name}": {weight:.2f},')
    print(f"{len(seen)} rows, {r_squared(seen, weights):.0%} of the variance explained")


if __name__ == "__main__":
    main()
