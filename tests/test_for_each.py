"""A test of many cases looks at each, and says in which it failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.for_each import for_each
from tests.support.inner_run import run_pytest

TESTS = """
import pytest
from tests.support.for_each import for_each

SEEN = []

@pytest.fixture
def tens():
    return 10

@for_each("one", [1, pytest.param(2, id="two")])
@for_each(("other", "more"), [(3, 4), (5, 6)])
def test_products(one, other, more, tens):
    SEEN.append((one, other, more, tens))

def test_all_were_seen():
    assert SEEN == [(1, 3, 4, 10), (1, 5, 6, 10), (2, 3, 4, 10), (2, 5, 6, 10)]

@for_each("number", [1, 2, 3])
def test_numbers(number):
    assert number != 2

@for_each("number", [1, pytest.param(2, id="a pair")])
def test_names(number):
    assert number != 2
"""


def test_each_case_runs_and_one_that_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_all.py").write_text(TESTS)
    said = run_pytest(tmp_path, "-q").stdout
    assert "2 failed, 2 passed" in said
    assert "in the case {'number': 2}" in said
    assert "in the case a pair" in said


def test_a_test_has_cases_and_takes_them() -> None:
    with pytest.raises(ValueError, match="would check nothing"):
        for_each("number", [])
    with pytest.raises(ValueError, match="no marks"):
        for_each("number", [pytest.param(1, marks=pytest.mark.long)])
    with pytest.raises(TypeError, match="does not take"):
        for_each("number", [1])(test_a_test_has_cases_and_takes_them)
