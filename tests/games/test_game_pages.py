"""The pages in docs/games name fields of events that exist, and the rules of faults."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from domain.engine.contract.refusals import rule_faults
from tests.architecture.layout import page_of
from tests.games.modes import ALL

CODE = re.compile(r"`(\w+)`")
RULE = re.compile(r"\b[A-Z]+-[\d.]+\d")
PARENTHESES = re.compile(r"\([^)]*\)")
EVERY = pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
COMMON_EVENTS = {"Awaiting": {"agenda"}}


def rows(text: str, begin: str, end: str) -> Iterator[list[str]]:
    """The cells of each row of the tables between two marks."""
    for line in text.partition(begin)[2].partition(end)[0].splitlines():
        if line.startswith("| `"):
            yield line.split("|")[1:-1]


@EVERY
def test_the_fields_of_events_exist(game):
    fields = {event.__name__: {*event.__struct_fields__} for event in game.events} | COMMON_EVENTS
    for names, shown, *_ in rows(page_of(game.key).read_text(), "## Events\n", "\n## "):
        events = [name for name in CODE.findall(names) if name[0].isupper()]
        known = set().union(*(fields[name] for name in events))
        assert {*CODE.findall(PARENTHESES.sub("", shown))} <= known, names


@EVERY
def test_a_fault_has_the_rules_that_the_code_cites(game):
    rules_by_fault = rule_faults(game)
    for faults, rules, *_ in rows(page_of(game.key).read_text(), "| fault | rule |", "\n\n"):
        named = CODE.findall(faults)
        assert {*named} <= {*rules_by_fault}
        if len(named) == 1 and RULE.search(rules):
            assert {*RULE.findall(rules)} == {*rules_by_fault[named[0]]}, named
