"""Moves, events and steps as JSON, and which JSON the codec refuses."""

from __future__ import annotations

import json

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadMove, BadOptions, BadPosition
from domain.engine.game import decide, fold, seats_to_move
from domain.engine.play import Awaiting
from tests.engine.table import new_game, position, random_move
from tests.engine.toy import GAME
from tests.engine.toy.events import CardSealed, CardsShown, Passed
from tests.engine.toy.moves import Pass, Seal, ShowCard
from tests.engine.toy.state.setup import Options
from tests.engine.toy.state.steps import Choose, Respond
from tests.support.for_each import for_each


def test_an_event_is_json_with_its_name_as_type():
    events = [CardSealed(1, None), Awaiting((Respond((0,), to=1, card=3),))]
    assert json.loads(json_codec.encode(events)) == [
        {"type": "CardSealed", "seat": 1, "card": None},
        {
            "type": "Awaiting",
            "agenda": [{"type": "Respond", "seats": [0], "to": 1, "card": 3}],
        },
    ]


@for_each("seed", range(10))
def test_all_events_of_a_game_come_back_from_json(seed):
    dice = Luck(seed)
    state = new_game(GAME, 4, dice)
    while seats_to_move(state):
        events = decide(GAME, state, random_move(GAME, state, dice), dice)
        assert json_codec.read_events(GAME, json_codec.encode(events)) == events
        assert json_codec.read_events(GAME, json.dumps(json_codec.to_json(events))) == events
        fold(state, events)


def test_unknown_fields_of_events_are_ignored():
    text = '[{"type": "Passed", "seat": 1, "since": "tomorrow"}]'
    assert json_codec.read_events(GAME, text) == [Passed(1)]


def test_tuples_of_events_stay_tuples():
    shown = CardsShown((None, 4), 1, 3)
    assert json_codec.read_events(GAME, json_codec.encode([shown])) == [shown]


def test_a_move_is_read_for_the_seat_of_the_player_and_not_for_the_seat_in_its_json():
    move = json_codec.read_move(GAME, 2, {"type": "ShowCard", "seat": 0, "to": 1, "card": 4})
    assert move == ShowCard(2, 1, 4)
    assert json_codec.read_move(GAME, 1, {"type": "Pass"}) == Pass(1)


def test_a_move_comes_back_from_its_own_json():
    assert json_codec.read_move(GAME, 1, json_codec.to_json(Seal(1, 4))) == Seal(1, 4)


@for_each(
    "data",
    [
        {},
        {"type": "Castle"},
        {"type": None},
        {"type": "Seal"},
        {"type": "Seal", "card": "4"},
        {"type": "Seal", "card": 4.5},
        {"type": "Seal", "card": True},
        {"type": "Choose"},
        {"type": "Pass", "why": "\ud800"},
        {"type": ["Pass"]},
    ],
)
def test_what_is_no_move_is_refused_as_bad(data):
    with pytest.raises(BadMove) as refusal:
        json_codec.read_move(GAME, 0, data)
    assert refusal.value.code == "bad_move"
    assert refusal.value.reason


def test_options_left_out_have_their_defaults():
    assert json_codec.read_options(GAME, {}) == Options(rounds=3)
    assert json_codec.read_options(GAME, {"rounds": 6}) == Options(rounds=6)


@for_each(
    "data", [{"rounds": 0}, {"rounds": "3"}, {"round": 3}, {"rounds": None}, {"rounds": 10**30}]
)
def test_what_are_no_options_is_refused_as_bad(data):
    with pytest.raises(BadOptions):
        json_codec.read_options(GAME, data)


@for_each(
    "changes",
    [
        {"hands": [[7], []]},
        {"hands": [[]]},
        {"bag": [0] * 5},
        {"bag": [-1, 0, 0, 0, 0, 0]},
        {"points": "many"},
        {"agenda": [{"type": "Castle"}]},
        {"castle": 1},
    ],
)
def test_what_is_no_position_is_refused_as_bad(changes):
    with pytest.raises(BadPosition):
        position(2, strict=True, **{"bag": [0] * 6, **changes})


@for_each("number", [10_000, -10_000, 10**40])
def test_a_number_that_is_too_large_is_in_no_position(number):
    with pytest.raises(BadPosition, match="between -9999 and 9999") as refused:
        position(2, strict=True, round=number)
    assert [fault.path for fault in refused.value.faults] == [("round",)]


def test_a_step_keeps_its_seats_through_json():
    events = [Awaiting((Choose((0, 2)),))]
    assert json_codec.read_events(GAME, json_codec.encode(events)) == events
