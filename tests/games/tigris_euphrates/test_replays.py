"""Recorded games, at least one for each way to end: the rules still tell the same story."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.state import EndReason
from tests.games.replay import Replays, replay
from tests.games.tigris_euphrates.recording import Plan

FEW_TILES = {
    "tiles": {
        "F3": "red",
        "G3": "black",
        "H3": "red",
        "J3": "red",
        "K3": "black",
        "L3": "red",
        "I7": "red",
        "N5": "red",
        "K1": "red",
        "H4": "green",
        "G4": "green",
    },
    "treasures": ["F3", "I7", "N5"],
    "leaders": [{"black": "F4", "red": "F2"}, {"black": "L4", "red": "L2", "green": "J2"}],
    "hands": [{"green": 3, "red": 2, "black": 1}, {"black": 3, "red": 3}],
    "bag": {"red": 4, "green": 4, "blue": 4, "black": 4},
}
PLANS = [
    Plan("treasures", 0, 2),
    Plan("chosen_war", 5, 2),
    Plan("bag", 0, 3),
    Plan("open_scores", 5, 4, {"open_scores": True}),
    Plan("advanced_board", 2, 2, {"board": "advanced"}),
    Plan("short", 0, 2, position=FEW_TILES),
]
IN_WORDS = ("treasures", "short")
REPLAYS = Replays(Path(__file__).parent / "replays", PLANS, IN_WORDS)


@pytest.fixture(params=PLANS, ids=lambda plan: plan.name)
def plan(request, update_replays):
    if update_replays:
        REPLAYS.write(request.param)
    return request.param


def test_a_recorded_game_is_played_the_same_way_again(plan):
    """TE-3.3"""
    assert replay(plan, REPLAYS.load(plan.name)).ended


@pytest.mark.parametrize("name", IN_WORDS)
def test_a_recorded_game_reads_the_same(name):
    """TE-16.1: what happened, and what each seat sees at the end."""
    told, recorded = REPLAYS.words(name)
    assert told == recorded


def test_every_way_to_end_and_every_event_is_recorded():
    """TE-15.1"""
    events = REPLAYS.events()
    ends = {event["reason"] for event in events if event["type"] == "GameEnded"}
    assert ends == set(get_args(EndReason))
    assert {kind.__name__ for kind in GAME.events} <= {event["type"] for event in events}
