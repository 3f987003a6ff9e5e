"""All games have the same layout, described in docs/engine.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games import GAMES
from tests.architecture.layout import ROOT, TOY

FOLDERS = [ROOT / "domain/games" / key for key in GAMES]
EVERY = pytest.mark.parametrize("folder", [*FOLDERS, TOY], ids=lambda folder: folder.name)
ROOMS = (
    "RULES.md",
    "AID.md",
    "TURN.md",
    "fields.json",
    "tips.json",
    "__init__.py",
    "board.py",
    "state/setup.py",
    "state/steps.py",
    "state/table.py",
    "moves.py",
    "scoring.py",
    "rules/answers.py",
    "view.py",
    "touch.py",
    "sayings.py",
    "texts/en.json",
    "render/sentences.py",
    "render/plain.py",
    "render/picture.py",
)
FILE_OR_FOLDER = ("events", "bot")
MAX_CHECK_LINES = 50
"""The lines of a screen."""
MAX_NAMES = 12
"""More names in an import are a list of what a module has."""


@EVERY
def test_the_check_of_positions_fits_on_a_screen(folder):
    """The rest is said by the types of the position."""
    lines = (folder / "rules/start.py").read_text().splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith("def check_position"))
    assert len(lines) - begin <= MAX_CHECK_LINES


@EVERY
def test_each_thing_has_its_place(folder):
    assert [room for room in ROOMS if not (folder / room).is_file()] == []
    for name in FILE_OR_FOLDER:
        assert (folder / f"{name}.py").is_file() != (folder / name / "__init__.py").is_file()
    assert (folder / "bot.py").is_file() or (folder / "bot/levels.py").is_file()


@EVERY
def test_a_name_stands_for_one_file_of_a_game(folder):
    """A game whose positions have the fields of its state needs no `position.py`."""
    for name in ("answers", "sentences", "setup", "steps", "table"):
        assert len(list(folder.rglob(f"{name}.py"))) == 1, name
    assert list(folder.rglob("position.py")) in ([], [folder / "state/position.py"])


@EVERY
def test_folders_hand_nothing_on(folder):
    """Import a name from the module that defines it."""
    inner = [path for path in folder.rglob("__init__.py") if path.parent != folder]
    for path in inner:
        assert len(ast.parse(path.read_text()).body) == 1, path
    assert not [path for path in folder.rglob("*.py") if "__all__" in path.read_text()]


@EVERY
def test_the_rows_of_the_table_stand_by_themselves(folder):
    """Inside the call of `Answers` mypy would not check their types."""
    table = (folder / "rules/answers.py").read_text()
    whole = r"^ANSWERS = Answers\[State\]\(ROWS, FALLBACKS(, AUTOMATIC_STEPS)?\)$"
    assert re.search(whole, table, re.MULTILINE)


@EVERY
def test_judges_are_named_by_what_they_check(folder):
    """For example `check_card`; a file can have only one `check`."""
    judges = list(judges_in(folder / "rules/answers.py"))
    assert judges
    assert [name for name in judges if name != "allow_any" and not name.startswith("check_")] == []


def judges_in(path: Path) -> Iterator[str]:
    """The names of the judges in the rows of a table. The columns of an `Answer` are step, move,
    offer, judge, deed; the short forms of a game leave out the step.
    """
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ROWS":
            for row in ast.iter_child_nodes(node.value):
                if isinstance(row, ast.Call):
                    column = 3 if ast.unparse(row.func) == "Answer" else 2
                    yield ast.unparse(row.args[column]).rpartition(".")[2]


@EVERY
def test_games_import_modules_rather_than_long_lists_of_names(folder):
    for path in folder.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text()))
        own = [node for node in nodes if isinstance(node, ast.ImportFrom) and is_in(folder, node)]
        assert [node.module for node in own if len(node.names) > MAX_NAMES] == [], path


def is_in(folder: Path, node: ast.ImportFrom) -> bool:
    """Whether an import is of a module in this folder."""
    return f"{node.module}.".startswith(f"{'.'.join(folder.relative_to(ROOT).parts)}.")
