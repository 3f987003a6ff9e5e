"""Draw mutants of a game's rules and list those that the game's tests do not catch.

The tests of single rules run first; the survivors then meet whole games, recorded and random. The
copy under build/mutants stays there for `mutmut browse` until the next run.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from domain.games import GAMES

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
NOT_COPIED = {"build", "dist", "var"}
NOT_RULES = ("bot", "render")  # they hold no rules
WHOLE_GAMES = ("match", "play", "properties")
SETTINGS = """
[tool.mutmut]
source_paths = ["domain"]
only_mutate = ["domain/games/{game}/rules/*", "domain/games/{game}/scoring.py"]
also_copy = {others}
pytest_add_cli_args = {options}
pytest_add_cli_args_test_selection = {tests}
timeout_multiplier = 3.0
timeout_constant = 5.0
track_dependencies = false
use_git_change_detection = false
"""


@click.command()
@click.option("--game", type=click.Choice(sorted(GAMES)), required=True)
@click.option("--sample", default=150, show_default=True, help="How many mutants to draw.")
@click.option("--seed", default=1, show_default=True, help="Another seed draws others.")
@click.option("--jobs", default=1, show_default=True, help="Mutants tried at the same time.")
def main(game: str, sample: int, seed: int, jobs: int) -> None:
    """Print each survivor as a diff, and at the end the score."""
    place = copy_project(game)
    select(place, game, examples(game))
    every = tool(place, "names").split()
    drawn = sorted(random.Random(seed).sample(every, min(sample, len(every))))
    click.echo(f"{game}: {len(drawn)} of {len(every)} mutants, seed {seed}; first the examples")
    left = survivors(place, drawn, jobs)
    by_examples = len(drawn) - len(left)
    if left:
        click.echo(f"The examples missed {len(left)}: {' '.join(left)}\nNow whole games")
        select(place, game, whole_games(game))
        left = survivors(place, left, jobs)
    for name in left:
        click.echo(tool(place, "show", name))
    killed = len(drawn) - len(left)
    click.echo(
        f"{game}: {killed} of {len(drawn)} mutants killed ({killed / len(drawn):.1%}),"
        f" {by_examples} by examples, {killed - by_examples} by whole games; {len(left)} survived"
    )


def copy_project(game: str) -> Path:
    """Copy the project without its build outputs."""
    place = ROOT / "build" / "mutants" / game
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for original in ROOT.iterdir():
        if original.name[0] != "." and original.name not in NOT_COPIED:
            copy = shutil.copytree if original.is_dir() else shutil.copy
            copy(original, place / original.name)
    return place


def examples(game: str) -> list[str]:
    """The test files that show rules one by one."""
    other = {f"test_{name}.py" for name in NOT_RULES + WHOLE_GAMES}
    files = sorted((ROOT / "tests" / "games" / game).glob("test_*.py"))
    return [str(file.relative_to(ROOT)) for file in files if file.name not in other]


def whole_games(game: str) -> list[str]:
    """The test files that play games to their end, and the recorded games."""
    games = ROOT / "tests" / "games"
    own = [games / game / f"test_{name}.py" for name in WHOLE_GAMES]
    files = [*filter(Path.exists, own), games / "test_replays.py"]
    return [*(str(file.relative_to(ROOT)) for file in files), "--game", game]


def select(place: Path, game: str, tests: Sequence[str]) -> None:
    """Configure mutmut to run these tests."""
    others = [path.name for path in place.iterdir() if path.name not in {"domain", "mutants"}]
    settings = SETTINGS.format(
        game=game,
        tests=json.dumps(tests),
        others=json.dumps(others),
        options=json.dumps(["--hypothesis-seed=0", "-p", "no:cacheprovider"]),
    )
    (place / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text() + settings)
    (place / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)


def survivors(place: Path, drawn: Sequence[str], jobs: int) -> list[str]:
    """Try these mutants and return those that no test caught."""
    command = [sys.executable, str(HERE / "tool.py"), "run", "--max-children", str(jobs), *drawn]
    subprocess.run(command, cwd=place, check=True)
    lines = tool(place, "results", "--all", "true").splitlines()
    verdicts = dict(line.strip().split(": ", 1) for line in lines if ": " in line)
    return [name for name in drawn if verdicts[name] not in {"killed", "timeout"}]


def tool(place: Path, *words: str) -> str:
    """The output of a mutmut command."""
    command = [sys.executable, str(HERE / "tool.py"), *words]
    return subprocess.run(command, cwd=place, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
