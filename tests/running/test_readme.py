"""The README and the demonstration do what they say, on a service that runs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from domain.games import GAMES
from tests.support.patience import PATIENCE_S
from tests.support.whole_service import ROOT, Service
from workers.cli import commands

TERMINAL = 80
README = (ROOT / "README.md").read_text()
TESTED = re.compile(r"<!-- test[^>]*-->\n```sh\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("time", ["the first time", "and again"])
def test_the_commands_of_the_readme_play_a_move(service: Service, time: str) -> None:
    [script] = TESTED.findall(README)
    said = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script.replace("http://127.0.0.1:8000", service.url)],
        capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert '"kind":"Moved"' in said.stdout
    assert "Qin, Bird board" in said.stdout


def test_the_readme_names_every_command_and_target() -> None:
    listed = subprocess.run(
        ["make", "help"], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
    ).stdout
    for command in ("run", "demo"):
        assert re.search(rf"^\s*(make )?{command}\b", listed, re.MULTILINE), listed
        assert f"make {command}" in README
    parts = {
        "web",
        "projector",
        "worker",
        "deliveries",
        "analyst",
        "notary",
        "answers",
        "metrics",
    }  # of `annals run`, told in its line
    assert parts < commands.commands.keys()
    for command in commands.commands:
        assert (f"`{command}`" if command in parts - {"web"} else f"`annals {command}") in README


@pytest.mark.parametrize("game", GAMES)
def test_the_demonstration_plays_a_match_to_its_scored_end(service: Service, game: str) -> None:
    said = service.command("demo", "--game", game)
    assert said.returncode == 0, said.stderr
    assert max(map(len, said.stdout.splitlines())) <= TERMINAL
    assert "The end:" in said.stdout
    match = re.search(r"annals replay (\w+)", said.stdout)
    assert match
    told = service.command("replay", match[1]).stdout
    assert "Created" in told
    assert "Scored" in told
    assert service.call("GET", f"/v1/matches/{match[1]}")[1]["status"] == "scored"


def test_the_documents_name_no_path_of_a_machine() -> None:
    pages = [*Path(ROOT, "docs").rglob("*.md"), *ROOT.glob("*.md")]
    assert not [page for page in pages if re.search(r"/(home|work|root)/", page.read_text())]
