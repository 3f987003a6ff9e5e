"""A game is one folder and one line, with its rules, its data and its page in the docs."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from importlib.resources import files

import pytest

from domain.engine.resources import rulebook
from domain.games import GAMES
from tests.architecture.layout import CODE, ROOT, rules_of

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\(\S*games/(\w+)(?:/RULES)?\.md")
PACKAGED = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]


def test_each_folder_is_in_the_list_of_games_under_its_name():
    folders = {path.parent.name for path in (ROOT / "domain/games").glob("*/__init__.py")}
    assert folders == set(GAMES)
    assert {key: game.key for key, game in GAMES.items()} == {key: key for key in GAMES}


@pytest.mark.parametrize("key", GAMES)
def test_each_game_has_a_rule_book_that_comes_with_the_package(key):
    book = files(f"domain.games.{key}").joinpath("RULES.md").read_text(encoding="utf-8")
    assert GAMES[key].rulebook == rulebook.parse(book)
    assert set(GAMES[key].rulebook.rules) == rules_of(ROOT / "domain/games" / key)


@pytest.mark.parametrize("key", GAMES)
def test_each_game_has_its_page_in_the_docs(key):
    page = (ROOT / "docs/games" / f"{key}.md").read_text()
    assert page.startswith(f"# {GAMES[key].title}")


def test_a_page_that_lists_the_games_lists_all_of_them():
    """Links to three games in one paragraph are a list."""
    for page in PAGES:
        for paragraph in page.read_text().split("\n\n"):
            linked = set(LINK.findall(paragraph))
            assert len(linked) < 3 or linked == set(GAMES), (page.name, paragraph)


@pytest.mark.parametrize("key", GAMES)
def test_all_data_of_a_game_come_with_the_package(key):
    patterns = PACKAGED["package-data"]["*"]
    folder = ROOT / "domain/games" / key
    data = [path for path in folder.rglob("*") if path.is_file() and path.suffix not in CACHES]
    assert data
    for path in data:
        assert path.suffix == ".py" or any(fnmatch(path.name, pattern) for pattern in patterns)
        is_lesson = folder / "lessons" in path.parents
        assert is_lesson or (path.parent / "__init__.py").exists() or path.parent.parent == folder


CACHES = {".pyc"}


@pytest.mark.parametrize("package", CODE)
def test_only_the_list_of_games_names_a_game(package):
    naming = re.compile(rf"domain\.games\.({'|'.join(GAMES)})\b|domain\.games import (?!GAMES)")
    for path in (ROOT / package).rglob("*.py"):
        if (ROOT / "domain/games") not in path.parents:
            assert not naming.search(path.read_text()), path
