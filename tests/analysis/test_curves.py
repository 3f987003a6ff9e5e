"""Curves from evaluations to chances: their forecasts, and how to fit them."""

from __future__ import annotations

from itertools import pairwise
from math import exp, log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.analysis.fitting import Sample, Snapshot, bins_of, fit, log_loss, predict, solve
from domain.engine.resources.win_probability import (
    DEFAULT,
    Calibration,
    Curve,
    against_the_game,
    read,
    softmax,
)
from domain.games import GAMES
from tests.engine.toy import GAME as TOY
from workers.tools.bots.calibrate import modes_of

MATCHES = [600, pytest.param(3_000, marks=pytest.mark.long)]
"""How many matches a curve is fitted to; more of them bring it nearer."""
VALUES = st.lists(st.floats(-2_000, 2_000), min_size=2, max_size=5)
KEPT = {"chang_cheng", "great_wall", "hansa_teutonica", "qin", "tigris_euphrates"}
FITTED = [
    pytest.param(game, mode, seats, id="-".join((game.key, *([mode] if mode else ()), str(seats))))
    for game in GAMES.values()
    if game.key in KEPT or game.resources.calibration.seats
    for mode, counts in modes_of(game).items()
    for seats in counts
]


@given(VALUES, st.integers(0, 10_000), st.floats(0, 2), st.floats(-1, 1))
def test_chances_are_shares_of_one_and_never_fall_with_the_evaluation(
    values, decided, slope, growth
):
    told = Curve(slope, growth, usual_decisions=100).chances(values, decided)
    assert sum(told) == pytest.approx(1)
    assert all(0 <= chance <= 1 for chance in told)
    ordered = [chance for _, chance in sorted(zip(values, told, strict=True))]
    assert all(one <= other + 1e-12 for one, other in pairwise(ordered))


def test_with_two_seats_it_is_the_logistic_curve_of_the_lead():
    assert Curve(0.5).chances((3.0, 1.0), 0)[0] == pytest.approx(1 / (1 + 2.718281828459045**-1))


def test_a_lead_counts_more_the_later_it_is():
    curve = Curve(0.1, 0.1, usual_decisions=10)
    told = [round(curve.chances((5, 0), decided)[0], 3) for decided in (0, 5, 10)]
    assert told == [0.622, 0.679, 0.731]
    assert curve.chances((5, 0), 15) == curve.chances((5, 0), 1_000)


def test_a_game_without_a_fit_has_the_default():
    assert TOY.resources.calibration == Calibration()
    assert TOY.resources.calibration.curve(3) is DEFAULT
    assert read("tests.engine.toy") == Calibration()
    assert DEFAULT.matches == 0
    assert DEFAULT.chances((7, 0), 0)[0] == pytest.approx(2 / 3, abs=0.01)


def by(curve: Curve, matches: int, seats: int = 3, seed: int = 1) -> list[Sample]:
    """Matches whose winners are drawn by this curve."""
    chance, samples = Random(seed), []
    for number in range(matches):
        decisions = chance.randrange(80, 120)
        decided = chance.randrange(decisions)
        values = tuple(chance.gauss(0, 10) for _ in range(seats))
        [winner] = chance.choices(range(seats), curve.chances(values, decided))
        shares = tuple(float(seat == winner) for seat in range(seats))
        samples.append(
            Sample("by chance", "", seats, number, decisions, shares, (Snapshot(decided, values),))
        )
    return samples


@pytest.mark.parametrize("matches", MATCHES)
def test_a_fit_finds_the_curve_that_decided(matches):
    truth, near = Curve(0.05, 0.15, usual_decisions=100), sqrt(1_000 / matches)
    found = fit(by(truth, matches))
    assert found.slope == pytest.approx(truth.slope, abs=0.02 * near)
    assert found.growth == pytest.approx(truth.growth, abs=0.04 * near)
    assert found.usual_decisions == pytest.approx(100, abs=1)
    assert found.matches == matches
    fresh = by(truth, 1_000, seed=2)
    best = log_loss(list(predict(truth, fresh)))
    assert log_loss(list(predict(found, fresh))) == pytest.approx(best, abs=0.01 * near)
    assert found.log_loss == pytest.approx(best, abs=0.05)
    assert found.uniform_log_loss == pytest.approx(log(3))


@pytest.mark.parametrize("matches", [1_000, *MATCHES[1:]])
def test_a_table_that_plays_together_may_have_an_edge(matches):
    near = sqrt(1_000 / matches)
    truth = Curve(0.1, usual_decisions=100, edge=1.5, edge_growth=-1.0)
    assert truth.chance_of_table((0.0,), 0) == pytest.approx(1 / (1 + exp(-1.5)))
    assert truth.chance_of_table((0.0,), 100) == pytest.approx(1 / (1 + exp(-0.5)))
    samples = by(truth, matches, seats=2)
    found = fit(samples, cooperative=True)
    assert found.edge == pytest.approx(truth.edge, abs=0.3 * near)
    assert found.edge_growth == pytest.approx(truth.edge_growth, abs=0.5)
    assert found.slope == pytest.approx(truth.slope, abs=0.02 * near)
    without = fit(samples)
    assert (without.edge, without.edge_growth) == (0.0, 0.0)
    assert found.log_loss < without.log_loss


def test_where_evaluations_say_nothing_all_seats_are_alike():
    found = fit(by(Curve(0.0), 1_000))
    assert found.log_loss == pytest.approx(log(3), abs=0.02)
    assert found.chances((10.0, 0.0, -10.0), 50) == pytest.approx((1 / 3,) * 3, abs=0.08)


def test_a_fit_gives_the_same_again_and_needs_two_matches():
    samples = by(Curve(0.1), 40)
    assert fit(samples) == fit(samples)
    with pytest.raises(ValueError, match="two matches"):
        fit(samples[:1])


def test_two_matches_that_agree_make_no_curve_infinite():
    samples = [
        Sample("agreeing", "", 2, n, 9, (1.0, 0.0), (Snapshot(0, (1.0, -1.0)),)) for n in range(2)
    ]
    assert 0 < fit(samples).chances((1.0, -1.0), 0)[0] <= 1


def test_linear_equations_are_solved_with_pivots():
    assert solve([[0.0, 2.0], [4.0, 1.0]], [6.0, 7.0]) == pytest.approx([1.0, 3.0])


def test_softmax_of_huge_numbers_is_no_overflow():
    assert softmax([10_000.0, 0.0]) == (1.0, 0.0)


def test_bins_have_the_forecast_and_the_outcome():
    told = list(predict(Curve(0.0), by(Curve(0.0), 200)))
    [only] = bins_of(told)
    assert (only.count, only.predicted, only.observed) == (
        600,
        pytest.approx(1 / 3),
        pytest.approx(1 / 3),
    )


@pytest.mark.parametrize(("game", "mode", "seats"), FITTED)
def test_the_curve_of_a_game_foretells_better_than_chance_and_is_calibrated(game, mode, seats):
    calibration = game.resources.calibration
    assert calibration.rules == game.rules, f"Run `annals calibrate {game.key}`: the rules changed."
    assert calibration.levels == tuple(level.key for level in game.levels if not level.deep)
    curve = calibration.by_mode[mode][seats]
    sides = len(against_the_game((0.0,))) if game.is_cooperative_mode(mode) else seats
    assert curve.slope > 0
    assert curve.slope + 1.5 * curve.growth > 0
    assert curve.log_loss < 0.95 * curve.uniform_log_loss
    assert curve.uniform_log_loss == pytest.approx(log(sides))
    states = sum(one.count for one in curve.bins)
    assert sum(one.count * one.observed for one in curve.bins) == pytest.approx(states / sides)
    off = sum(one.count * abs(one.predicted - one.observed) for one in curve.bins) / states
    assert off < 0.06, "what is said in the mean, in matches that the curve had not seen, comes"
