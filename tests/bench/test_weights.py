"""Weights of an evaluation, fitted to matches."""

import pytest

from bench.rules.weights import STUDIES, fit, r_squared, rows, solve
from domain.engine.dice import Luck
from domain.engine.game import new_state
from domain.games.great_wall import GAME


def test_equations_are_solved_in_any_order():
    assert solve([[0.0, 2.0, 4.0], [3.0, 1.0, 5.0]]) == pytest.approx([1, 2])


def test_known_weights_are_recovered():
    luck = Luck("weights")
    numbers = [(1.0, float(luck.below(9)), float(luck.below(9))) for _ in range(3_000)]
    seen = [(x, 7 + 2 * x[1] - 3 * x[2]) for x in numbers]
    weights = fit(seen)
    assert weights == pytest.approx([7, 2, -3], abs=0.02)
    assert r_squared(seen, weights) == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize("mode", STUDIES)
def test_rows_have_the_remaining_gain(mode):
    study, seen = STUDIES[mode], rows(mode, 0)
    assert {len(numbers) for numbers, _ in seen} == {len(study.names)}
    assert rows(mode, 0) == seen != rows(mode, len(study.seats))


def test_there_is_a_row_for_each_side():
    dice = Luck("sides")
    for mode, seats, sides in (("standard", 3, 3), ("solo", 1, 1), ("coop", 3, 1)):
        state = new_state(GAME, GAME.setup(GAME.options(mode=mode), seats), seats, dice)
        assert len(STUDIES[mode].numbers(state)) == len(STUDIES[mode].so_far(state)) == sides
