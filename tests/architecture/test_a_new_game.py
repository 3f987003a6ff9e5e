"""`annals new-game` adds a game that passes all checks: docs/how-to/add-a-game.md, from nothing."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.store.store_format import STORE_LEVEL
from tests.architecture.layout import CODE, ROOT
from tests.stored.record import EXPECTED
from workers.host.errors import CannotRun
from workers.tools.new_game import MARK, new_game

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("new game")]
COPIED = (
    *CODE,
    "tests",
    "docs/games",
    "docs/pictures",
    "README.md",
    "pyproject.toml",
    "openapi",
    "openapi.yaml",
)
TYPES = ".mypy_cache"
"""What an earlier run of mypy found in files that the new game does not change."""
KEY = "sixth_game"
ALONE = ("-n0", "-p", "no:cacheprovider")
CHECKS = (
    ("ruff", "format", "--check", "domain/games", f"tests/games/{KEY}"),
    ("ruff", "check", "domain/games", f"tests/games/{KEY}"),
    ("lint-imports", "--no-cache"),
    ("mypy", "--package", f"domain.games.{KEY}"),
    ("vulture",),
    ("deptry", "."),
    ("pytest", "tests/games", "--game", KEY, "-m", "not slow", "--update-replays", *ALONE),
)  # fmt: skip
NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", "build", "var")
STEPS_OF_THE_GUIDE = (
    ("tests/games/test_replays.py", "tests/games/test_rules_versions.py",
     "tests/games/test_golden_texts.py", "--game", KEY, "--update-replays"),
    ("--update-contract", "tests/service/api/test_games_in_contract.py",
     "tests/service/api/test_examples_in_contract.py"
     "::test_the_examples_are_what_the_service_answers"),
    ("tests", "--game", KEY),
    ("--update-tables", "tests/stored/test_formats.py",
     "tests/architecture/test_records_in_docs.py"),
    ("tests/architecture", f"--ignore=tests/architecture/{Path(__file__).name}"),
)  # fmt: skip
"""Tests of a whole checkout, in this order: what `make replays`, `make contract`, `make test` with
the game and `make tables` run, and those of the layout. `make stored` follows, and those that read
what it recorded.
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with a new game."""
    place = tmp_path_factory.mktemp("checkout")
    for name in (*COPIED, *(one for one in (TYPES,) if (ROOT / one).exists())):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, place / name)
    done = CliRunner().invoke(new_game, [KEY, "--into", str(place)], catch_exceptions=False)
    assert done.exit_code == 0
    (place / "said.txt").write_text(done.output)
    return place


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
def test_a_new_game_passes(checkout: Path, check: tuple[str, ...]) -> None:
    done = run(checkout, *check)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_a_whole_checkout_with_a_new_game_passes(tmp_path: Path, subtests: pytest.Subtests) -> None:
    """It has a contract and passes all tests that hold a game against it, and those of the layout:
    some four hundred, in the service and in a browser too.
    """
    place = shutil.copytree(ROOT, tmp_path / "checkout", symlinks=True, ignore=NOT_COPIED)
    done = CliRunner().invoke(new_game, [KEY, "--into", str(place)], catch_exceptions=False)
    assert done.exit_code == 0
    raise_store_level(place)
    for words in STEPS_OF_THE_GUIDE:
        with subtests.test(words[0]):
            done = run(place, "pytest", *words, *ALONE)
            assert done.returncode == 0, done.stdout + done.stderr
    with subtests.test("make stored"):
        name = record_store(place)
        words = ("tests/stored", "-k", f"{name} or not {version('annals')}")
        done = run(place, "pytest", *words, *ALONE)
        assert done.returncode == 0, done.stdout + done.stderr


def record_store(place: Path) -> str:
    """Record a store, which has matches of the new game; return its name, the next free one."""
    folder, release = place / "tests/stored", version("annals")
    names = (f"{release}+{number}" for number in count(2))
    name = next(one for one in names if not (folder / one).exists())
    done = run(place, "python", "-m", "tests.stored.record", name)
    assert done.returncode == 0, done.stdout + done.stderr
    matches = json.loads(gzip.decompress((folder / name / EXPECTED).read_bytes()))
    assert KEY in {one["game"] for one in matches.values()}
    return name


def raise_store_level(place: Path) -> None:
    """The change outside its folders that a new game needs."""
    code, changelog = place / "service/store/store_format.py", place / "CHANGELOG.md"
    level = f"STORE_LEVEL = {STORE_LEVEL}\n"
    assert level in code.read_text()
    code.write_text(code.read_text().replace(level, f"STORE_LEVEL = {STORE_LEVEL + 1}\n"))
    changelog.write_text(f"{changelog.read_text()}\nStores have level {STORE_LEVEL + 1}.\n")


def test_compiled_modules_of_a_deleted_game_are_no_game(checkout: Path, tmp_path: Path) -> None:
    """They stay in its folders when git changes to a branch without the game."""
    copy = shutil.copytree(checkout, tmp_path / "copy", ignore=NOT_COPIED)
    for folder in ("domain/games/rook", "domain/games/rook/rules", "tests/games/rook"):
        (copy / folder / "__pycache__").mkdir(parents=True)
        (copy / folder / "__pycache__/left.cpython-311.pyc").write_bytes(b"\xa7\r")
    done = CliRunner().invoke(new_game, ["rook", "--into", str(copy)], catch_exceptions=False)
    assert done.exit_code == 0
    assert (copy / "domain/games/rook/RULES.md").is_file()
    assert "pyc" not in done.output


def test_a_row_with_the_judge_of_another_move_is_found(checkout: Path) -> None:
    table = checkout / f"domain/games/{KEY}/rules/answers.py"
    text = table.read_text()
    table.write_text(text.replace("challenges.check_counter", "challenges.check_challenge"))
    done = run(checkout, "mypy", "--package", f"domain.games.{KEY}")
    table.write_text(text)
    assert "answers.py" in done.stdout
    assert 'Argument 4 to "Answer" has incompatible type' in done.stdout


def test_a_new_game_can_be_played(checkout: Path) -> None:
    """With the first version of its rules."""
    code = f"from domain.games import GAMES; print(GAMES['{KEY}'].title, GAMES['{KEY}'].rules)"
    done = run(checkout, "python", "-c", code)
    assert done.stdout == "Sixth Game 1\n", done.stderr


def test_nothing_in_it_names_the_toy(checkout: Path) -> None:
    for path in (*checkout.glob(f"*/games/{KEY}/**/*"), checkout / f"docs/games/{KEY}.md"):
        if path.is_file() and path.suffix != ".pyc":
            assert "toy" not in path.read_text().replace(MARK, "").lower(), path


def test_the_command_lists_every_file_to_fill_in(checkout: Path) -> None:
    said = (checkout / "said.txt").read_text()
    marked = [path for path in checkout.glob(f"*/games/{KEY}/**/*.py") if MARK in path.read_text()]
    data = [*checkout.glob(f"domain/games/{KEY}/*.json"), checkout / f"docs/games/{KEY}.md"]
    assert marked
    for path in (*marked, *data):
        assert f"\n  {path.relative_to(checkout)}: " in said, path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Rook"], "'Rook' cannot be a key: use lower-case words joined by _"),
        (["class"], "'class' cannot be a key"),
        ([KEY], f"There is a game '{KEY}' already: choose another key."),
        (["toy"], "There is a game 'toy' already"),
        *(([key], "Names of the contract begin with ") for key in ("match", "an", "core")),
        (["rook", "--title", 'The "Rook"'], "cannot be a title"),
        (["rook", "--title", "q" * 41], "cannot be a title"),
        (["a" * 41], "cannot be a key"),
        (["rook", "--title", "chang  cheng"], "There is a game 'chang  cheng' already"),
        (["rook", "--title", "Qin"], "There is a game 'Qin' already: choose another --title."),
        (["rook", "--prefix", "R"], "'R' cannot begin rule numbers"),
        (["rook", "--prefix", "QIN"], "Rule numbers of qin begin with QIN"),
        (["rook", "--into", "/"], "/ is no checkout of Annals: it has no tests/engine/toy."),
    ],
)
def test_a_bad_name_or_folder_is_refused(checkout: Path, arguments: list[str], said: str) -> None:
    before = sorted(checkout.rglob("*"))
    with pytest.raises(CannotRun, match=re.escape(said)):
        new_game.main(["--into", str(checkout), *arguments], standalone_mode=False)
    assert sorted(checkout.rglob("*")) == before
