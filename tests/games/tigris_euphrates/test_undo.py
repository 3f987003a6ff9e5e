"""Undo in the middle of a conflict, at the table of a match."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.game import seats_to_move
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.moves import (
    ChooseColor,
    CommitTiles,
    DiscardTile,
    DrawTiles,
    PlaceTile,
)
from domain.games.tigris_euphrates.rules import endings
from domain.games.tigris_euphrates.state.steps import ChooseWar, Reinforce, Turn
from tests.games.tigris_euphrates.table import TEMPLES, turn_of
from tests.match.table import Table, kinds

POSITION: dict[str, Any] = {
    "tiles": {
        **dict.fromkeys(TEMPLES, "red"),
        "G3": "black",
        "H3": "black",
        "J3": "black",
        "K3": "black",
        "L3": "red",
    },
    "leaders": [{"black": "F4", "red": "F2"}, {"black": "L4", "red": "L2"}],
    "hands": [{"green": 2, "black": 2, "red": 2}, {"black": 3, "red": 3}],
    "agenda": turn_of(0),
}


def position(seats: int) -> dict[str, Any]:
    """The other seats have no pieces yet."""
    by_seat = {name: [*POSITION[name], *[{}] * (seats - 2)] for name in ("leaders", "hands")}
    return {**POSITION, **by_seat}


def war(seats: str = "ann bob", **more: Any) -> Table:
    """Ann has united two kingdoms and must choose the war."""
    table = Table(seats, game=GAME, position=position(len(seats.split())), **more)
    table.move(PlaceTile(0, "green", "I3"))
    assert isinstance(table.match.state.agenda[-1], ChooseWar)
    return table


def step(table: Table) -> Any:
    """The step that waits now."""
    return table.match.state.agenda[-1]


def test_a_player_takes_back_the_choice_of_a_war_without_consent_until_another_answers() -> None:
    """TE-9.3, TE-11.3"""
    table = war()
    table.move(ChooseColor(0, "black"))
    table.move(CommitTiles(0, 2))
    assert seats_to_move(table.match.state) == (1,)
    assert kinds(table.undo("ann")) == ["Undone"]
    assert (seats_to_move(table.match.state), table.match.state.committed) == ((0,), [0, 0])
    assert isinstance(step(table), Reinforce)
    assert kinds(table.undo("ann")) == ["Undone"]
    assert isinstance(step(table), ChooseWar)
    table.move(ChooseColor(0, "red"))
    assert step(table).conflict.color == "red"


def test_a_war_that_was_fought_is_taken_back_with_consent() -> None:
    """TE-11.10"""
    table = war("ann bob cid")
    before = table.match.version
    for move in (ChooseColor(0, "red"), CommitTiles(0, 0), CommitTiles(1, 0)):
        table.move(move)
    assert step(table).conflict.color == "black"
    table.move(CommitTiles(0, 2))
    assert kinds(table.undo("ann", before)) == ["UndoRequested"]
    assert kinds(table.answer("cid")) == ["UndoAnswered"]
    assert kinds(table.answer("bob")) == ["UndoAnswered", "Undone"]
    assert isinstance(step(table), ChooseWar)
    assert table.match.state.united is not None
    assert table.match.state.hands[0] == [2, 2, 1, 0]


def test_the_defender_takes_their_answer_back_at_once() -> None:
    """TE-9.4"""
    table = war()
    for move in (ChooseColor(0, "black"), CommitTiles(0, 2), CommitTiles(1, 3)):
        table.move(move)
    assert kinds(table.undo("bob")) == ["Undone"]
    assert (seats_to_move(table.match.state), table.match.state.committed) == ((1,), [2, 0])


def test_tiles_that_were_drawn_are_not_put_back_without_consent() -> None:
    """TE-8.1"""
    table = Table("ann bob", game=GAME, position=POSITION)
    table.move(DiscardTile(0, "red"))
    assert kinds(table.undo("ann")) == ["Undone"]
    table.move(DiscardTile(0, "red"))
    table.move(DrawTiles(0))
    assert step(table) == Turn((0,), left=1)
    assert kinds(table.undo("ann")) == ["UndoRequested"]


def test_a_match_ends_when_its_last_turn_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """TE-15.2"""
    monkeypatch.setattr(endings, "LAST_TREASURES", len(TEMPLES))
    table = Table("ann bob", game=GAME, position=POSITION)
    for at in ("A1", "A3"):
        table.move(PlaceTile(0, "green", at))
    assert table.match.status == "ended"
