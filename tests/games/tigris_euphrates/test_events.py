"""What each event changes in a position, and that it changes nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from domain.engine.codecs import json_codec
from domain.engine.game import fold
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.events import conflicts, course, monuments, pieces
from domain.games.tigris_euphrates.state.table import SOURCES
from tests.games.tigris_euphrates.table import hands, table
from tests.support.for_each import for_each


def start() -> Any:
    """A table with something of everything."""
    return table(
        tiles={"G3": "black", "G5": "green", "H5": "green", "G6": "green", "H6": "green"},
        leaders=({"black": "F2"}, {"black": "N6", "red": "F4"}),
        hands=hands("krgb", "rr"),
        points=[{"red": 1}, {"blue": 2}],
        counted=[{"king": 1}, {"tiles": 2}],
    )


def write_position(state: Any) -> dict[str, Any]:
    """A position as it comes back from JSON."""
    position: dict[str, Any] = json.loads(json_codec.encode(GAME.write_position(state)))
    return position


def find_changes(event: Any, state: Any = None) -> dict[str, Any]:
    """The fields of a position that an event changes."""
    state = state or start()
    then, now = write_position(state), write_position(fold(state.copy(), [event]))
    assert write_position(state) == then
    return {name: now.get(name) for name in {*then, *now} if now.get(name) != then.get(name)}


FIGHT = {"attacker": 0, "attacker_total": 3, "defender_total": 2, "returned": "N6"}
LAST = {"seat": 0, "deed": "leader", "color": "red", "cells": ["A1"]}

WRITES: dict[str, tuple[Any, dict[str, Any]]] = {
    "who begins": (course.StartPlayerChosen(1), {"first": 1}),
    "tiles drawn": (
        course.TilesDrawn(1, ("blue", "blue", "red")),
        {"hands": [HAND := {"black": 1, "red": 1, "green": 1, "blue": 1}, {"red": 3, "blue": 2}]},
    ),
    "a bag that ran out": (course.BagRanOut(1, 2), {"short": True}),
    "a tile put away": (
        course.TileDiscarded(0, "blue"),
        {
            "hands": [{"black": 1, "red": 1, "green": 1}, {"red": 2}],
            "discarded": [{"blue": 1}, {}],
            "last": {"seat": 0, "deed": "swap", "color": None, "cells": []},
        },
    ),
    "an action passed": (
        course.ActionPassed(1),
        {"last": {"seat": 1, "deed": "pass", "color": None, "cells": []}},
    ),
    "the end of a turn": (course.TurnEnded(0), {}),
    "the end of the game": (
        course.GameEnded("bag", (1,), ((0,) * 4, (1,) * 4)),
        {"ended": "bag", "winners": [1]},
    ),
    "a leader placed": (
        pieces.LeaderPlaced(0, "red", "A1"),
        {"leaders": [{"black": "F2", "red": "A1"}, {"black": "N6", "red": "F4"}], "last": LAST},
    ),
    "a leader moved": (
        pieces.LeaderMoved(0, "black", "F2", "A1"),
        {
            "leaders": [{"black": "A1"}, {"black": "N6", "red": "F4"}],
            "last": {**LAST, "color": "black", "cells": ["F2", "A1"]},
        },
    ),
    "a leader withdrawn": (
        pieces.LeaderWithdrawn(1, "red", "F4"),
        {
            "leaders": [{"black": "F2"}, {"black": "N6"}],
            "last": {"seat": 1, "deed": "withdraw", "color": "red", "cells": ["F4"]},
        },
    ),
    "a leader sent home": (
        pieces.LeaderExiled(0, "black", "F2"),
        {"leaders": [{}, {"black": "N6", "red": "F4"}]},
    ),
    "a point for a tile": (
        pieces.TileScored(0, "green", "A1", "green"),
        {
            "points": [{"red": 1, "green": 1}, {"blue": 2}],
            "counted": [{"tiles": 1, "king": 1}, {"tiles": 2}],
        },
    ),
    "a point for a king": (
        pieces.TileScored(1, "green", "A1", "black"),
        {
            "points": [{"red": 1}, {"green": 1, "blue": 2}],
            "counted": [{"king": 1}, {"tiles": 2, "king": 1}],
        },
    ),
    "two kingdoms united": (
        pieces.KingdomsUnited(0, "A1", (("F2",), ("F4",))),
        {"united": {"at": "A1", "sides": [["F2"], ["F4"]]}},
    ),
    "a catastrophe on nothing": (
        pieces.CatastrophePlaced(0, "A1", None),
        {
            "catastrophes": ["A1"],
            "catastrophes_left": [1, 2],
            "last": {"seat": 0, "deed": "catastrophe", "color": None, "cells": ["A1"]},
        },
    ),
    "a war chosen": (conflicts.WarChosen(0, "red"), {}),
    "tiles committed": (
        conflicts.TilesCommitted(1, "red", 2),
        {"hands": [HAND, {}], "gone": {"red": 2}, "committed": [0, 2]},
    ),
    "a revolt decided": (
        conflicts.RevoltDecided("black", 0, 1, **FIGHT),
        {
            "leaders": [{"black": "F2"}, {"red": "F4"}],
            "points": [{"red": 2}, {"blue": 2}],
            "counted": [
                {"king": 1, "revolts": 1, "revolts_won_as_attacker": 1},
                {"tiles": 2, "revolts_lost_as_defender": 1},
            ],
            "conflict": {
                "kind": "revolt",
                "color": "black",
                "winner": 0,
                "loser": 1,
                "attacker": 0,
                "attacker_total": 3,
                "defender_total": 2,
                "points": 1,
                "removed": [],
            },
        },
    ),
    "a monument declined": (monuments.MonumentDeclined(0), {}),
    "treasures taken": (
        monuments.TreasuresTaken(1, ("F3", "B2"), "K1"),
        {
            "treasures": ["K1", "P2", "N5", "I7", "B8", "O9", "F10", "K11"],
            "treasures_taken": [0, 2],
        },
    ),
    "a monument that pays": (
        monuments.MonumentScored(1, "black-red", "black"),
        {
            "points": [{"red": 1}, {"black": 1, "blue": 2}],
            "counted": [{"king": 1}, {"tiles": 2, "monuments": 1}],
        },
    ),
}


@for_each(("event", "wanted"), WRITES.values())
def test_an_event_writes_down_just_this(event, wanted):
    """TE-9.6, TE-10.3, TE-10.4, TE-13.1, TE-14.1"""
    found = find_changes(event)
    found.pop("bag", None)
    assert found == wanted


def test_all_events_are_tested_here_or_below():
    below = {
        pieces.TilePlaced,
        pieces.UnificationTileRemoved,
        conflicts.ConflictBegan,
        conflicts.WarDecided,
        monuments.MonumentBuilt,
    }
    assert {type(event) for event, _ in WRITES.values()} | below == set(GAME.events)


def test_drawn_tiles_come_out_of_the_bag():
    """TE-2.2"""
    state = start()
    after = fold(state.copy(), [course.TilesDrawn(0, ("blue", "blue", "red"))])
    assert [then - now for then, now in zip(state.bag, after.bag, strict=True)] == [0, 1, 0, 2]


def test_a_placed_tile_comes_from_the_hand():
    """TE-6.1"""
    found = find_changes(pieces.TilePlaced(0, "red", "A1"))
    assert found["tiles"]["A1"] == "red"
    assert found["hands"] == [{"black": 1, "green": 1, "blue": 1}, {"red": 2}]
    assert found["last"] == {"seat": 0, "deed": "tile", "color": "red", "cells": ["A1"]}
    assert set(found) == {"tiles", "hands", "last"}


def test_a_catastrophe_takes_the_tile_below_out_of_the_game():
    """TE-7.2"""
    found = find_changes(pieces.CatastrophePlaced(1, "G3", "black"))
    assert "G3" not in found["tiles"]
    assert (found["gone"], found["catastrophes_left"]) == ({"black": 1}, [2, 1])


def test_only_the_unification_tile_is_removed():
    """TE-11.11"""
    state = fold(start(), [pieces.KingdomsUnited(0, "A1", (("F2",), ("F4",)))])
    assert find_changes(pieces.UnificationTileRemoved("A1"), state) == {"united": None}


def test_a_conflict_begins_with_nothing_committed():
    """TE-9.3"""
    state = start()
    state.committed = [3, 1]
    conflict = conflicts.Conflict("revolt", "black", 0, 1, "F2", "N6", 1, 1)
    assert find_changes(conflicts.ConflictBegan(conflict, ("F3",), ("N5",)), state) == {
        "committed": [0, 0]
    }


def test_a_decided_conflict_leaves_nothing_committed():
    """TE-9.6"""
    state = start()
    state.committed = [3, 1]
    assert find_changes(conflicts.RevoltDecided("black", 0, 1, **FIGHT), state)["committed"] == [
        0,
        0,
    ]


def test_a_war_takes_leader_and_tiles_and_gives_their_points():
    """TE-11.6, TE-11.7"""
    decided = conflicts.WarDecided(
        "green", 1, 0, **{**FIGHT, "returned": "F2"}, removed=("G5", "H6"), kept=(), points=3
    )
    state = start()
    state.post(2, state.board.number["H4"])
    found = find_changes(decided, state)
    assert set(found["tiles"]) & {"G5", "H5", "G6", "H6"} == {"H5", "G6"}
    assert found["gone"] == {"green": 2}
    assert found["points"] == [{"red": 1}, {"green": 3, "blue": 2}]
    assert found["leaders"][0] == {"black": "F2"}
    assert found["counted"] == [
        {"king": 1, "wars_lost_as_attacker": 1},
        {"tiles": 2, "wars": 3, "wars_won_as_defender": 1},
    ]
    assert found["conflict"]["removed"] == ["G5", "H6"]
    assert (found["conflict"]["points"], found["conflict"]["kind"]) == (3, "war")


def test_a_monument_turns_its_tiles_face_down():
    """TE-12.3, TE-12.4"""
    found = find_changes(monuments.MonumentBuilt(0, "red-green", "green", ("G5", "H5", "G6", "H6")))
    assert found["monuments"] == {"red-green": "G5"}
    assert not set(found["tiles"]) & {"G5", "H5", "G6", "H6"}
    assert found["gone"] == {"green": 4}
    assert found["last"]["cells"] == ["G5", "H5", "G6", "H6"]
    assert set(found) == {"monuments", "tiles", "gone", "last"}


@pytest.mark.parametrize("event", [course.TilesDrawn(0, (None,)), course.TileDiscarded(0, None)])
def test_what_was_hidden_cannot_be_written_down(event):
    """TE-16.3, TE-16.4"""
    with pytest.raises(AssertionError, match="redacted"):
        event.apply(start())


def test_points_come_from_five_sources():
    """TE-6.5, TE-10.4, TE-11.7, TE-14.1"""
    assert SOURCES == ("tiles", "king", "revolts", "wars", "monuments")
