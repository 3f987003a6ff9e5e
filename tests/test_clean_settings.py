"""The settings of the shell, and of the checkout's own service, change no test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from service.runtime.config.fields import SETTINGS
from tests.support.whole_service import ROOT

PROGRAM = """
import os
from service.runtime.settings import read_settings

def forgotten():
    print([name for name in os.environ if "ANNALS" in name or "REDIS_URL" in name])
    print(read_settings(os.environ).port)

shell = dict(os.environ)
import tests.conftest
forgotten()
import tests.stored.record
os.environ.update(shell)
os.chdir("elsewhere")
tests.stored.record.main("0.4.0")
forgotten()
"""


@pytest.mark.slow
def test_settings_of_the_shell_and_the_checkout_are_forgotten(tmp_path: Path) -> None:
    """As the tests begin, and as a version is recorded."""
    shell = {one.name: "no such value" for one in SETTINGS.values()}
    for folder in (tmp_path, tmp_path / "elsewhere"):
        (folder / "var").mkdir(parents=True)
        (folder / "var" / "annals.conf").write_text("ANNALS_PORT=9\n")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**shell, "_ANNALS_RUN": "x", "ANNALS_DISCORD_TOKEN_FILE": "/none",
             "PYTHONPATH": str(ROOT)},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.stdout.splitlines() == ["[]", "8000"] * 2, ran.stderr
