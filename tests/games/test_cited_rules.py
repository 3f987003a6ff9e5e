"""Each line of the log cites one rule: the one that the code names which caused the event."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.engine.codecs.binary_codec import decoder, pack
from domain.engine.dice import Luck
from domain.engine.game import advance, begin, fold, seats_to_move
from domain.engine.play import Awaiting, Event, Play, Step
from domain.engine.resources.rulebook import RULE_NUMBER
from domain.engine.sentences import cite_rules
from tests.games.modes import ALL, tables
from tests.games.record import sample, some_move, some_setup

GAMES_AT_EACH_TABLE = 2
RANGE = re.compile(r"([A-Z]+-\d+)\.(\d+) to \1\.(\d+)")


@pytest.fixture
def wrong(monkeypatch):
    """A list that fills up with events and steps whose code names another rule, or several."""
    found: dict[str, None] = {}
    emit, then = Play.emit, Play.then

    def checked_emit(play: Any, event: Event[Any]) -> None:
        if not isinstance(event, Awaiting):
            functions = list(_functions(sys._getframe(1)))
            if len(cited := cite_rules(event)) != 1 or not _causes(functions, cited[0]):
                found[f"{type(event).__name__} cites {cited}, not {functions}"] = None
        emit(play, event)

    def checked_then(play: Any, *planned: Step) -> None:
        for step in (getattr(step, "step", step) for step in planned):
            if rule := getattr(step, "rule", None):
                functions = list(_functions(sys._getframe(1)))
                if not any(rule in named or rule == passed for named, passed in functions):
                    found[f"{type(step).__name__} has {rule}, not {functions}"] = None
        then(play, *planned)

    monkeypatch.setattr(Play, "emit", checked_emit)
    monkeypatch.setattr(Play, "then", checked_then)
    return found


@pytest.mark.parametrize("table", [pytest.param(one, id=one.id) for one in tables()])
def test_the_log_cites_the_rule_that_the_code_names(table, wrong):
    for seed in range(GAMES_AT_EACH_TABLE):
        _play(table.game, table.seats, Luck(f"{table.id}/cited/{seed}"))
    assert list(wrong) == []


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_entries_from_before_the_field_are_read(game):
    """Where the rule comes last and has a default, older entries without it get that rule."""
    for kind in (*game.events, *game.answers.steps):
        fields = msgspec.structs.fields(kind)
        if fields and fields[-1].name == "rule" and not fields[-1].required:
            assert fields[-1].default in game.rulebook.rules, kind
            whole = replace(sample(msgspec.inspect.type_info(kind)), rule="")
            older = msgspec.msgpack.encode(msgspec.msgpack.decode(pack(whole))[:-1])
            assert decoder(kind)(older) == replace(whole, rule=fields[-1].default)


def _play(game, seats, dice):
    setup = some_setup(game, seats, dice)
    state = game.blank_state(setup, seats)
    fold(state, begin(game, setup, seats, dice))
    made = 0
    while seats_to_move(state):
        advance(game, state, some_move(game, state, dice, made), dice)
        made += 1


def _causes(functions: list[tuple[list[str], str | None]], rule: str) -> bool:
    """Whether the innermost function that names rules names this one. Before it there may be
    functions that only pass on a rule.
    """
    for named, passed in functions:
        if rule in named:
            return True
        if rule != passed and named:
            return False
    return any(rule == passed for _, passed in functions)


def _functions(frame: FrameType | None) -> Iterator[tuple[list[str], str | None]]:
    """The functions of the rules on the way here, from the innermost: the rules in the docstring,
    and the `rule` that came as an argument or with the step.
    """
    while frame is not None:
        if "/rules/" in frame.f_code.co_filename:
            given = frame.f_locals
            yield _named(frame.f_code), given.get("rule", getattr(given.get("step"), "rule", None))
        frame = frame.f_back


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
