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
import {module}
from service.runtime.settings import read_settings
{call}
print([name for name in os.environ if "ANNALS" in name or "REDIS_URL" in name])
print(read_settings(os.environ).port)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "call"),
    [("tests.conftest", ""), ("tests.stored.record", "tests.stored.record.main('0.4.0')")],
)
def test_settings_of_the_shell_and_the_checkout_are_forgotten(
    module: str, call: str, tmp_path: Path
) -> None:
    shell = {one.name: "no such value" for one in SETTINGS.values()}
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "annals.conf").write_text("ANNALS_PORT=9\n")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(module=module, call=call)],
        env={**shell, "_ANNALS_RUN": "x", "ANNALS_DISCORD_TOKEN_FILE": "/none",
             "PYTHONPATH": str(ROOT)},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.stdout.splitlines() == ["[]", "8000"], ran.stderr
