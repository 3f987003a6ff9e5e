"""The examples of properties do not depend on what a process has imported."""

from __future__ import annotations

from hypothesis import settings
from hypothesis.internal.conjecture.providers import HypothesisProvider

from tests.support.examples import USUAL


def test_no_constants_of_the_code_are_drawn() -> None:
    """`make test-long` draws them."""
    are_drawn = len(HypothesisProvider(None)._local_constants) > 0
    assert are_drawn == (settings.get_current_profile_name() != USUAL)
