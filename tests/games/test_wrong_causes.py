"""A deed of the toy that cites another rule than its own is found."""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType

import pytest

from domain.engine.dice import Luck
from tests.engine.toy import GAME as TOY
from tests.engine.toy.events import CardPlayed
from tests.engine.toy.rules.rounds import seal
from tests.games.test_cited_rules import play_to_the_end
from tests.games.test_the_checks_bite import with_sealing


def show_by_its_rule(p, step, move):
    """Seal a card, then show another: TOY-3.1."""
    seal(p, step, move)
    for card in p.state.hands[move.seat][:1]:
        p.emit(CardPlayed(move.seat, move.seat, card))


def show_by_another_rule(p, step, move):
    """Seal a card, then show another: TOY-3.2."""
    seal(p, step, move)
    for card in p.state.hands[move.seat][:1]:
        p.emit(CardPlayed(move.seat, move.seat, card))


@pytest.mark.parametrize(("deed", "found"), [(show_by_its_rule, 0), (show_by_another_rule, 1)])
def test_a_deed_that_cites_another_rule_is_found(deed, found, wrong):
    in_rules = deed.__code__.replace(co_filename="toy/rules/shown.py")
    broken = replace(TOY, answers=with_sealing(FunctionType(in_rules, globals())))
    play_to_the_end(broken, 3, Luck(1))
    assert [line.split(",")[0] for line in wrong] == ["CardPlayed cites ('TOY-3.1'"] * found
