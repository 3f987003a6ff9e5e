"""Each cause that the code of a game names occurs in its recorded games, with its rule."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import pytest

from domain.engine.play import Awaiting
from domain.engine.resources.rulebook import RULE_NUMBER
from domain.engine.sentences import cite_rules
from tests.games.replay import read
from tests.games.test_replays import EVERY, REPLAYS

RARE = {
    "great_wall": {("ClerksReturned", "GW-18.6")},  # by a card, which no recorded game has
    "hansa_teutonica": {(None, "HT-13.3"), (None, "HT-14.6")},  # in its test_markers, test_maps
}
"""Causes that no recorded game has; other tests look at their events."""
REFUSALS = ("Fallback", "RuleBroken")
"""What refuses a move: it causes no event."""


class Cause(NamedTuple):
    """A rule that the code gives to a kind of event, or by way of functions and steps to any."""

    event: str | None
    rule: str


def find_causes(game: Any) -> set[Cause]:
    """What the code of the rules of a game passes on, and what events decide by a property."""
    names = {kind.__name__ for kind in game.events}
    folder = Path(inspect.getfile(game.events[0])).parent
    package = next(up for up in (folder, *folder.parents) if (up / "rules").is_dir())
    found = set[Cause]()
    for path in (package / "rules").rglob("*.py"):
        found |= set(_find_passed(ast.parse(path.read_text(encoding="utf-8")), names))
    for kind in game.events:
        if isinstance(decided := getattr(kind, "rule", None), property):
            found |= {Cause(kind.__name__, rule) for rule in _find_decided(decided.fget)}
    return found


def _find_decided(decide: Any) -> Iterator[str]:
    """The rules that a property names, or finds in a table of its module."""
    yield from _find_rules(ast.parse(dedent(inspect.getsource(decide))))
    for name in decide.__code__.co_names:
        if isinstance(table := decide.__globals__.get(name), Mapping):
            yield from table.values()


def _find_passed(tree: ast.AST, names: set[str]) -> Iterator[Cause]:
    """The rules that stand in calls, except those of refusals."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            called = getattr(call.func, "attr", getattr(call.func, "id", ""))
            for given in (*call.args, *(keyword.value for keyword in call.keywords)):
                if called not in REFUSALS and isinstance(given, ast.Constant | ast.IfExp):
                    for rule in _find_rules(given):
                        yield Cause(called if called in names else None, rule)


def _find_rules(tree: ast.AST) -> Iterator[str]:
    """The strings that are numbers of rules."""
    for part in ast.walk(tree):
        value = part.value if isinstance(part, ast.Constant) else None
        if isinstance(value, str) and RULE_NUMBER.fullmatch(value):
            yield value


def _find_recorded(key: str) -> set[Cause]:
    """What the events of the recorded games cite."""
    found = set[Cause]()
    for plan in REPLAYS[key].plans:
        for line in REPLAYS[key].load(plan.name)["entries"]:
            for event in read(plan, line):
                if not isinstance(event, Awaiting):
                    for rule in cite_rules(event):
                        found |= {Cause(type(event).__name__, rule), Cause(None, rule)}
    return found


@pytest.mark.parametrize("key", EVERY)
def test_every_cause_occurs(key):
    """So the check that events cite the rule of their place sees each cause."""
    assert find_causes(EVERY[key]) - _find_recorded(key) == RARE.get(key, set())
