"""Recorded games: the rules still tell the same story."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.board import EVENT_CARDS
from domain.games.chang_cheng.state import EndReason
from tests.games.chang_cheng.recording import Plan
from tests.games.replay import Replays, replay

PLANS = [
    Plan("one_extension", 1, 3),
    Plan("two_extensions", 2, 4, {"face": "b", "events": "random"}),
    Plan("neutral", 3, 2),
    Plan("forced_neutral", 181, 2, {"chosen_events": ["hegemon", "diplomat"]}),
    Plan("shared_victory", 4, 4),
    Plan("skipped", 12, 4),
    Plan("two_at_once", 21, 4),
    *(Plan(card, 10 + n, 3, {"chosen_events": [card]}) for n, card in enumerate(EVENT_CARDS)),
]
IN_WORDS = ("one_extension", "neutral")
REPLAYS = Replays(Path(__file__).parent / "replays", PLANS, IN_WORDS)


@pytest.fixture(params=PLANS, ids=lambda plan: plan.name)
def plan(request, update_replays):
    if update_replays:
        REPLAYS.write(request.param)
    return request.param


def test_a_recorded_game_is_played_the_same_way_again(plan):
    """CC-3.1"""
    assert replay(plan, REPLAYS.load(plan.name)).ended


def test_a_recording_says_what_it_began_with(plan):
    recorded = REPLAYS.load(plan.name)
    assert {key: recorded[key] for key in ("seed", "seats", "options")} == {
        "seed": plan.seed,
        "seats": plan.seats,
        "options": plan.options,
    }


@pytest.mark.parametrize("name", IN_WORDS)
def test_a_recorded_game_reads_the_same(name):
    """CC-9.1, CC-9.2: what each seat knows, and how many moves there are."""
    told, recorded = REPLAYS.words(name)
    assert told == recorded


def test_every_event_and_every_move_is_recorded():
    """CC-4.1, CC-4.2, CC-4.4, CC-4.5, CC-7.1"""
    names = [plan.name for plan in PLANS]
    assert {kind.__name__ for kind in GAME.events} <= {e["type"] for e in REPLAYS.events()}
    moves = [line["move"] for name in names for line in REPLAYS.load(name)["entries"]]
    assert {kind.__name__ for kind in GAME.answers.moves} <= {
        move["type"] for move in moves if move
    }


def test_every_way_to_end_is_recorded():
    """CC-10.1"""
    ends = {e["reason"] for e in REPLAYS.events("one_extension") if e["type"] == "GameEnded"}
    assert ends == set(get_args(EndReason))


@pytest.mark.parametrize(("name", "extensions"), [("one_extension", 1), ("two_extensions", 2)])
def test_the_wall_is_extended_once_or_twice(name, extensions):
    """CC-8.2"""
    assert sum(event["type"] == "BoardAdded" for event in REPLAYS.events(name)) == extensions


@pytest.mark.parametrize("card", EVENT_CARDS)
def test_each_event_card_is_recorded(card):
    """CC-12.1"""
    kinds = {event["type"] for event in REPLAYS.events(card)}
    assert ("ThreatOpened" if card == "scout" else "EventCardScored") in kinds


def test_neutral_walls_and_a_shared_victory_are_recorded():
    """CC-11.2, CC-13.2"""
    assert {"NeutralBuilt", "NeutralDeclined"} <= {e["type"] for e in REPLAYS.events("neutral")}
    end = next(e for e in REPLAYS.events("shared_victory") if e["type"] == "GameEnded")
    assert len(end["winners"]) > 1


def test_a_forced_neutral_wall_is_recorded():
    """CC-11.6"""
    agendas = [event["agenda"] for event in REPLAYS.events("forced_neutral") if "agenda" in event]
    assert any(step["type"] == "ForcedNeutral" for agenda in agendas for step in agenda)
