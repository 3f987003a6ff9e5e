"""Undo in the middle of the resolution of cards, in a whole match."""

from __future__ import annotations

from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.moves import (
    AddWall,
    BuildSingle,
    ChangeValue,
    DestroyWall,
    LayCard,
)
from tests.games.chang_cheng.table import card, piece
from tests.match.table import Table, kinds

HUMANS = "ann bob cid"
POSITION = {
    "boards": ["b1", "b2"],
    "pieces": [piece(word) for word in ("b1:1=0", "b1:2=1", "b1:3=2")],
    "prestige": {"b1:C1": 2},
    "seen": {"b1:M1": [0, 1, 2]},
    "cards": [card(1, 2, "b1:C1"), card(1, 3, "b1:C1"), card(2, 4, "b1:C1")],
}


def score_by_traitor() -> Table:
    """Ann has filled b1:C1, and bob uses their Traitor."""
    table = Table(HUMANS, game=GAME, position=POSITION)
    table.move(BuildSingle(0, "b1:4"))
    return table


def test_a_player_takes_back_a_used_card_without_consent_until_another_player_decides() -> None:
    """CC-7.1"""
    table = score_by_traitor()
    before = GAME.write_position(table.match.state)
    table.move(DestroyWall(1, "b1:1"))
    assert kinds(table.undo("bob")) == ["Undone"]
    assert GAME.write_position(table.match.state) == before
    table.move(DestroyWall(1, "b1:3"))
    table.move(ChangeValue(1, 2))
    assert table.match.seats_to_move == (2,)


def test_two_cards_of_one_owner_are_taken_back_one_by_one() -> None:
    """CC-7.1"""
    table = score_by_traitor()
    table.move(DestroyWall(1, "b1:1"))
    table.move(ChangeValue(1, -2))
    assert kinds(table.undo("bob")) == ["Undone"]
    assert kinds(table.undo("bob")) == ["Undone"]
    assert table.match.state.tally.waiting[0].number == 2


def test_after_another_player_used_a_card_all_must_agree() -> None:
    """CC-7.1"""
    table = score_by_traitor()
    table.move(DestroyWall(1, "b1:1"))
    table.move(ChangeValue(1, 2))
    table.move(AddWall(2))
    assert kinds(table.undo("bob", 3)) == ["UndoRequested"]
    table.answer("ann")
    table.answer("cid")
    assert table.match.seats_to_move == (1,)
    assert table.match.state.score(2) == 0


def test_turning_cards_up_cannot_be_taken_back_without_consent() -> None:
    """CC-6.3"""
    table = score_by_traitor()
    assert kinds(table.undo("ann")) == ["UndoRequested"]


def test_a_laid_card_is_taken_back_without_consent_and_a_look_is_not() -> None:
    """CC-9.1, CC-9.2"""
    table = Table(HUMANS, game=GAME, position={"boards": ["b1", "b2"]})
    table.move(LayCard(0, "b1:C1", 5))
    assert kinds(table.undo("ann")) == ["Undone"]
    table.move(BuildSingle(0, "b1:1"))
    assert kinds(table.undo("ann")) == ["UndoRequested"]
