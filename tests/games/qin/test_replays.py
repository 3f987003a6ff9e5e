"""Recorded games, at least one for each way to end: the rules still tell the same story."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from domain.games.qin import GAME
from domain.games.qin.state import EndReason
from tests.games.qin.recording import Plan
from tests.games.replay import Replays, replay

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
REPLAYS = Replays(Path(__file__).parent / "replays", PLANS, IN_WORDS)


@pytest.fixture(params=PLANS, ids=lambda plan: plan.name)
def plan(request, update_replays):
    if update_replays:
        REPLAYS.write(request.param)
    return request.param


def test_a_recorded_game_is_played_the_same_way_again(plan):
    """QIN-4.2"""
    assert replay(plan, REPLAYS.load(plan.name)).ended


def test_a_recording_says_what_it_began_with(plan):
    recorded = REPLAYS.load(plan.name)
    assert {key: recorded[key] for key in ("seed", "seats", "options", "position")} == {
        "seed": plan.seed,
        "seats": plan.seats,
        "options": plan.options,
        "position": plan.position,
    }


@pytest.mark.parametrize("name", IN_WORDS)
def test_a_recorded_game_reads_the_same(name):
    """QIN-12.1: every view, and how many moves there are to choose from."""
    told, recorded = REPLAYS.words(name)
    assert told == recorded


def test_every_way_to_end_and_every_event_is_recorded():
    """QIN-10.1, QIN-10.2"""
    events = REPLAYS.events()
    ends = {event["reason"] for event in events if event["type"] == "GameEnded"}
    assert ends == set(get_args(EndReason))
    assert {kind.__name__ for kind in GAME.events} <= {event["type"] for event in events}


def test_victories_are_recorded_that_are_shared_or_come_in_anothers_turn():
    """QIN-10.1, QIN-10.2"""
    assert len(end("shared_victory")["winners"]) > 1
    *_, last = REPLAYS.load("last_pagoda_in_anothers_turn")["entries"]
    assert end("last_pagoda_in_anothers_turn")["winners"] != [last["move"]["seat"]]


def end(name):
    return REPLAYS.load(name)["entries"][-1]["events"][-2]
