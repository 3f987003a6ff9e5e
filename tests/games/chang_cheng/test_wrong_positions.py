"""Positions that no game reaches: what lies on the table shows how the game went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from domain.engine.errors import BadPosition
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.state.setup import Options
from tests.games.chang_cheng.situations import WAITING
from tests.games.chang_cheng.table import card, piece

C1, C2, C3 = "b1:1-2=0 b1:3=1 b1:4=2", "b1:5-6=1 b1:7=1 b1:8=2 b1:9=2", "b1:10=2 b1:11-12=2 b1:13=0"
"""Regions of the first board, each full."""
THREE = f"{C1} {C2} {C3}"
FOUR = f"{THREE} b2:1=0 b2:2=1 b2:3=1"
EXTENDED = {"boards": ["b1", "b2", "b3"]}
EMPEROR = {"emperors": ["b1:C1"]}
NEXT: dict[str, Any] = {"type": "NextTurn", "seat": 0}
TURN: dict[str, Any] = {"type": "Turn", "seats": [0]}
FIRST: dict[str, Any] = {"type": "FirstTurn", "seats": [1]}
OPENING = {"opening": True, "first": 0, "active": 1}


def read(walls: str, seats: int = 3, options: Any = None, **position: Any) -> Any:
    """The table with these pieces, as a match reads it."""
    data = {"boards": ["b1", "b2"], "pieces": [piece(word) for word in walls.split()], **position}
    return GAME.read_position(GAME.setup(options or Options(), seats), data, seats)


def waiting(*steps: dict[str, Any]) -> dict[str, Any]:
    """These steps, the next one last."""
    return {"agenda": [NEXT, *steps]}


def use_flood(region: str = "b1:C1", **tally: Any) -> dict[str, Any]:
    """Seat 1 uses a Flood in a region; `tally` is the count at this point."""
    counted = {"region": region, "waiting": [card(1, 3, region)], "change": 0, "extra": [0, 0, 0]}
    about = {"region": region}
    steps = [
        {"type": "Majority", "seat": 0, **about},
        {"type": "NextCard", **about},
        {"type": "UseCard", "seats": [1], "number": 3, **about},
    ]
    return {"tally": {**counted, **tally}, "emperors": [], **waiting(*steps)}


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
    "a card": (C1, use_flood()),
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
    "an emperor on what is scored now": (C1, {**use_flood(), **EMPEROR}, "must name 0"),
    "three scored and no board added": (THREE, {}, "a board is added at once"),
    "a board too early": (f"{C1} {C2}", EXTENDED, "after 3 regions were scored"),
    "emperors before the extension": (
        FOUR,
        {**EXTENDED, "emperors": ["b1:C1", "b1:C2"]},
        "must name 1",
    ),
    "a ruin where nothing was scored": ("b1:1=0x", {"hands": [[], [], []]}, "A ruin lies in"),
    "two ruins by one Traitor": (
        "b1:1=0x b1:2=1x b1:3=1 b1:4=2",
        {"hands": [[], [], []]},
        "A ruin lies in",
    ),
    "a ruin without a Traitor": ("b1:1=0x b1:2=1 b1:3=1 b1:4=2", {}, "takes a Traitor"),
    "a Traitor that still lies there": (
        "b1:1=0x b1:2=1 b1:3=1 b1:4=2",
        {"hands": [[2], [], [2]], "cards": [card(1, 2, "b1:C2")]},
        "takes a Traitor",
    ),
    "a threat removed far away": (
        C1,
        {"removed": ["b2:M3"], "hands": [[], [], []]},
        "beside a region that is scored",
    ),
    "a look where nothing was built": ("", {"seen": {"b1:M1": [0]}}, "where nothing was built"),
    "an open threat without the Scout": (
        "b1:1=0",
        {"seen": {"b1:M1": "all"}},
        "with the Scout only",
    ),
    "a look with the Scout": (
        "b1:1=0",
        {"seen": {"b1:M1": [0]}, "events": ["scout"]},
        "with the Scout only",
    ),
    "nothing left to reserve": (
        "b1:1=0t b1:2=1",
        {"reserved": {"0": ["b1:2"]}},
        "Nothing is left",
    ),
    "the same event twice": ("", {"events": ["scout", "scout"]}, "At most 2 different"),
    "three events": ("", {"events": ["scout", "hegemon", "diplomat"]}, "At most 2 different"),
    "an end before the wall is full": (
        C1,
        {"ended": "wall_complete", "winners": [0]},
        "when the wall is complete",
    ),
    "a first turn after others": ("b1:1=0 b1:2=0", OPENING, "one single, in order"),
    "a first turn before that of another": ("", OPENING, "one single, in order"),
    "a first turn after a double": ("b1:1=0 b1:2-3=2", OPENING, "one single, in order"),
    "a first turn after a card": (
        "b1:1=0",
        {**OPENING, "cards": [card(0, 1, "b1:C1")]},
        "no card is laid",
    ),
    "a first turn with few cards": ("b1:1=0", {**OPENING, "hands": [[1], [], []]}, "no card"),
    "first turns to come that are over": ("", {"agenda": [{**NEXT, "opening": 1}, TURN]}, "is 0"),
    "too few first turns to come": (
        "b1:1=0",
        {"first": 0, "agenda": [{**NEXT, "seat": 1}, FIRST]},
        "`opening` is 1",
    ),
    "the turn of another": ("", waiting({**TURN, "seats": [1]}), "about the seat of NextTurn"),
    "a scoring of another": (
        C1,
        {
            **use_flood(),
            "agenda": [{**NEXT, "seat": 1}, *use_flood()["agenda"][1:]],
        },
        "about the seat of NextTurn",
    ),
    "a turn within a turn": (
        "",
        waiting({"type": "Second", "seat": 0, "region": "b1:C1"}, TURN),
        "Nothing but NextTurn comes after Turn",
    ),
    "an offer to nobody below": (
        "",
        waiting({"type": "SecondSingle", "seats": [], "region": "b1:C1"}, TURN),
        "Nothing but NextTurn",
    ),
    "a card that waits for nothing": (
        C1,
        {**use_flood(), "agenda": [use_flood()["agenda"][0], use_flood()["agenda"][3]]},
        "Majority and NextCard come after UseCard",
    ),
    "a scoring in the wrong order": (
        C1,
        {**use_flood(), "agenda": [use_flood()["agenda"][n] for n in (0, 2, 1, 3)]},
        "Majority and NextCard come after UseCard",
    ),
    "a chore that waits": (
        "",
        waiting({"type": "Second", "seats": [0], "seat": 0, "region": "b1:C1"}),
        "waits for nobody",
    ),
    "no card laid before": (
        "",
        waiting({"type": "AfterCard", "seats": [0], "region": "b1:C1"}),
        "where a card was laid",
    ),
    "more than cards can change": (C1, use_flood(change=6), "more than cards can change"),
    "half a change": (C1, use_flood(change=1), "more than cards can change"),
    "walls by no card": (C1, use_flood(extra=[9, 0, 0]), "more than cards can change"),
    "walls less than none": (C1, use_flood(extra=[-1, 0, 0]), "more than cards can change"),
    "a change by a card that waits": (C1, use_flood(change=2), "more than cards can change"),
    "looks of more seats than pieces": (
        "b1:1=0",
        {"seen": {"b1:M1": [0, 1]}},
        "more seats for b1:M1 than pieces",
    ),
    "the same look twice": ("b1:1=0", {"seen": {"b1:M1": [0, 0]}}, "`seen` names something twice"),
    "a threat removed twice": (
        C1,
        {"removed": ["b1:M1", "b1:M1"], "hands": [[], [], []]},
        "`removed` names something twice",
    ),
    "a region scored twice": (C1, {"scored": ["b1:C1", "b1:C1"]}, "`scored` names something twice"),
    "an empty cell as the last": ("b1:1=0", last(["b1:2"]), "on which something was built"),
    "a last cell that is not in play": ("", last(["b3:1"]), "on which something was built"),
    "a last cell twice": ("b1:1=0", last(["b1:1", "b1:1"]), "`last.cells` names something twice"),
    "a last region twice": (
        "",
        last(regions=["b1:C1", "b1:C1"]),
        "`last.regions` names something twice",
    ),
    "a last region that is not in play": ("", last(regions=["b3:C1"]), "touched regions in play"),
    "a last turn that is to come": ("", last(turn=1), "`last` is of turn 0 or an earlier one"),
    "a value that no card makes": (C1, paid(5), "cannot have `paid` 5: 4 and what cards change"),
    "a value beyond all cards": (C1, paid(10), "cannot have `paid` 10"),
    "a region that paid a seat twice": (C1, paid(4, seats=[0, 0]), "`paid` names something twice"),
    "fewer points than were paid": (C1, paid(4, points=3), "Seat 0 has 4 to 4 points of regions"),
    "more points than were paid": (C1, paid(4, points=5), "Seat 0 has 4 to 4 points of regions"),
    "points of no region": ("", scores(regions=1), "Seat 0 has 0 to 0 points of regions"),
    "points of no double": ("", scores(double=2), "The double of seat 0 scores"),
    "too many points of a double": ("b1:1-2=0", scores(double=4), "The double of seat 0 scores"),
    "an invasion before the end": (C1, scores(invasion=-2), "come at the end"),
    "a reward before the end": ("", scores(imperial_reward=2), "come at the end"),
}


@pytest.mark.parametrize(("walls", "position"), POSSIBLE.values(), ids=POSSIBLE)
def test_what_a_game_comes_to_is_read(walls, position):
    """CC-3.2, CC-7.4, CC-8.1, CC-8.2, CC-9.2, CC-12.5"""
    assert read(walls, **position).agenda


@pytest.mark.parametrize(("walls", "position", "sentence"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
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


def test_a_double_that_fills_two_regions_is_followed_by_what_follows_a_double():
    """CC-6.2, CC-11.3"""
    position = GAME.write_position(WAITING["ChooseOrder"])
    bottom, choice = position["agenda"]
    middle = {"type": "Second", "seat": 0, "region": "b1:C1"}
    with pytest.raises(BadPosition, match="After ChooseOrder comes what follows a double"):
        GAME.read_position(
            WAITING["ChooseOrder"].setup, {**position, "agenda": [bottom, middle, choice]}, 3
        )


def test_the_player_with_most_points_at_the_end_has_won():
    """CC-10.2, CC-13.1"""
    west = [f"b1:{n}={n % 2}" for n in range(1, 14)]
    east = [f"{board}:{n}=n" for board, n in [("b2", n) for n in range(1, 13)]]
    walls = " ".join([*west, *east, "b2:13=0"])
    seen = {f"{board}:M{n}": "all" for board in ("b1", "b2", "b3") for n in (1, 2, 3)}
    rest = " ".join([f"b3:{n}={n % 2}" for n in range(1, 10)] + ["b3:10-11=0", "b3:12-13=1"])
    over = {**EXTENDED, "seen": seen, "ended": "wall_complete", "agenda": []}
    points = [{"regions": 3, "invasion": -9}, {"regions": 2, "invasion": -15}]
    assert read(f"{walls} {rest}", 2, **over, points=points, winners=[0]).winners == (0,)
    for changes, sentence in (
        ({"winners": [1]}, "Others are the `winners`"),
        ({"winners": [0], "seen": {}}, "all threats lie open"),
        ({"winners": [0], "points": [{"regions": 3}, {}]}, "The end brought other `points`"),
    ):
        with pytest.raises(BadPosition, match=sentence):
            read(f"{walls} {rest}", 2, **{**over, "points": points, **changes})
