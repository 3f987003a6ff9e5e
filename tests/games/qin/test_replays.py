"""Recorded games, at least one for each way to end: the rules still tell the same story."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from domain.engine import codec
from domain.engine.game import decide, fold, start
from domain.games.qin import GAME
from domain.games.qin.state import EndReason
from tests.games.qin.recording import Plan, as_json, as_text, read, record

REPLAYS = Path(__file__).parent / "replays"
LION = {"board": "lion"}
RUIN = {"joining_majors": "mutual_removal"}
FEW_TILES = {
    "cells": ["......", "..B...", "....V.", "......"],
    "owners": ["......"] * 4,
    "hands": [["RR", "RY"], ["YB", "BB"]],
    "pile": ["YY"],
}
NARROW = {
    "cells": ["rr.rr..", "bb.bb##"],
    "owners": ["11.00..", "11.00.."],
    "hands": [["YY", "YY"], ["RR"]],
    "pile": [],
}
PLANS = [
    Plan("last_pagoda", 0, 2, RUIN),
    Plan("last_pagoda_in_anothers_turn", 0, 2),
    Plan("blocked", 0, 3, LION),
    Plan("shared_victory", 3, 4),
    Plan("ruin", 10, 3, LION | RUIN),
    Plan("passed", 57, 4),
    Plan("tiles_exhausted", 1, 2, position=FEW_TILES),
    Plan("plays_again", 1, 2, position=NARROW),
]
IN_WORDS = ("last_pagoda", "tiles_exhausted", "plays_again")


@pytest.fixture(params=PLANS, ids=lambda plan: plan.name)
def plan(request, update_replays):
    if update_replays:
        write(request.param)
    return request.param


def write(plan):
    recorded = record(plan)
    (REPLAYS / f"{plan.name}.json").write_text(as_json(recorded))
    if plan.name in IN_WORDS:
        (REPLAYS / f"{plan.name}.txt").write_text(as_text(plan, recorded))


def load(name):
    return msgspec.json.decode((REPLAYS / f"{name}.json").read_bytes())


def test_a_recorded_game_is_played_the_same_way_again(plan):
    """QIN-4.2"""
    state, entries = plan.table(), load(plan.name)["entries"]
    for number, line in enumerate(entries):
        assert again(plan, state, number, line["move"]) == read(line)
        fold(state, read(line))
    assert state.ended


def again(plan, state, number, move):
    dice = plan.dice(number)
    if move is None:
        return start(GAME, state.setup, plan.seats, dice)
    return decide(GAME, state, codec.read_move(GAME, move["seat"], move), dice)


def test_a_recording_says_what_it_began_with(plan):
    recorded = load(plan.name)
    assert {key: recorded[key] for key in ("seed", "seats", "options", "position")} == {
        "seed": plan.seed,
        "seats": plan.seats,
        "options": plan.options,
        "position": plan.position,
    }


@pytest.mark.parametrize("name", IN_WORDS)
def test_a_recorded_game_reads_the_same(name):
    """QIN-12.1: every view, and how many moves there are to choose from."""
    plan = next(plan for plan in PLANS if plan.name == name)
    assert as_text(plan, load(name)) == (REPLAYS / f"{name}.txt").read_text()


def test_every_way_to_end_and_every_event_is_recorded():
    """QIN-10.1, QIN-10.2"""
    lines = [line for plan in PLANS for line in load(plan.name)["entries"]]
    events = [event for line in lines for event in line["events"]]
    ends = {event["reason"] for event in events if event["type"] == "GameEnded"}
    assert ends == set(get_args(EndReason))
    assert {kind.__name__ for kind in GAME.events} <= {event["type"] for event in events}


def test_victories_are_recorded_that_are_shared_or_come_in_anothers_turn():
    """QIN-10.1, QIN-10.2"""
    assert len(end("shared_victory")["winners"]) > 1
    *_, last = load("last_pagoda_in_anothers_turn")["entries"]
    assert end("last_pagoda_in_anothers_turn")["winners"] != [last["move"]["seat"]]


def end(name):
    return load(name)["entries"][-1]["events"][-2]
