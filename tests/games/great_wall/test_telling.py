"""What is said: abilities by their cards, how long nobody is asked, what is won and lost."""

from typing import get_args

import pytest

from domain.engine.game import call, tell
from domain.engine.sentences import say
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.events.effects import PassOrdered
from domain.games.great_wall.events.supply import HonorChanged
from domain.games.great_wall.touch import ABILITY, PASS
from tests.games.great_wall.situations import crowded

VIEW = GAME.view(crowded(), 0)


def called(touch):
    return say(call(GAME, touch, VIEW), GAME.texts["en"], ())


def told(event):
    return say(tell(GAME, event, VIEW), GAME.texts["en"], ["Ada", "Bo", "Cid"])


def test_abilities_are_called_by_their_cards():
    """GW-1.6"""
    assert called(ABILITY.of("advisors/spy/0")) == "Spy"
    assert called(ABILITY.of("generals/wen_tianxiang/1")) == "Wen Tianxiang, ability 2"
    addresses = [script for script in SCRIPTS if script.rpartition("/")[2].isdigit()]
    words = [called(ABILITY.of(address)) for address in addresses]
    assert len(set(words)) == len(words)
    assert not [one for one in words if "/" in one or "_" in one]


@pytest.mark.parametrize(
    "until", [one for kind in get_args(moves.Passing) for one in get_args(kind)]
)
def test_how_long_a_seat_lets_moments_pass(until):
    """GW-9.4"""
    assert "_" not in called(PASS.of(until))
    assert told(PassOrdered(1, until)).startswith("Bo is asked for no tactic card ")


def test_whoever_attacks_is_not_asked_again():
    """GW-9.4"""
    assert called(PASS.of("you_attack")) == "no tactic card whenever you attack"
    whole = told(PassOrdered(1, "you_attack"))
    assert whole == "Bo is asked for no tactic card whenever they attack."


@pytest.mark.parametrize(("change", "said"), [(3, "+3"), (-2, "-2")])
def test_honor_is_won_or_lost(change, said):
    """GW-1.7"""
    assert told(HonorChanged(0, change, "hordes")) == f"The honor of Ada changes: {said}."
