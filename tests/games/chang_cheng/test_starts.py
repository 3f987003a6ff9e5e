"""A match starts where a turn begins, on any table that a game comes to."""

from __future__ import annotations

import re
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.errors import BadPosition
from domain.engine.game import legal_moves, seats_to_move
from domain.engine.starting.starts import read_start, without_history
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.state.setup import Options
from domain.games.chang_cheng.state.steps import FirstTurn, ForcedNeutral, Turn
from tests.engine.table import contents
from tests.games.chang_cheng.situations import WAITING
from tests.games.chang_cheng.table import piece
from tests.games.record import record
from tests.support.for_each import for_each

BEGINNINGS = (FirstTurn, Turn, ForcedNeutral)
SENTENCE = "A position begins where a turn begins: `agenda` is "
NEXT = {"type": "NextTurn", "seats": [], "seat": 0, "opening": 0}
TURN = {"type": "Turn", "seats": [0]}
FORCED = {"type": "ForcedNeutral", "seats": [0]}
TALLY = {"region": "b1:C1", "waiting": [], "change": 0, "extra": [0, 0, 0]}
ALL_BUILT = " ".join(f"b1:{n}=0" for n in range(1, 14)) + " b2:1=0 b2:2-3=0 b2:5=0t"
"""All pieces of seat 0."""


def read(walls: str = "", seats: int = 3, **position: Any) -> Any:
    """The table with these pieces, as a match starts from it."""
    data = {"boards": ["b1", "b2"], "pieces": [piece(word) for word in walls.split()], **position}
    return read_start(GAME, GAME.setup(Options(), seats), data, seats)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
def test_a_match_starts_only_where_a_turn_begins(seats, seed):
    """CC-3.1, CC-3.2, CC-9.4: everything that a game comes to is read by structure."""
    played = record(GAME, seats, seed)
    for state in (moment.state for moment in played.moments):
        position = json_codec.json_round_trip(GAME.write_position(state))
        assert contents(GAME.read_position(played.setup, position, seats)) == contents(state)
        if isinstance(state.agenda[-1], BEGINNINGS):
            later = GAME.read_position(played.setup, without_history(GAME, position), seats)
            assert contents(read_start(GAME, played.setup, position, seats)) == contents(later)
        else:
            with pytest.raises(BadPosition, match=r"begins: .* fork a match"):
                read_start(GAME, played.setup, position, seats)
    position = json_codec.json_round_trip(GAME.write_position(played.end))
    assert contents(GAME.read_position(played.setup, position, seats)) == contents(played.end)
    with pytest.raises(BadPosition, match="The game has `ended`"):
        read_start(GAME, played.setup, position, seats)


@for_each("kind", sorted(WAITING.keys() - {"Turn", "FirstTurn"}))
def test_no_match_starts_in_the_middle_of_a_turn(kind):
    """CC-4.1, CC-6.2, CC-7.1, CC-8.2, CC-11.2"""
    state = WAITING[kind]
    with pytest.raises(BadPosition, match="To go on from the middle of a turn, fork a match"):
        read_start(GAME, state.setup, GAME.write_position(state), state.seats)


@for_each(
    "changes",
    [
        {"agenda": []},
        {"agenda": [NEXT]},
        {"agenda": [TURN]},
        {"agenda": [NEXT, NEXT, TURN]},
        {"agenda": [NEXT, TURN, TURN]},
        {"agenda": [{**NEXT, "seats": [0]}, TURN]},
        {"agenda": [{**NEXT, "opening": 1}, TURN]},
        {"agenda": [NEXT, {**TURN, "seats": [1]}]},
        {"agenda": [NEXT, {**TURN, "seats": [0, 1]}]},
        {"agenda": [NEXT, FORCED]},
    ],
)
def test_the_refusal_of_an_agenda_says_what_would_be_right(changes):
    """CC-3.1"""
    right = json_codec.encode([NEXT, TURN]).decode()
    with pytest.raises(BadPosition, match=re.escape(SENTENCE + right)):
        read(**changes)
    assert read(agenda=[NEXT, TURN]).agenda == read().agenda


def test_no_match_starts_in_a_scoring():
    """CC-6.3"""
    with pytest.raises(
        BadPosition, match=r"`tally`: .* leave this out\. To go on from .*, fork a match"
    ):
        read(tally=TALLY)


def test_first_turns_are_as_many_as_seats_are_to_come():
    """CC-3.2"""
    opening = [{**NEXT, "seat": 1, "opening": 1}, {"type": "FirstTurn", "seats": [1]}]
    assert seats_to_move(read("b1:1=0", first=0, agenda=opening)) == (1,)
    with pytest.raises(BadPosition, match=re.escape(json_codec.encode(opening).decode())):
        read("b1:1=0", first=0, agenda=[{**opening[0], "opening": 2}, opening[1]])


def test_no_match_starts_with_a_seat_that_can_do_nothing():
    """CC-4.7"""
    extended = {"boards": ["b1", "b2", "b3"]}
    with pytest.raises(BadPosition, match="Seat 0 can do nothing"):
        read(ALL_BUILT, **extended, hands=[[], [], []])
    assert legal_moves(GAME, read(ALL_BUILT, **extended, hands=[[1], [], []]), 0)


def test_a_turn_begins_with_a_neutral_wall_if_nothing_else_is_possible():
    """CC-11.6"""
    position = {"boards": ["b1", "b2", "b3"], "hands": [[], []]}
    assert legal_moves(GAME, read(ALL_BUILT, 2, **position, agenda=[NEXT, FORCED]), 0)
    with pytest.raises(BadPosition, match="ForcedNeutral"):
        read(ALL_BUILT, 2, **position)
