"""Positions as JSON: which the game reads, and which it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadPosition
from domain.engine.game import seats_to_move
from domain.engine.starting.starts import read_start
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.moves import BuildNeutral, BuildSingle, DeclineNeutral
from domain.games.chang_cheng.state.setup import Options
from domain.games.chang_cheng.state.steps import FirstTurn, Turn
from tests.engine.table import contents
from tests.games.chang_cheng.situations import WAITING
from tests.games.chang_cheng.table import card, happens, menu, piece, refusal, table
from tests.support.for_each import for_each

NEXT = {"type": "NextTurn", "seat": 0, "seats": [], "opening": 0}


def read(**data):
    return read_start(GAME, GAME.setup(Options(), 3), {"boards": ["b1", "b2"], **data}, 3)


def walls(*words):
    return {"pieces": [piece(word) for word in words]}


def test_what_is_left_out_follows_from_the_rest():
    """CC-1.3, CC-2.2, CC-3.2"""
    state = read(**walls("b1:1=0", "b1:2-3=1", "b2:1=2t"), cards=[card(0, 4, "b1:C2")])
    assert list(state.singles[1:4]) == [13, 14, 14]
    assert (state.doubles[2], state.towers[3]) == (0, 0)
    assert seats_to_move(state) == (0,)
    view = GAME.view(state, 0)
    assert view.cards_in_hand[0] == (1, 2, 3, 5, 6)
    assert sorted(region.prestige for region in view.china) == [0, 0, 1, 2, 3, 4]


@for_each("state", WAITING.values())
def test_every_kind_of_decision_comes_back(state):
    """CC-3.1, CC-7.1"""
    written = msgspec.json.decode(json_codec.encode(GAME.write_position(state)))
    back = GAME.read_position(state.setup, written, state.seats)
    assert contents(back) == contents(state)
    assert GAME.write_position(back) == GAME.write_position(state)


def test_no_neutral_wall_is_offered_if_the_table_has_none():
    """CC-11.1"""
    offer = {"type": "OfferNeutral", "seats": [0], "regions": ["b1:C1"], "inside": True}
    state = table(agenda=[NEXT, offer])
    assert menu(state) == [DeclineNeutral(0)]
    assert refusal(state, BuildNeutral(0, "b1:1")) == ("CC-11.1", "none_left")


def test_events_the_first_player_and_points_come_from_the_position_or_the_setup():
    """CC-2.4, CC-10.5, CC-12.1"""
    options = Options(chosen_events=("scout",))
    state = table(options=options, active=2, points=[{"invasion": -4}, {}, {"double": 3}])
    assert (state.events, state.first) == (("scout",), 2)
    assert [state.score(seat) for seat in range(3)] == [-4, 0, 3]
    state = table(options=options, events=["hegemon"], first=1)
    assert (state.events, state.first) == (("hegemon",), 1)


@for_each(("seats", "boards"), [(2, 3), (3, 3), (4, 4)])
def test_boards_of_a_position_use_up_extensions(seats, boards):
    """CC-2.1, CC-8.2"""
    row = ["b4", "b1", "b3", "b2"][:boards]
    state = table(seats=seats, boards=row)
    assert state.extensions == 0
    assert GAME.view(state, None).boards == tuple(row)
    assert table(seats=seats, boards=row[:2]).extensions == boards - 2


def test_the_opening_of_a_position_goes_on_to_the_last_first_turn():
    """CC-3.2"""
    state = table("b1:1=2", opening=True, first=2, active=0)
    happens(state, BuildSingle(0, "b1:5"))
    assert (seats_to_move(state), type(state.agenda[-1])) == ((1,), FirstTurn)
    happens(state, BuildSingle(1, "b2:5"))
    assert (seats_to_move(state), type(state.agenda[-1])) == ((2,), Turn)


@for_each(
    ("changes", "sentence"),
    [
        ({"boards": ["b1"]}, "2 to 3 different boards"),
        ({"boards": ["b1", "b1"]}, "`boards`: It names something twice"),
        ({"boards": ["b1", "b2", "b3", "b4"]}, "2 to 3 different boards"),
        ({"boards": ["b9", "b1"]}, "Expected one of `b1`, `b2`, `b3`, `b4`."),
        ({"size": 4}, "There is no such member"),
        (walls("b3:1=0"), "no cell 'b3:1' on this table"),
        (walls("b1:1=0", "b1:1=1"), "`pieces`: By the rest of the position"),
        (walls("b1:1=3"), "seat 3"),
        (walls("b1:1=n"), "too many"),
        (walls("b1:1=0t", "b2:1=0t"), "too many"),
        (walls("b1:1=0t", "b1:2=1t"), "Two towers"),
        (walls("b1:1-3=0"), "gap"),
        (walls("b1:1=0tx"), "Only a single"),
        ({"pieces": [{"cells": ["b1:1", "b1:2"], "seat": 0}]}, "two cells"),
        ({"active": 3}, "`active`: There is no seat 3"),
        ({"cards": [card(3, 1, "b1:C1")]}, "`cards/0/seat`: There is no seat 3"),
        ({"cards": [card(0, 7, "b1:C1")]}, "no card 7"),
        ({"cards": [card(0, 1, "b3:C1")]}, "no Chinese region 'b3:C1'"),
        ({"cards": [card(0, 1, "b1:C1"), card(0, 1, "b1:C2")]}, "`cards` names something twice"),
        ({"cards": [card(0, 1, "b1:C1")], "hands": [[1], [], []]}, "`cards` names something twice"),
        ({"hands": [[1], []]}, "`hands`: Expected 3 items, one for each seat"),
        ({"hands": [[1, 1], [], []]}, "`hands/0`: It names something twice"),
        ({"prestige": {"b1:C1": 5}}, "greater than the maximum of 4"),
        ({"prestige": {f"b1:C{n}": 4 for n in (1, 2, 3)} | {"b2:C1": 4}}, "fewer tiles of value 4"),
        ({"prestige": {"b3:C1": 1}}, "no Chinese region 'b3:C1' on this table"),
        ({"threats": {"b1:M1": 1}}, "less than the minimum of 2"),
        ({"threats": {"b1:C1": 2}}, "no Mongol region 'b1:C1' on this table"),
        ({"removed": ["b3:M1"]}, "no Mongol region 'b3:M1' on this table"),
        ({"seen": {"b1:M1": [3]}}, "seat 3"),
        ({"reserved": {"0": ["b1:1"]}}, "beside the tower"),
        ({"reserved": {"x": []}}, "no seat 'x'"),
        ({"emperors": ["b1:C1", "b1:C1"]}, "`emperors`: It names something twice"),
        ({"emperors": ["b1:C1", "b1:C2", "b1:C3", "b2:C1"]}, "`emperors` must name 0"),
        ({"points": [{"luck": 3}, {}, {}]}, "`points/0`: Invalid enum value"),
        ({"scored": ["b1:C1"]}, "`scored` must name the full regions"),
        ({"boards": [], "agenda": []}, "boards in play"),
        ({"ended": "wall_complete"}, "has `ended`"),
        ({"last": {"turn": 0, "seat": 0, "cells": ["x"]}}, "`last/cells/0`: There is no cell"),
        (
            {"last": {"turn": 0, "seat": 0, "regions": ["x"]}},
            "`last/regions/0`: There is no Chinese region",
        ),
    ],
)
def test_what_no_game_could_come_to_is_refused(changes, sentence):
    with pytest.raises(BadPosition, match=re.escape(sentence)):
        read(**changes)


def test_a_match_can_go_on_from_a_position_that_was_written():
    """CC-3.1"""
    state = table("b1:1=0", active=2, turn=7)
    assert (seats_to_move(state), state.turn) == ((2,), 7)
    other = GAME.imagine(state, 2, Luck(1))
    assert seats_to_move(other) == (2,)


def test_the_position_in_the_docs_is_read():
    page = Path("docs/games/chang_cheng.md").read_text()
    (example,) = re.findall(r"```json\n(\{\"boards\".*?)```", page, re.DOTALL)
    state = read_start(GAME, GAME.setup(Options(), 2), msgspec.json.decode(example), 2)
    assert seats_to_move(state)
