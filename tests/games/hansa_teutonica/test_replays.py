"""Recorded games, at least one for each way to end: the rules still tell the same story."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import MAPS
from domain.games.hansa_teutonica.moves import OpenOffice
from domain.games.hansa_teutonica.state import EndReason
from tests.games.hansa_teutonica.recording import Plan
from tests.games.hansa_teutonica.table import after, player, table
from tests.games.hansa_teutonica.test_ends_and_scores import DUISBURG, NINE, spent
from tests.games.replay import Replays, replay

OFFICIAL = {"marker_use": "later_action", "marker_refill": "on_take", "remove_three": "move"}
MARKERS = {
    "kampen--osnabruck": "remove_three",
    "goslar--magdeburg": "improve_ability",
    "dortmund--duisburg": "plus_4_actions",
}
WELL_READ = {"supply": "tttt", "levels": {"book": 3, "privilege": 2, "actions": 3}}
NEARLY_FULL = GAME.write_position(
    table(
        *(player(**WELL_READ) for _ in range(3)),
        cities=NINE,
        markers=MARKERS,
        pile={"swap_offices": 2, "plus_3_actions": 2},
    )
)
LAST_MARKERS = GAME.write_position(
    table(
        *(player("tttttt", ready={"extra_office": 1, "swap_offices": n}) for n in (0, 1, 1)),
        markers=MARKERS,
        pile={"plus_3_actions": 1, "extra_office": 1},
    )
)
SPENT = GAME.write_position(after(spent(), OpenOffice(0, DUISBURG, "duisburg")))
PLANS = [
    Plan("prestige", 1, 3),
    Plan("two_players", 0, 2),
    Plan("five_players", 2, 5, OFFICIAL),
    Plan("east", 5, 3, {"map": "east"}),
    Plan("britannia", 6, 3, {"map": "britannia"}),
    Plan("britannia_north", 7, 4, {"map": "britannia", "remove_three": "move"}),
    Plan("cities", 3, 3, position=NEARLY_FULL),
    Plan("markers", 4, 3, position=LAST_MARKERS),
    Plan("pieces", 8, 3, position=SPENT),
]
IN_WORDS = ("cities", "markers")
REPLAYS = Replays(Path(__file__).parent / "replays", PLANS, IN_WORDS)


@pytest.fixture(params=PLANS, ids=lambda plan: plan.name)
def plan(request, update_replays):
    if update_replays:
        REPLAYS.write(request.param)
    return request.param


def test_a_recorded_game_is_played_the_same_way_again(plan):
    """HT-3.1"""
    assert replay(plan, REPLAYS.load(plan.name)).ended


@pytest.mark.parametrize("name", IN_WORDS)
def test_a_recorded_game_reads_the_same(name):
    """HT-12.1"""
    told, recorded = REPLAYS.words(name)
    assert told == recorded


def test_every_way_to_end_all_maps_and_most_events_are_recorded():
    """HT-9.1, HT-2.1, HT-14.2, HT-14.3"""
    events = REPLAYS.events()
    ends = {event["reason"] for event in events if event["type"] == "GameEnded"}
    assert ends == set(get_args(EndReason))
    assert {plan.table().setup.map.id for plan in PLANS} == set(MAPS)
    rare = {  # rule by rule elsewhere
        "BonusDeclined",
        "CitiesConnected",
        "MarkersReturned",
        "PieceDeployed",
        "PieceHomeless",
    }
    assert {kind.__name__ for kind in GAME.events} - {event["type"] for event in events} <= rare
