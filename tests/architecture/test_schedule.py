"""The lists of slow tests, and of tests that share fixtures, name files that exist."""

from __future__ import annotations

from itertools import chain

from tests.conftest import SLOW, TESTS, TOGETHER, WITHOUT_COVERAGE


def test_every_pattern_of_files_names_some() -> None:
    patterns = [*SLOW, *WITHOUT_COVERAGE, *chain.from_iterable(TOGETHER.values())]
    assert [one for one in patterns if not any(TESTS.glob(one))] == []
