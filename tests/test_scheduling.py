"""A process that dies while it runs tests costs one test, and no other process waits for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.patience import PATIENCE_S
from tests.support.whole_service import ROOT

TESTS = """
import os, signal
import pytest

@pytest.mark.parametrize("number", range(200))
def test_alone(number):
    pass

@pytest.mark.parametrize("number", range(20))
@pytest.mark.xdist_group("together")
def test_together(number):
    if number == 10:
        os.kill(os.getpid(), signal.SIGKILL)

@pytest.mark.parametrize("number", range(200))
def test_alone_later(number):
    pass
"""


def test_the_others_run_what_is_left_and_no_test_twice(tmp_path: Path) -> None:
    (tmp_path / "test_all.py").write_text(TESTS)
    environ = {name: value for name, value in os.environ.items() if "XDIST" not in name}
    said = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup",
            "--no-loadscope-reorder", "-p", "tests.support.scheduling", "-p", "no:cacheprovider",
        ],
        cwd=tmp_path, env=environ | {"PYTHONPATH": str(ROOT)}, timeout=PATIENCE_S,
        capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    assert "crashed while running 'test_all.py::test_together[10]" in said
    assert "1 failed, 419 passed" in said
