"""Redo moves after an undo; docs/undo.md."""

from __future__ import annotations

import pytest

from domain.match.decisions import undo
from domain.match.errors import Impossible
from tests.match.table import Table, kinds
from tests.match.test_undo import ask_undo


def test_lines_undone_twice_are_restored_one_after_the_other() -> None:
    table = Table("ann bob", undo="free").play(4)
    state = table.match.game.write_position(table.match.state)
    table.undo("ann", 3)
    table.undo("ann", 1)
    table.redo("bob")
    assert table.line == [1, 2, 3]
    table.redo("bob")
    assert table.line == [1, 2, 3, 4, 5]
    assert table.match.game.write_position(table.match.state) == state
    with pytest.raises(Impossible) as caught:
        table.redo("bob")
    assert caught.value.code == "nothing_to_redo"


def test_only_the_player_who_took_a_free_move_back_makes_it_again() -> None:
    table = Table("ann bob", undo="free").play(2)
    table.undo("ann", 1)
    with pytest.raises(Impossible) as caught:
        undo.redo_own(table.match, "bob", table.now)
    assert caught.value.code == "nothing_to_redo"
    assert undo.redo_own(table.match, "ann", table.now).kind == "Redone"


def test_after_a_new_move_nothing_can_be_restored() -> None:
    table = Table("ann bob", undo="free").play(3)
    table.undo("ann", 1)
    table.play()
    with pytest.raises(Impossible) as caught:
        table.redo("ann")
    assert caught.value.code == "nothing_to_redo"


def test_what_needed_consent_to_undo_needs_it_to_be_restored() -> None:
    table = ask_undo()
    table.answer("bob")
    table.answer("cid")
    assert kinds(table.redo("cid")) == ["UndoRequested"]
    assert table.match.undo_request
    assert (table.match.undo_request.redo, table.match.undo_request.asked) == (True, ("ann", "bob"))
    table.answer("ann")
    assert kinds(table.answer("bob")) == ["UndoAnswered", "Redone"]
    assert table.line == [1, 2, 3]


def test_the_annals_keep_both_lines() -> None:
    table = Table("ann bob", undo="free").play(2)
    table.undo("ann", 1)
    table.play(2)
    assert [record.kind for record in table.entries] == [
        "Created", "Moved", "Moved", "Undone", "Moved", "Moved",
    ]  # fmt: skip
    assert table.line == [1, 5, 6]
