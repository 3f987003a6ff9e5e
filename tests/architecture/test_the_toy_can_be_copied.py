"""The toy is the pattern for new games: a copy of it passes all checks of games."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.layout import ROOT, TOY

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("copied")]
IMPORT = "from domain.games import "
CHECKS = (
    ("ruff", "format", "--check", "domain/games"),
    ("ruff", "check", "domain/games"),
    ("lint-imports", "--no-cache"),
    ("mypy", "--package", "domain.games.toy"),
    ("vulture",),
    ("deptry", "."),
)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with the toy among its games: one folder and one line."""
    place = tmp_path_factory.mktemp("project")
    for name in ("domain", "projections", "service", "workers"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", place)
    toy = place / "domain/games/toy"
    shutil.copytree(TOY, toy, ignore=shutil.ignore_patterns("__pycache__"))
    for path in toy.rglob("*.py"):
        path.write_text(path.read_text().replace("tests.engine.toy", "domain.games.toy"))
    games = place / "domain/games/__init__.py"
    games.write_text(with_toy(games.read_text()))
    run(place, "ruff", "check", "--fix", "--select", "I", str(games))
    run(place, "ruff", "format", str(games))
    return place


def with_toy(text: str) -> str:
    """The list of games with the toy; another step sorts the imports."""
    text = text.replace(IMPORT, f"{IMPORT}toy\n{IMPORT}", 1)
    return text.removesuffix("}\n") + '    "toy": toy.GAME,\n}\n'


def run(place: Path, tool: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of this environment in another folder."""
    program = Path(sys.executable).with_name(tool)
    return subprocess.run(
        [program, *args], cwd=place, env=drop_coverage(), capture_output=True, text=True
    )


def drop_coverage() -> dict[str, str]:
    """Our environment without variables of the coverage tool, since a copy is not the project."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COV")}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: " ".join(check[:2]))
def test_the_toy_in_its_place_passes(copied: Path, check: tuple[str, ...]) -> None:
    done = run(copied, *check)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_row_with_the_judge_of_another_move_is_found(copied: Path) -> None:
    table = copied / "domain/games/toy/rules/answers.py"
    text = table.read_text()
    table.write_text(text.replace("challenges.check_counter", "challenges.check_challenge"))
    done = run(copied, "mypy", "--package", "domain.games.toy")
    table.write_text(text)
    assert "answers.py" in done.stdout
    assert 'Argument 4 to "Answer" has incompatible type' in done.stdout


def test_the_toy_in_its_place_can_be_played(copied: Path) -> None:
    code = "from domain.games import GAMES; print(GAMES['toy'].title)"
    done = run(copied, "python", "-c", code)
    assert done.stdout == "Toy\n", done.stderr
