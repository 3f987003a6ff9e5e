"""Runs pytest on a few tests that a test has written, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

from tests.support.patience import PATIENCE_S
from tests.support.whole_service import ROOT


def run_pytest(
    folder: Path, *words: str, stderr: int | IO[str] = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Run the tests in a folder; `words` are more arguments, and the output is text.

    Only the plugins that are named with `-p` are loaded: to import the others takes longer than
    such a run.
    """
    environ = {name: value for name, value in os.environ.items() if "XDIST" not in name}
    environ |= {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words],
        cwd=folder, env=environ, timeout=PATIENCE_S, check=False, text=True,
        stdout=subprocess.PIPE, stderr=stderr,
    )  # fmt: skip
