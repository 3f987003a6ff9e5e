"""Positions that no game reaches: what lies on the table shows how the game went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from domain.engine.errors import BadPosition
from domain.engine.starting.starts import read_start
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.state.setup import Options
from tests.games.chang_cheng.table import card, piece
from tests.support.for_each import for_each

C1, C2, C3 = "b1:1-2=0 b1:3=1 b1:4=2", "b1:5-6=1 b1:7=1 b1:8=2 b1:9=2", "b1:10=2 b1:11-12=2 b1:13=0"
"""Regions of the first board, each full."""
THREE = f"{C1} {C2} {C3}"
FOUR = f"{THREE} b2:1=0 b2:2=1 b2:3=1"
EXTENDED = {"boards": ["b1", "b2", "b3"]}
EMPEROR = {"emperors": ["b1:C1"]}
OPENING = {"opening": True, "first": 0, "active": 1}


def read(walls: str, seats: int = 3, options: Any = None, **position: Any) -> Any:
    """The table with these pieces, as a match reads it."""
    data = {"boards": ["b1", "b2"], "pieces": [piece(word) for word in walls.split()], **position}
    return read_start(GAME, GAME.setup(options or Options(), seats), data, seats)


def last(
    cells: Sequence[str] = (), regions: Sequence[str] = (), turn: int = 0
) -> dict[str, dict[str, Any]]:
    """What the turn before touched."""
    return {"last": {"turn": turn, "seat": 0, "cells": [*cells], "regions": [*regions]}}


def scores(**points: int) -> dict[str, Any]:
    """Points of seat 0."""
    return {"points": [points, {}, {}]}


def paid(value: int, seats: Sequence[int] = (0,), points: int | None = None) -> dict[str, Any]:
    """The first region, its tile worth 0, has paid `value`, and seat 0 has its points of it."""
    got = scores(regions=value if points is None else points)
    one = {"region": "b1:C1", "value": value, "seats": [*seats]}
    return {**got, "paid": [one], "prestige": {"b1:C1": 0}}


POSSIBLE: dict[str, tuple[str, dict[str, Any]]] = {
    "nothing built": ("", {}),
    "one scored": (C1, EMPEROR),
    "two scored": (f"{C1} {C2}", {}),
    "three scored, and a board added": (THREE, {**EXTENDED, "emperors": []}),
    "four scored": (FOUR, {**EXTENDED, "emperors": ["b2:C1"]}),
    "a ruin": ("b1:1=0x b1:2=1 b1:3=1 b1:4=2", {"hands": [[1, 3], [], []]}),
    "a threat removed": (C1, {"removed": ["b1:M1"], "hands": [[], [2], []]}),
    "looks": ("b1:1=0", {"seen": {"b1:M1": [0]}}),
    "the Scout": ("b1:1=0", {"seen": {"b1:M1": "all"}, "events": ["scout"]}),
    "a last turn": ("b1:1=0", {**last(["b1:1"], ["b1:C1"], 3), "turn": 4}),
    "a value that a Flood made less": (C1, paid(2)),
    "points that are not told": (C1, {"paid": []}),
    "points of a double": ("b1:1-2=0", scores(double=2)),
    "a first turn": ("b1:1=0", OPENING),
}

IMPOSSIBLE: dict[str, tuple[str, dict[str, Any], str]] = {
    "emperors on regions that are not full": (
        "",
        {"emperors": ["b1:C1", "b1:C2", "b1:C3"]},
        "`emperors` must name 0 of the regions that were scored",
    ),
    "an emperor on an empty region": ("", EMPEROR, "must name 0 of the regions"),
    "an emperor on another region": (C1, {"emperors": ["b1:C2"]}, "must name 1 of the regions"),
    "no emperor on what was scored": (C1, {"emperors": []}, "must name 1 of the regions"),
    "three scored and no board added": (THREE, {}, "`boards` must name 3"),
    "a board too early": (f"{C1} {C2}", EXTENDED, "`boards` must name 2"),
    "emperors before the extension": (
        FOUR,
        {**EXTENDED, "emperors": ["b1:C1", "b1:C2"]},
        "must name 1",
    ),
    "a full region that was not scored": (
        C1,
        {"scored": [], **EMPEROR},
        "`scored` must name the full regions: b1:C1",
    ),
    "a card in a region that was scored": (
        C1,
        {"cards": [card(0, 1, "b1:C1")]},
        "`cards` must not lie in regions that were scored: b1:C1",
    ),
    "the same event twice": (
        "",
        {"events": ["scout", "scout"]},
        "`events`: It names something twice",
    ),
    "three events": ("", {"events": ["scout", "hegemon", "diplomat"]}, "more than 2 items"),
    "a first turn after others": (
        "b1:1=0 b1:2=0",
        OPENING,
        "one single, and nothing else",
    ),
    "a first turn before that of another": ("", OPENING, "one single, and nothing else"),
    "a first turn after a double": (
        "b1:1=0 b1:2-3=2",
        OPENING,
        "one single, and nothing else",
    ),
    "the same look twice": (
        "b1:1=0",
        {"seen": {"b1:M1": [0, 0]}},
        "`seen/b1:M1`: It names something twice",
    ),
    "a threat removed twice": (
        C1,
        {"removed": ["b1:M1", "b1:M1"], "hands": [[], [], []]},
        "`removed`: It names something twice",
    ),
    "a region scored twice": (
        C1,
        {"scored": ["b1:C1", "b1:C1"]},
        "`scored`: It names something twice",
    ),
    "a last cell that is not in play": ("", last(["b3:1"]), "no cell 'b3:1'"),
    "a last cell twice": ("b1:1=0", last(["b1:1", "b1:1"]), "`last/cells`: It names"),
    "a last region twice": (
        "",
        last(regions=["b1:C1", "b1:C1"]),
        "`last/regions`: It names something twice",
    ),
    "a last region that is not in play": ("", last(regions=["b3:C1"]), "no Chinese region 'b3:C1'"),
    "a region that paid a seat twice": (C1, paid(4, seats=[0, 0]), "`paid/0/seats`: It names"),
}


@for_each(("walls", "position"), POSSIBLE.values())
def test_what_a_game_comes_to_is_read(walls, position):
    """CC-3.2, CC-7.4, CC-8.1, CC-8.2, CC-9.2, CC-12.5"""
    assert read(walls, **position).agenda


@for_each(("walls", "position", "sentence"), IMPOSSIBLE.values())
def test_what_no_game_comes_to_is_refused(walls, position, sentence):
    """CC-3.1, CC-3.2, CC-5.5, CC-7.4, CC-8.1, CC-8.2, CC-9.2, CC-10.1, CC-12.1, CC-12.5"""
    with pytest.raises(BadPosition, match=sentence) as refused:
        read(walls, **position)
    assert refused.value.reason.endswith(".")


def test_emperor_cards_that_are_left_out_lie_where_they_are_due():
    """CC-8.1, CC-8.2"""
    assert read("").emperors == ()
    assert read(f"{C1} {C2}").emperors == ("b1:C1", "b1:C2")
    assert len(read(FOUR, **EXTENDED).emperors) == 1
