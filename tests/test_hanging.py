"""A test that hangs says where, also if tests before it started the timer or failed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_S
from tests.support.whole_service import ROOT

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
    environ = {name: value for name, value in os.environ.items() if "XDIST" not in name}
    with (tmp_path / "errors").open("w") as errors:
        said = subprocess.run(
            [
                sys.executable, "-m", "pytest", "-q", "-p", "tests.support.hanging",
                "-p", "no:cacheprovider",
            ],
            cwd=tmp_path, env=environ | {"PYTHONPATH": str(ROOT)}, timeout=PATIENCE_S,
            stdout=subprocess.PIPE, stderr=errors, text=True, check=False,
        ).stdout  # fmt: skip
    assert ("2 passed" if passes else "1 failed, 1 passed") in said
