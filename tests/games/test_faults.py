"""The published faults of a game are those that its rules raise."""

from __future__ import annotations

import pytest

from domain.engine.contract.refusals import rule_faults
from domain.engine.contract.schemas import game_schemas
from tests.architecture.layout import ROOT, page_of
from tests.games import modes

ALL = [pytest.param(game, id=game.key) for game in modes.ALL]


@pytest.mark.parametrize("game", ALL)
def test_every_fault_breaks_rules_of_its_rule_book(game):
    assert rule_faults(game)
    for fault, rules in rule_faults(game).items():
        assert rules, fault
        assert set(rules) <= game.rulebook.rules.keys(), fault


@pytest.mark.parametrize("game", ALL)
def test_the_refusals_of_the_table_of_answers_are_among_them(game):
    for refusal in game.answers.fallbacks.values():
        assert refusal.rule in rule_faults(game)[refusal.fault]


@pytest.mark.parametrize("game", ALL)
def test_the_schema_of_a_fault_has_them_all(game):
    schema = game_schemas(game)["Fault"]
    assert schema["enum"] == list(rule_faults(game)) == list(schema["x-rules"])


@pytest.mark.parametrize("game", ALL)
def test_the_page_of_a_game_lists_its_faults_or_links_to_them(game):
    page = page_of(game.key).read_text(encoding="utf-8")
    rows = page.partition("| fault |")[2].partition("\n\n")[0]
    missing = [one for one in rule_faults(game) if f"`{one}`" not in rows]
    assert missing == [] if rows else "`faults`" in page


@pytest.mark.parametrize("game", ALL)
def test_each_fault_is_shown_by_a_test_of_the_game(game):
    """Some test names its code, so that it does not change unnoticed."""
    files = (ROOT / "tests" / "games" / game.key).glob("test_*.py")
    tests = "".join(path.read_text(encoding="utf-8") for path in files)
    assert [fault for fault in rule_faults(game) if f'"{fault}"' not in tests] == []
