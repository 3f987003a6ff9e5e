"""Positions of solo games, and refusals of those that no game reaches."""

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import BadPosition
from domain.engine.game import decide, fold
from domain.engine.starting.starts import read_start
from domain.games.great_wall.cards import automata
from domain.games.great_wall.state import steps
from tests.games.great_wall.alone import QIN
from tests.games.great_wall.game import GAME, new_table
from tests.games.record import any_move

SETUP = GAME.setup(GAME.options(mode="solo"), 1)


def in_fall():
    """A position in which the human chooses a command card, as JSON."""
    dice, state = Luck(3), new_table(1, Luck(3), mode="solo")
    while not isinstance(state.agenda[-1], steps.ChooseCommand):
        fold(state, decide(GAME, state, any_move(GAME, state, dice), dice))
    return state


def read(state):
    return read_start(GAME, SETUP, GAME.write_position(state), 1)


def refusal(state):
    with pytest.raises(BadPosition) as caught:
        read(state)
    return str(caught.value)


def test_members_of_qin_left_out_are_as_at_the_beginning():
    """GW-14.2"""
    told = {"game": "great_wall", "clans": [{}, {}, {"supporting": ["herald", "spy"]}]}
    state = read_start(GAME, SETUP, {**told, "tokens": automata.TOKENS}, 1)
    qin = state.clans[QIN]
    assert (qin.clerks_pool, qin.pool, qin.level("temple")) == (8, (8, 4, 0), 1)
    assert set(state.solo_deck) == set(automata.SOLO)


def change_qin(**qin):
    """The same table with these changes of Qin."""
    state = in_fall()
    for name, value in qin.items():
        setattr(state.clans[QIN], name, value)
    return state


@pytest.mark.parametrize(
    ("qin", "reason"),
    [
        ({"discard": ("economy",)}, "There is no 'economy' among the `discard`"),
        ({"discard": ("solo_economy", "solo_economy")}, "twice"),
    ],
)
def test_qin_has_each_of_his_cards_once(qin, reason):
    """GW-14.2"""
    assert reason in refusal(change_qin(**qin))


@pytest.mark.parametrize("tokens", [(), ("wood",)])
def test_the_location_track_has_each_token_once(tokens):
    """GW-14.3"""
    state = in_fall()
    state.tokens = tokens
    assert "`tokens`: They are those of the Location track" in refusal(state)


def test_other_modes_have_no_tokens():
    """GW-14.3"""
    told = {"game": "great_wall", "clans": [{}, {}, {}], "tokens": automata.TOKENS}
    with pytest.raises(BadPosition, match="`tokens`"):
        read_start(GAME, GAME.setup(GAME.options(), 3), told, 3)


def test_without_shame_a_solo_game_is_over():
    """GW-14.14"""
    state = in_fall()
    state.shame = 0
    assert "a solo game is over" in refusal(state)
