"""The README and the demonstration work as written, on a running service."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest

from domain.engine.game import Game
from domain.games import GAMES
from tests.support.patience import PATIENCE_S
from tests.support.whole_service import ROOT, Service
from workers.cli import commands

TERMINAL = 80
MAX_LINES = 62
README = (ROOT / "README.md").read_text()
COMMANDS = (ROOT / "docs/commands.md").read_text()
ONE_NOW = [pytest.param(game, marks=[pytest.mark.long] * (game != "qin")) for game in GAMES]
"""The other games play the same demonstration in tests/workers/tools/test_demo.py."""
TESTED_BLOCK = re.compile(r"<!-- test[^>]*-->\n```sh\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("time", ["the first time", "a second time"])
def test_the_commands_of_the_readme_play_a_match(
    service: Service, time: str, tmp_path: Path
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    [script] = TESTED_BLOCK.findall(README)
    said = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script.replace("http://127.0.0.1:8000", service.url)],
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert "place 1" in said.stdout
    listed = json.loads((tmp_path / "games.json").read_text())["games"]
    assert [game["key"] for game in listed] == list(GAMES)


def test_the_readme_fits_on_one_screen() -> None:
    assert len(README.splitlines()) <= MAX_LINES


def test_the_readme_names_both_targets() -> None:
    listed = subprocess.run(
        ["make", "help"], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
    ).stdout
    for command in ("run", "demo"):
        assert re.search(rf"^\s*(make )?{command}\b", listed, re.MULTILINE), listed
        assert f"make {command}" in README


def test_the_reference_of_commands_names_each_and_no_other() -> None:
    named = set(re.findall(r"^\| `annals ([a-z-]+)", COMMANDS, re.MULTILINE))
    assert named == set(commands.list_commands(click.Context(commands)))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_readme_has_a_row_for_each_game(game: Game[Any]) -> None:
    [row] = re.findall(rf"^\| {re.escape(game.title)} \| (.+?) \|", README, re.MULTILINE)
    assert row.startswith(f"{game.seats[0]}-{game.seats[-1]}")


@pytest.mark.parametrize("game", ONE_NOW)
def test_the_demonstration_plays_a_match_to_its_scored_end(service: Service, game: str) -> None:
    said = service.command("demo", "--game", game)
    assert said.returncode == 0, said.stderr
    assert max(map(len, said.stdout.splitlines())) <= TERMINAL
    assert "Game over" in said.stdout
    match = re.search(r"annals replay (\w+)", said.stdout)
    assert match
    received = service.command("replay", match[1]).stdout
    assert "Created" in received
    assert "Scored" in received
    assert service.call("GET", f"/v1/matches/{match[1]}")[1]["status"] == "scored"


def test_the_documents_name_no_path_of_a_machine() -> None:
    pages = [*Path(ROOT, "docs").rglob("*.md"), *ROOT.glob("*.md")]
    assert not [page for page in pages if re.search(r"/(home|work|root)/", page.read_text())]
