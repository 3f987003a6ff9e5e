"""Ratios of two checkouts."""

import pytest

from bench.compare.pairs import ratios


def test_ratios_have_a_mean_and_a_range():
    pairs = [({"moves": 100.0}, {"moves": 200.0}), ({"moves": 50.0}, {"moves": 25.0})]
    [(name, ratio)] = ratios(pairs)
    assert name == "moves"
    assert ratio.mean == pytest.approx(1)  # twice and half as much
    assert (ratio.smallest, ratio.largest) == (0.5, 2)
    assert (ratio.other, ratio.ours) == pytest.approx((5000**0.5, 5000**0.5))


def test_figures_of_only_one_checkout_are_left_out():
    assert dict(ratios([({"web": 1.0, "queue": 0.0}, {"queue": 2.0, "painter": 1.0})])) == {}
