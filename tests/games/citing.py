"""Finds events and steps that cite another rule than the code that causes them names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from linecache import getline
from types import CodeType, FrameType
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.engine.play import Awaiting, Event, Play, Step
from domain.engine.resources.rulebook import RULE_NUMBER
from domain.engine.sentences import cite_rules

RANGE = re.compile(r"([A-Z]+-\d+)\.(\d+) to \1\.(\d+)")


@pytest.fixture
def wrong(monkeypatch):
    """A list that fills up with events and steps that cite another rule than their place names."""
    found: dict[str, None] = {}
    emit, then = Play.emit, Play.then

    def checked_emit(play: Any, event: Event[Any]) -> None:
        if not isinstance(event, Awaiting):
            frame, rules = sys._getframe(1), cite_rules(event)
            decided = isinstance(getattr(type(event), "rule", None), property)
            if len(rules) != 1 or not _causes(_places(frame), rules[0], decided):
                found[f"{type(event).__name__} cites {rules}, not {[*_places(frame)]}"] = None
        emit(play, event)

    def checked_then(play: Any, *planned: Step) -> None:
        for made in planned:
            step = getattr(made, "step", made)
            if rule := getattr(step, "rule", None):
                frame = sys._getframe(1)
                decided = _default_rule(type(step)) == rule
                if not _causes(_places(frame, made), rule, decided):
                    places = [*_places(frame, made)]
                    found[f"{type(step).__name__} has {rule}, not {places}"] = None
        then(play, *planned)

    monkeypatch.setattr(Play, "emit", checked_emit)
    monkeypatch.setattr(Play, "then", checked_then)
    return found


class Place(NamedTuple):
    """A function of the rules on the way to what it emits or plans."""

    function: str
    named: list[str]
    """The rules in its docstring; the first is the one of its events and steps."""
    written: str
    """The call that is running; a rule that stands there is named, too."""
    passed: str | None
    """The `rule` that came as an argument or with a step."""


def _causes(places: Iterable[Place], rule: str, decided: bool) -> bool:
    """Whether the innermost place that names rules names this one. Before it there may be functions
    that only pass on a rule. If the class decides on the rule, it may be any of those named.
    """
    passed = set[str | None]()
    for place in places:
        if rule in place.named[: None if decided else 1] or f'"{rule}"' in place.written:
            return True
        if rule != place.passed and place.named:
            return False
        passed.add(place.passed)
    return rule in passed


def _places(frame: FrameType | None, made: Step | None = None) -> Iterator[Place]:
    """The places on the way here, from the innermost; a function may pass on a made step."""
    while frame is not None:
        code, given = frame.f_code, frame.f_locals
        if "/rules/" in code.co_filename:
            passed = given.get("rule", getattr(given.get("step"), "rule", None))
            if any(made is one for one in given.get("todo", ())):
                passed = getattr(made, "rule", None)
            yield Place(code.co_name, _named(code), _statement(code, frame.f_lasti), passed)
        frame = frame.f_back


@cache
def _default_rule(step: type[Step]) -> str | None:
    """The rule that a step has unless its maker says another."""
    fields = {field.name: field for field in msgspec.structs.fields(step)}
    return fields["rule"].default


@cache
def _statement(code: CodeType, instruction: int) -> str:
    """The lines of the call that is running."""
    first, last, *_ = [*code.co_positions()][instruction // 2]
    lines = range(first or 0, 1 + (last or 0))
    return "".join(getline(code.co_filename, number) for number in lines)


@cache
def _named(code: CodeType) -> list[str]:
    """The rules in the docstring of a function, which no module need know by its name."""
    docstring = code.co_consts[0] if code.co_consts else None
    if not isinstance(docstring, str) or not docstring.rstrip().endswith("."):
        return []
    ranges = (
        f"{chapter}.{number}"
        for chapter, first, last in RANGE.findall(docstring)
        for number in range(int(first), int(last) + 1)
    )
    return [*RULE_NUMBER.findall(docstring), *ranges]
