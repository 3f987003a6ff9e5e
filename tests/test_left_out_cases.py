"""A run has the cases that it wants: none that it leaves out, and all others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import WITH_FOLDER, speaks_of_games
from tests.support.inner_run import run_pytest

TESTS = """
import pytest

LONG, SLOW = pytest.mark.long, pytest.mark.slow
CASES = [pytest.param(0, marks=LONG), pytest.param(1, marks=SLOW), 2, 3, 4]

@pytest.mark.parametrize("case", CASES)
def test_some(case): pass

@pytest.mark.parametrize("other", [7, pytest.param(8, marks=LONG)])
@pytest.mark.parametrize("case", CASES)
def test_products(case, other): pass

@pytest.fixture(params=CASES)
def case(request): return request.param

def test_of_a_fixture(case): pass

@LONG
@pytest.mark.parametrize("case", [1, 2])
def test_long(case): pass

@pytest.mark.parametrize("case", [pytest.param(1, marks=LONG)])
def test_all_long(case): pass

@SLOW
def test_slow(): pass

def test_alone(): pass
"""


def test_a_cross_section_has_the_first_and_the_last_of_the_fast_cases(tmp_path: Path) -> None:
    (tmp_path / "test_all.py").write_text(TESTS)
    said = run_pytest(
        tmp_path, "--quick", "-rA", "-p", "xdist.plugin", "-p", "tests.conftest"
    ).stdout
    assert re.findall(r"^PASSED test_all.py::(\S+)", said, re.MULTILINE) == [
        "test_some[2]",
        "test_some[4]",
        "test_products[2-7]",
        "test_products[4-7]",
        "test_of_a_fixture[2]",
        "test_of_a_fixture[4]",
        "test_alone",
    ]
    assert " failed" not in said


def test_a_file_with_cases_of_a_game_speaks_of_games(request: pytest.FixtureRequest) -> None:
    """A run for one game does not import the others."""
    for item in request.session.items:
        called = getattr(item, "callspec", None)
        if called and not {*called.id.split("-")}.isdisjoint(WITH_FOLDER):
            assert speaks_of_games(item.path), item.nodeid
