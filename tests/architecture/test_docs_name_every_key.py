"""The tables of docs/event-store.md list every kind of key that the code stores in Redis, and
docs/privacy.md those outside the matches.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.layout import ROOT
from tests.support.documented_keys import STORE_PAGE, is_documented
from workers.tools.store.stored_keys import Treatment, treatment_of

KEEPERS = ("service", "projections", "workers")
PUT_IN = ("7", "7:7")
"""Sample values for the variable parts of key names, with and without colons."""


def keys_in(file: Path) -> Iterator[str]:
    """The strings of a file that a backup recognizes as key names."""
    for node in ast.walk(ast.parse(file.read_text())):
        name = sample(node, PUT_IN[0])
        if name and not re.search(r"\s|\.\+|:$", name) and treatment_of(name):
            yield ast.unparse(node)


def sample(node: ast.AST, put_in: str) -> str:
    """A string with sample values for its variable parts."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else put_in for part in node.values]
        return re.sub(f"^{put_in}:", "{p7}:", "".join(map(str, parts)))
    return ""


def samples(key: str) -> list[str]:
    node = ast.parse(key, mode="eval").body
    return [sample(node, put_in) for put_in in PUT_IN]


@cache
def keys() -> set[str]:
    """All key names in the code."""
    files = (file for folder in KEEPERS for file in (ROOT / folder).rglob("*.py"))
    return {key for file in files for key in keys_in(file)}


@pytest.mark.slow
def test_keys_of_every_kind_are_found():
    found: set[Treatment | None] = {treatment_of(samples(key)[0]) for key in keys()}
    assert found == {"entries", "result", "account", "derived", "passing"}


@pytest.mark.slow
def test_each_key_in_the_code_is_in_the_docs():
    assert [key for key in keys() if not any(map(is_documented, samples(key)))] == []


def outside_the_matches() -> set[str]:
    """The keys that the docs list outside of matches."""
    table = STORE_PAGE.read_text().split("## Players, webhooks and Discord")[1].split("\n## ")[0]
    columns = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    return {key for column in columns for key in re.findall(r"`([^`]+)`", column)}


def test_a_backup_knows_each_key_outside_the_matches():
    names = {key: re.sub(r"<[^>]+>", "7", key) for key in outside_the_matches()}
    assert [key for key, name in names.items() if treatment_of(name) is None] == []


def test_the_page_about_privacy_names_each_key_outside_the_matches():
    stored = outside_the_matches()
    named = re.findall(r"`([^`\n]+)`", (STORE_PAGE.parent / "privacy.md").read_text())
    families = tuple(one[:-1] for one in named if one.endswith("…"))
    assert len(stored) > 30
    assert {key for key in stored - set(named) if not key.startswith(families)} == set()
