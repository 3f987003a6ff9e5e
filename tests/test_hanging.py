"""A test that hangs says where, also if tests before it started the timer or failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.inner_run import run_pytest

TESTS = """
from pathlib import Path
from time import sleep
from tests.support import hanging

hanging.TIMEOUT_S = 0.5
hanging.MIN_INTERVAL_S = {interval}

def test_before():
    assert {passes}

def test_hangs():
    while "most recent call first" not in Path("errors").read_text():
        sleep(0.05)
"""


@pytest.mark.parametrize(("interval", "passes"), [(0, True), (3600, True), (3600, False)])
def test_a_test_that_hangs_says_where(tmp_path: Path, interval: int, passes: bool) -> None:
    """It hangs until it has. The timer is long enough to find the test asleep: Python can crash
    when it writes where a thread is that runs.
    """
    (tmp_path / "test_some.py").write_text(TESTS.format(interval=interval, passes=passes))
    with (tmp_path / "errors").open("w") as errors:
        said = run_pytest(tmp_path, "-q", "-p", "tests.support.hanging", stderr=errors).stdout
    assert ("2 passed" if passes else "1 failed, 1 passed") in said
