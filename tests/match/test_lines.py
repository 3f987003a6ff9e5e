"""The tree of lines: played moves, undone moves, and the players who undid them; docs/undo.md."""

from __future__ import annotations

from typing import Any

from domain.match.lines import Lines, UndoRecord, UndoVote, lines_of
from tests.match.table import NOON, Table


def lines(table: Table) -> Lines:
    """The lines of this match; the line of play is one of them."""
    found = lines_of(table.game, table.entries)
    assert found.played == table.line
    return found


def describe_undo(undo: UndoRecord) -> tuple[Any, ...]:
    """The line that an undo left, and whether it was redone."""
    return undo.version, undo.to, undo.line, undo.parent, undo.redone


def test_a_match_without_an_undo_has_one_line() -> None:
    assert lines(Table("ann bob").play(3)) == Lines([1, 2, 3, 4], [])


def test_before_the_start_a_match_has_no_line() -> None:
    assert lines(Table("ann .")) == Lines([], [])


def test_a_line_that_was_undone_leaves_the_one_that_is_played() -> None:
    table = Table("ann bob", undo="free").play(4)
    table.undo("bob", 3)
    found = lines(table.play(2))
    assert found.played == [1, 2, 3, 7, 8]
    [undo] = found.undos
    assert describe_undo(undo) == (6, 3, [4, 5], None, None)
    assert (undo.player, undo.asked, undo.agreed, undo.redo) == ("bob", None, (), False)


def test_a_line_may_leave_one_that_was_undone_itself() -> None:
    table = Table("ann bob", undo="free").play(4)
    table.undo("ann", 3)
    table.play()  # version 7
    table.undo("ann", 2)
    found = lines(table.play())
    assert found.played == [1, 2, 9]
    assert [describe_undo(undo) for undo in found.undos] == [
        (6, 3, [4, 5], 8, None),
        (8, 2, [3, 7], None, None),
    ]


def test_a_line_that_was_taken_up_again_is_played() -> None:
    table = Table("ann bob", undo="free").play(4)
    table.undo("ann", 3)
    table.undo("ann", 1)
    table.redo("bob")
    found = lines(table)
    assert found.played == [1, 2, 3]
    assert [describe_undo(undo) for undo in found.undos] == [
        (6, 3, [4, 5], None, None),
        (7, 1, [], None, 8),
        (8, 3, [], None, None),
    ]
    assert [undo.redo for undo in found.undos] == [False, False, True]
    table.undo("ann", 1)
    assert describe_undo(lines(table).undos[-1]) == (9, 1, [2, 3], None, None)
    assert describe_undo(lines(table).undos[0]) == (6, 3, [4, 5], 9, None)


def test_a_line_names_who_asked_and_who_agreed_and_when() -> None:
    table = Table("ann bob cid").play(3)
    table.wait(1).undo("ann", 1)
    table.wait(1).answer("cid")
    table.wait(1).answer("bob")
    [undo] = lines(table).undos
    assert (undo.player, undo.version, undo.at) == ("ann", 7, NOON + 3_000)
    assert undo.asked == UndoVote("ann", 5, NOON + 1_000)
    assert undo.agreed == (UndoVote("cid", 6, NOON + 2_000), UndoVote("bob", 7, NOON + 3_000))


def test_a_refused_or_lapsed_request_is_no_undo_and_its_consents_do_not_count_for_the_next() -> (
    None
):
    table = Table("ann bob cid").play(3)
    table.undo("ann", 1)
    table.answer("bob")
    table.answer("cid", agree=False)
    assert lines(table).undos == []
    table.undo("bob", 1)
    table.answer("ann")
    table.play()
    table.undo("cid", 2)
    table.answer("bob")
    table.answer("ann")
    [undo] = lines(table).undos
    assert (undo.player, [word.player for word in undo.agreed]) == ("cid", ["bob", "ann"])
