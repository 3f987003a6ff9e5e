"""Restore any line of play that was undone; docs/undo.md."""

from __future__ import annotations

import pytest

from domain.match.decisions import undo
from domain.match.errors import Impossible
from domain.match.lines import lines_of
from domain.match.undoing.request import RequestedMoves
from tests.match.table import Table, clock, kinds
from tests.match.test_dice import draws
from tests.match.test_length import same_as_from_the_beginning
from tests.support.for_each import for_each


def two_lines() -> Table:
    """A match with the lines 1 to 5, which was undone to 3, and 1, 2, 3, 7, 8."""
    table = Table("ann bob", undo="free").play(4)
    table.undo("ann", 3)
    for _ in range(2):
        table.move(table.legal()[-1])
    return table


def test_a_line_is_restored_after_new_moves_and_left_again() -> None:
    table = two_lines()
    later = table.match.game.write_position(table.match.state)
    assert kinds(table.redo("ann", 5)) == ["Redone"]
    assert table.line == [1, 2, 3, 4, 5]
    same_as_from_the_beginning(table.match)
    table.redo("ann", 8)
    assert table.line == [1, 2, 3, 7, 8]
    assert table.match.game.write_position(table.match.state) == later


def test_a_line_is_restored_up_to_a_version_and_the_rest_stays_undone() -> None:
    table = two_lines()
    table.redo("ann", 4)
    assert table.line == [1, 2, 3, 4]
    first, redo = lines_of(table.game, table.entries).undos
    assert (first.line, first.branches_from, first.parent, first.redone) == ([5], 4, None, None)
    assert (redo.line, redo.branches_from, redo.to, redo.redo) == ([7, 8], 3, 4, True)
    table.redo("ann", 5)
    assert table.line == [1, 2, 3, 4, 5]
    assert lines_of(table.game, table.entries).undos[0].redone == 10


def test_a_line_that_leaves_an_undone_line_is_restored_with_it() -> None:
    table = two_lines()
    table.undo("ann", 2)
    table.play()  # version 10
    table.redo("ann", 5)
    assert table.line == [1, 2, 3, 4, 5]
    undos = lines_of(table.game, table.entries).undos
    assert [one.line for one in undos] == [[], [7, 8], [10]]
    assert [one.parent for one in undos] == [None] * 3
    same_as_from_the_beginning(table.match)


@for_each("to", [1, 3, 6, 8, 99])
def test_only_a_version_on_an_undone_line_is_restored(to: int) -> None:
    with pytest.raises(Impossible) as caught:
        two_lines().redo("ann", to)
    assert caught.value.code == "nothing_to_redo"


def test_only_the_player_of_its_first_move_restores_a_line_freely() -> None:
    table = two_lines()
    owner = table.match.left.path_to(5)[1][0].player
    [other] = {"ann", "bob"} - {owner}
    assert undo.redo_own(table.match, owner, table.now, 5).kind == "Redone"
    with pytest.raises(Impossible):
        undo.redo_own(table.match, other, table.now, 5)


def test_all_others_must_agree_and_see_whose_moves_it_is_about() -> None:
    table = Table("ann bob cid").play(2)  # ann and bob have sealed a card
    table.undo("ann")
    for player in ("bob", "cid"):
        table.answer(player)
    table.play()
    assert kinds(table.redo("cid", 3)) == ["UndoRequested"]
    request = table.match.undo_request
    assert request
    assert (request.to, request.redo, request.asked) == (3, True, ("ann", "bob"))
    assert request.moves == RequestedMoves(seat=0, own=1, others=1, instead=1)
    assert kinds(table.answer("ann")) == ["UndoAnswered"]
    assert kinds(table.answer("bob")) == ["UndoAnswered", "Redone"]
    assert (table.line, table.match.unrated) == ([1, 2, 3], None)


@for_each("end", ["refuse", "withdraw", "move", "resign"])
def test_a_request_for_a_line_ends_as_one_for_an_undo(end: str) -> None:
    table = Table("ann bob cid").play(2)
    table.undo("ann")
    for player in ("bob", "cid"):
        table.answer(player)
    table.play()
    table.redo("ann", 3)
    line = table.line
    if end == "refuse":
        table.answer("bob", agree=False)
    elif end == "withdraw":
        table.answer("ann", agree=False)
    elif end == "resign":
        assert "UndoLapsed" in kinds(table.resign("cid"))
    else:
        line = [*line, table.play().match.version]
    assert (table.match.undo_request, table.line) == (None, line)


def test_an_own_line_is_restored_alone_until_another_player_decides() -> None:
    table = Table("ann ann bob").play()
    table.undo("ann")
    table.move(table.legal(0)[-1])
    assert kinds(table.redo("ann", 2)) == ["Redone"]
    assert (table.line, table.match.unrated) == ([1, 2], "hotseat")
    table.move(table.legal(2)[0])
    assert kinds(table.redo("ann", 4)) == ["UndoRequested"]


def test_no_line_with_a_draw_is_restored_alone() -> None:
    """Or a player who saw what was drawn on two lines could choose between them."""
    table = Table("ann bob").play(2)  # all cards are open now
    table.undo("bob")
    table.answer("ann")
    assert table.line == [1, 2]
    for player in ("ann", "bob"):
        assert kinds(table.redo(player, 3)) == ["UndoRequested"]
        table.answer(player, agree=False)


def test_against_bots_a_restored_line_makes_the_match_unrated() -> None:
    table = Table("ann +easy +easy").play()
    table.undo("ann")
    table.move(table.legal(0)[-1])
    table.play()
    assert table.match.unrated is None
    assert kinds(table.redo("ann", 2)) == ["Redone", "Unrated"]
    assert table.match.unrated == "undo"


def test_a_restored_line_keeps_its_draws_and_the_next_draw_is_new() -> None:
    table = Table("ann bob", undo="free").play(3)
    drawn, before = draws(table), table.match.draws
    table.undo("ann", 2)
    table.play(3)
    state, used = table.match.game.write_position(table.match.state), table.match.draws
    table.redo("ann", 4)
    assert table.match.draws == used >= before
    same_as_from_the_beginning(table.match)
    assert draws(table)[: len(drawn)] == drawn
    table.redo("ann", table.match.left.newest)
    assert table.match.game.write_position(table.match.state) == state


def test_a_restored_line_costs_the_time_thought_since() -> None:
    table = Table("ann bob", undo="free", clock=clock(bank=600))
    for _ in range(2):
        table.wait(10).play()
    table.undo("ann", 2)
    table.wait(40).play()
    thought = table.match.clocks and table.match.clocks.thought
    table.wait(7).redo("ann", 3)
    assert table.match.clocks
    assert thought
    assert sum(table.match.clocks.thought) == sum(thought) + 7_000
    assert sum(table.match.clocks.banks) <= 1_200_000 - sum(table.match.clocks.thought) + 10_000
