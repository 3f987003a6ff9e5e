"""Each rule of a game has code and a test that cite it, and each cited number exists."""

from __future__ import annotations

import ast

import pytest

from domain.games import GAMES
from tests.architecture.layout import NUMBER, ROOT, TOY, find_citations, find_citations_in, rules_of

FOLDERS = [
    pytest.param(folder, id=folder.name)
    for folder in (*(ROOT / "domain/games" / key for key in GAMES), TOY)
]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_rule_is_in_the_code_and_no_other_number(folder):
    rules = rules_of(folder)
    prefixes = {rule.split("-")[0] for rule in rules}
    assert len(prefixes) == 1
    assert find_citations_in(folder, prefixes) == rules


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_rule_is_in_a_test_and_no_other_number(folder):
    rules = rules_of(folder)
    prefixes = {rule.split("-")[0] for rule in rules}
    assert find_citations_in(ROOT / "tests/games" / folder.name, prefixes) == rules


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_a_function_of_the_rules_does_comes_before_its_numbers(folder):
    trees = [ast.parse(path.read_text()) for path in (folder / "rules").rglob("*.py")]
    functions = [
        one for tree in trees for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)
    ]
    told = [text for text in map(ast.get_docstring, functions) if text]
    assert told
    assert not [text for text in told if NUMBER.match(text)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_number_is_used_for_two_rules(folder):
    headings = [line for line in (folder / "RULES.md").read_text().splitlines() if line[:1] == "#"]
    numbered = [line for line in headings if find_citations([line])]
    assert len(numbered) == len(rules_of(folder))


@pytest.mark.parametrize("folder", FOLDERS)
def test_rules_of_a_game_mention_only_rules_that_exist(folder):
    text = (folder / "RULES.md").read_text()
    assert find_citations([text]) == rules_of(folder)
