"""The faults of a game are those that its rules raise, with the numbers of these rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from domain.engine.contract.refusals import rule_faults
from tests.engine.toy import GAME

RULES = '''
def begin(p):
    """Set nothing up."""

def check(state, step, move):
    """Refuse this and that."""
    near(state, "ODD-1.1")
    _far(state, _rule_of(step))
    if state.late:
        rule = "ODD-1.10" if state.night else "ODD-1.9"
        raise RuleBroken(rule, "late")

def near(state, rule):
    raise RuleBroken(rule, "too_near")

def _far(state, rule):
    raise RuleBroken(rule, "too_far")

def _rule_of(step):
    if step.bonus:
        return "ODD-2.1"
    return "ODD-2.2"
'''
ELSEWHERE = """
from odd.rules import near

PASS = Fallback("ODD-3.1", "not_now")

def check(state, step, move):
    near(state, "ODD-3.2")
    _far(state, "ODD-3.3")
    raise RuleBroken(*PASS)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with the rules of a game, which tests can import."""
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "rules.py").write_text(RULES)
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in ("odd", "odd.rules"):
        sys.modules.pop(name, None)


def faults_of_these():
    return rule_faults(replace(GAME, begin=import_module("odd.rules").begin))


def test_faults_come_from_the_rules_and_from_the_table_of_answers():
    assert rule_faults(GAME) == {
        "no_points": ["TOY-3.1"],
        "not_another": ["TOY-3.1"],
        "not_in_hand": ["TOY-2.2", "TOY-3.1", "TOY-3.2"],
        "not_now": ["TOY-2.2", "TOY-3.1", "TOY-3.2"],
        "too_low": ["TOY-3.2"],
    }


def test_rules_that_are_handed_down_chosen_or_asked_for_are_found(folder):
    assert faults_of_these() == {
        "late": ["ODD-1.9", "ODD-1.10"],
        "too_far": ["ODD-2.1", "ODD-2.2"],
        "too_near": ["ODD-1.1"],
    }


def test_what_begins_with_an_underscore_is_called_in_its_own_module_only(folder):
    (folder / "elsewhere.py").write_text(ELSEWHERE)
    found = faults_of_these()
    assert found["too_near"] == ["ODD-1.1", "ODD-3.2"]
    assert found["too_far"] == ["ODD-2.1", "ODD-2.2"]
    assert found["not_now"] == ["ODD-3.1"]


def test_a_rule_that_is_worked_out_in_another_way_is_left_out(folder):
    (folder / "unclear.py").write_text('RuleBroken(move.rule, "odd")')
    assert faults_of_these()["odd"] == []
