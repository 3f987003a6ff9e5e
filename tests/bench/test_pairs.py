"""Two checkouts in turns: what is said of them."""

import pytest

from bench.compare.pairs import ratios


def test_ours_is_told_as_a_ratio_to_the_other_with_its_spread():
    pairs = [({"moves": 100.0}, {"moves": 200.0}), ({"moves": 50.0}, {"moves": 25.0})]
    [(name, ratio)] = ratios(pairs)
    assert name == "moves"
    assert ratio.middle == pytest.approx(1)  # twice as much, and half as much
    assert (ratio.least, ratio.greatest) == (0.5, 2)
    assert (ratio.other, ratio.ours) == pytest.approx((5000**0.5, 5000**0.5))


def test_what_only_one_has_is_left_out():
    assert dict(ratios([({"web": 1.0, "queue": 0.0}, {"queue": 2.0, "painter": 1.0})])) == {}
