"""Sentences about abilities, orders to pass, and wins and losses of honor."""

from typing import get_args

import pytest

from domain.engine.game import describe_event, describe_touch
from domain.engine.sentences import say
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.events.effects import PassOrdered
from domain.games.great_wall.events.supply import HonorChanged
from domain.games.great_wall.touch import ABILITY, PASS
from tests.games.great_wall.situations import full_table

VIEW = GAME.view(full_table(), 0)


def name_of(touch):
    return say(describe_touch(GAME, touch, VIEW), GAME.resources.texts["en"], ())


def sentence_of(event):
    return say(describe_event(GAME, event, VIEW), GAME.resources.texts["en"], ["Ada", "Bo", "Cid"])


def test_abilities_are_called_by_their_cards():
    """GW-1.6"""
    assert name_of(ABILITY.of("advisors/spy/0")) == "Spy"
    assert name_of(ABILITY.of("generals/wen_tianxiang/1")) == "Wen Tianxiang, ability 2"
    addresses = [script for script in SCRIPTS if script.rpartition("/")[2].isdigit()]
    words = [name_of(ABILITY.of(address)) for address in addresses]
    assert len(set(words)) == len(words)
    assert not [one for one in words if "/" in one or "_" in one]


@pytest.mark.parametrize(
    "until", [one for kind in get_args(moves.Passing) for one in get_args(kind)]
)
def test_how_long_a_seat_lets_moments_pass(until):
    """GW-9.4"""
    assert "_" not in name_of(PASS.of(until))
    assert sentence_of(PassOrdered(1, until)).startswith("Bo plays no tactic cards ")


def test_sentences_say_when_a_seat_is_asked_again():
    """GW-9.4"""
    assert name_of(PASS.of("you_attack")) == "pass whenever you attack"
    whole = sentence_of(PassOrdered(1, "you_attack"))
    assert whole == "Bo plays no tactic cards whenever they attack."


@pytest.mark.parametrize(("change", "said"), [(3, "+3"), (-2, "-2")])
def test_honor_is_won_or_lost(change, said):
    """GW-1.7"""
    assert sentence_of(HonorChanged(0, change, "hordes")) == f"Ada: {said} honor."
