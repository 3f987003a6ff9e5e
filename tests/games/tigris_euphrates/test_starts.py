"""A match starts from a position where a turn begins; in the middle of a turn, players fork it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadPosition
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.board import BOARDS
from domain.games.tigris_euphrates.rules.answers import FALLBACKS
from domain.games.tigris_euphrates.state.setup import Options
from domain.games.tigris_euphrates.state.steps import Turn
from tests.engine.table import contents
from tests.games.record import play_randomly, start_from
from tests.games.tigris_euphrates.plainly import read_recorded_moments
from tests.games.tigris_euphrates.positions import read
from tests.games.tigris_euphrates.table import turn_of

TURN = '[{"type":"EndTurn","seats":[],"seat":%d},{"type":"Turn","seats":[%d],"left":2}]'
SENTENCE = (
    r"A position begins where a turn begins: (`agenda` is %s|leave this out)\."
    r" To go on from the middle of a turn, fork a match\."
)


def read_again(state: Any) -> Any:
    """The table of the JSON of its position, by structure alone."""
    written = json_codec.json_round_trip(GAME.write_position(state))
    return GAME.read_position(state.setup, written, len(state.hands))


def check_start(state: Any) -> None:
    """The game accepts this position if a turn begins, and refuses it with a sentence if not."""
    if isinstance(state.agenda[-1], Turn) and state.agenda[-1].left == 2:
        start_from(GAME, state.setup, state, len(state.hands))
    else:
        seat = state.agenda[0].seat
        with pytest.raises(BadPosition, match=SENTENCE % re.escape(TURN % (seat, seat))):
            start_from(GAME, state.setup, state, len(state.hands))


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seats", GAME.seats)
def test_a_match_starts_at_each_beginning_of_a_turn_and_in_no_middle(seats, board):
    """TE-3.1, TE-3.4: any moment comes back from JSON."""
    dice, setup = Luck(f"{seats} {board}"), GAME.setup(Options(board=board), seats)
    played = play_randomly(GAME, setup, seats, dice)
    for moment in played.moments[::8]:
        again = read_again(moment.state)
        assert contents(again) == contents(moment.state)
        check_start(again)
    assert contents(read_again(played.end)) == contents(played.end)
    with pytest.raises(BadPosition, match=r"The game has `ended`|leave this out"):
        start_from(GAME, setup, played.end, seats)


def test_no_match_starts_in_the_middle_of_a_recorded_turn():
    """TE-8.1, TE-9.3, TE-11.3, TE-12.2, TE-13.2: these games come to each kind of step."""
    rests = [state for state, _ in read_recorded_moments()]
    middles = [state for state in rests if not isinstance(state.agenda[-1], Turn)]
    assert {type(state.agenda[-1]) for state in middles} == set(FALLBACKS) - {Turn}
    for state in middles[::3]:
        assert contents(read_again(state)) == contents(state)
        check_start(state)


def test_any_seat_may_begin():
    """TE-2.6"""
    assert read(agenda=turn_of(1)).agenda[-1].seats == (1,)
    assert read(first=1).agenda == read(agenda=turn_of(1)).agenda
