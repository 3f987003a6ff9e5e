"""The examples run, and no library warns of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.whole_service import ROOT, running_service

pytestmark = pytest.mark.slow


def run(example: str, *words: str) -> str:
    """What an example prints."""
    said = subprocess.run(
        [sys.executable, "-W", "error", f"examples/{example}", *words],
        cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    return said.stdout


def test_a_game_is_played_in_memory() -> None:
    assert "place 1: seat" in run("play_in_memory.py")


def test_a_bot_of_ones_own_beats_the_weakest() -> None:
    won = run("write_a_bot.py").split()
    assert won[0] == "won"
    assert int(won[1]) >= 5


def test_a_client_plays_a_match(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        assert "place 1" in run("client.py", service.url)


def test_a_client_plays_many_matches_at_once(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        games = ("qin", "chang_cheng", "qin")
        assert "0 still in play" in run("play_many.py", service.url, *games)


def test_no_example_is_forgotten() -> None:
    tested = Path(__file__).read_text()
    assert all(f'"{path.name}"' in tested for path in Path(ROOT, "examples").glob("*.py"))
