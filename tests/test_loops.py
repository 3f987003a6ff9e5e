"""No fixture keeps an event loop running for longer than its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.inner_run import run_pytest

LEFT = """
import asyncio
import pytest

@pytest.fixture(scope={scope!r})
def driver():
    asyncio._set_running_loop(loop := asyncio.new_event_loop())
    yield
    asyncio._set_running_loop(None)
    loop.close()

def test_one(driver): ...
def test_two(driver): ...
"""
NEXT = "def test_three(): ..."


@pytest.mark.parametrize(("scope", "failing"), [("module", []), ("session", ["test_first.py"])])
def test_a_loop_that_outlives_its_folder_is_found(
    tmp_path: Path, scope: str, failing: list[str]
) -> None:
    (tmp_path / "test_first.py").write_text(LEFT.format(scope=scope))
    (tmp_path / "then").mkdir()
    (tmp_path / "then/test_second.py").write_text(NEXT)
    done = run_pytest(tmp_path, "-p", "tests.support.loops", "-c", "/dev/null")
    assert [name for name in failing if f"{name} leaves a loop behind" in done.stdout] == failing
    assert (done.returncode == 0) == (not failing), done.stdout
    assert "3 passed" in done.stdout
