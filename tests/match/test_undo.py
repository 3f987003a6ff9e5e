"""Each row of docs/undo.md, and the commands that can come in between."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.errors import GameOver
from domain.games import GAMES
from domain.match.decisions import undo
from domain.match.decisions.ending import score
from domain.match.decisions.undo import UNDO_ANSWER_MS
from domain.match.errors import Forbidden, Impossible
from domain.match.scheduled_work import DUE_NOW, due_work
from tests.match.table import Table, challenge, clock, kinds
from tests.support.for_each import for_each

HUMANS = "ann bob cid"


def half_sealed(seats: str = HUMANS, **more: Any) -> Table:
    """Seat 0 has laid down its card; the others still choose."""
    return Table(seats, **more).play()


def reveal_cards(seats: str = "ann bob", **more: Any) -> Table:
    """All seats have laid down their cards, and the last card revealed them."""
    table = Table(seats, **more)
    return table.play(len(seats.split()))


def refuse_undo(
    why: type[Any], code: str, table: Table, player: str, to: int | None = None
) -> None:
    """An undo is refused with this code."""
    with pytest.raises(why) as caught:
        table.undo(player, to)
    assert caught.value.code == code


# Policies


def test_in_free_mode_any_player_takes_anything_back_at_once() -> None:
    table = reveal_cards(HUMANS, undo="free")
    assert kinds(table.undo("ann")) == ["Undone"]
    assert table.line == [1]
    assert kinds(table.redo("cid")) == ["Redone"]
    assert table.line == [1, 2, 3, 4]


def test_off_nothing_is_undone() -> None:
    table = half_sealed(undo="off")
    refuse_undo(Forbidden, "undo_off", table, "ann")
    with pytest.raises(Forbidden):
        table.redo("ann")


# Without consent


def test_own_moves_are_undone_at_once_if_they_revealed_nothing() -> None:
    table = half_sealed()
    assert kinds(table.undo("ann")) == ["Undone"]
    assert (table.line, table.match.seats_to_move) == ([1], (0, 1, 2))
    assert table.match.unrated is None


def test_own_moves_for_several_seats_are_undone_without_consent() -> None:
    table = Table("ann ann bob").play(2)
    assert kinds(table.undo("ann", 1)) == ["Undone"]
    assert table.line == [1]


def test_own_moves_are_restored_without_consent() -> None:
    table = half_sealed()
    table.undo("ann")
    assert kinds(table.redo("ann")) == ["Redone"]
    assert table.line == [1, 2]


def test_a_hotseat_player_needs_no_consent_and_the_match_is_unrated() -> None:
    table = reveal_cards("ann ann")
    assert kinds(table.undo("ann")) == ["Undone"]
    assert table.match.unrated == "hotseat"


# Barriers


def test_what_revealed_something_is_undone_with_consent() -> None:
    table = reveal_cards()
    assert table.match.line[-1].player == "bob"
    assert kinds(table.undo("bob")) == ["UndoRequested"]
    assert table.line == [1, 2, 3]
    assert table.match.undo_request
    assert table.match.undo_request.asked == ("ann",)


def test_a_move_whose_successor_reveals_a_hidden_hand_is_undone_with_consent() -> None:
    position = {
        "cells": ["B......", "......."],
        "owners": [".......", "......."],
        "hands": [["RR", "RY"], ["BB"]],
        "pile": {},
    }
    table = Table("ann bob", game=GAMES["qin"], position=position).play()
    assert not any(event.reveals for event in table.match.line[-1].events)
    assert table.match.seats_to_move == (1,), "bob can place: that bob need not pass is news"
    assert kinds(table.undo("ann")) == ["UndoRequested"]


def test_when_another_player_has_decided_they_are_asked() -> None:
    table = half_sealed().play()
    assert kinds(table.undo("ann")) == ["UndoRequested"]
    assert table.match.undo_request
    assert (table.match.undo_request.to, table.match.undo_request.asked) == (1, ("bob", "cid"))


def test_a_move_of_only_another_player_needs_their_consent() -> None:
    assert kinds(half_sealed().undo("bob", 1)) == ["UndoRequested"]


def test_bots_agree_and_the_match_does_not_count_any_more() -> None:
    table = reveal_cards("ann +easy +easy")
    assert kinds(table.undo("ann")) == ["Undone", "Unrated"]
    assert (table.line, table.match.unrated) == ([1], "undo")
    table.redo("ann")
    table.undo("ann")
    assert table.match.unrated == "undo"


def test_against_bots_too_an_undo_without_consent_does_not_affect_the_ratings() -> None:
    table = half_sealed("ann +easy +easy")
    assert kinds(table.undo("ann")) == ["Undone"]
    assert table.match.unrated is None


def test_bots_are_not_asked_but_all_people_are() -> None:
    table = half_sealed("ann bob +easy cid").play(2)
    table.undo("ann")
    assert table.match.undo_request
    assert table.match.undo_request.asked == ("bob", "cid")


# Asking


def ask_undo() -> Table:
    """Seats 0 and 1 have sealed a card, and ann asks to take hers back."""
    table = half_sealed().play()
    table.undo("ann")
    return table


def test_it_is_undone_when_the_last_has_agreed() -> None:
    table = ask_undo()
    assert kinds(table.answer("cid")) == ["UndoAnswered"]
    assert table.match.undo_request
    assert (table.line, table.match.undo_request.asked) == ([1, 2, 3], ("bob",))
    assert kinds(table.answer("bob")) == ["UndoAnswered", "Undone"]
    assert (table.line, table.match.undo_request, table.match.unrated) == ([1], None, None)
    assert table.match.seats_to_move == (0, 1, 2)


def test_one_refusal_settles_it() -> None:
    table = ask_undo()
    table.answer("cid")
    assert kinds(table.answer("bob", False)) == ["UndoAnswered"]
    assert (table.match.undo_request, table.line) == (None, [1, 2, 3])


def test_the_requester_may_withdraw_but_not_agree() -> None:
    table = ask_undo()
    with pytest.raises(Forbidden) as caught:
        table.answer("ann", True)
    assert caught.value.code == "no_answer_expected"
    table.answer("ann", False)
    assert (table.match.undo_request, table.line) == (None, [1, 2, 3])


def test_no_player_answers_twice_or_unasked() -> None:
    table = ask_undo()
    table.answer("bob")
    for player in ("bob", "dan"):
        with pytest.raises(Forbidden) as caught:
            table.answer(player)
        assert caught.value.code == "no_answer_expected"
    with pytest.raises(Impossible) as caught_too:
        half_sealed().answer("bob")
    assert caught_too.value.code == "no_undo_request"


def test_one_thing_is_asked_at_a_time() -> None:
    refuse_undo(Impossible, "undo_already_requested", ask_undo(), "bob")
    with pytest.raises(Impossible):
        ask_undo().redo("bob")


def test_a_request_lapses_when_a_player_moves() -> None:
    table = ask_undo().play()
    assert (table.match.undo_request, table.line[-1]) == (None, 5)
    with pytest.raises(Impossible):
        table.answer("bob")


def test_a_request_lapses_after_its_time() -> None:
    table = ask_undo()
    table.wait(UNDO_ANSWER_MS / 1000 - 1)
    with pytest.raises(Impossible) as caught:
        undo.lapse(table.match, table.now)
    assert caught.value.code == "too_early"
    table.wait(1)
    assert due_work(table.match) == {"lapse": table.now}
    table.act(undo.lapse(table.match, table.now), "system")
    assert table.match.undo_request is None
    with pytest.raises(Impossible):
        undo.lapse(table.match, table.now)


def test_an_answer_after_its_time_counts_as_long_as_the_request_has_not_lapsed() -> None:
    table = ask_undo().wait(UNDO_ANSWER_MS)
    table.answer("bob")
    table.answer("cid")
    assert table.line == [1]


def test_bots_wait_while_a_player_is_asked() -> None:
    table = Table("ann bob +easy").play(2)
    assert due_work(table.match) == {"bot": DUE_NOW}
    table.undo("ann")
    assert due_work(table.match) == {"lapse": table.now + UNDO_ANSWER_MS}
    table.answer("bob", False)
    assert due_work(table.match) == {"bot": DUE_NOW}


# What can come in between


@pytest.mark.parametrize("who", ["ann", "bob"])
def test_when_one_who_asked_or_was_asked_resigns_the_request_lapses(who: str) -> None:
    table = ask_undo()
    assert "UndoLapsed" in kinds(table.resign(who))
    assert table.match.undo_request is None


def test_a_player_who_resigned_is_not_asked_again() -> None:
    table = ask_undo()
    table.resign("bob")
    table.undo("ann", 1)
    assert table.match.undo_request
    assert table.match.undo_request.asked == ("cid",)


def test_if_all_others_resigned_or_were_replaced_no_player_is_left_to_ask() -> None:
    table = Table(HUMANS, clock=clock(per_move=60)).play()
    table.resign("bob")
    table.wait(61).time_out()
    assert table.match.deciding_players() == {"ann"}
    table.play()
    assert kinds(table.undo("ann", 1)) == ["Undone", "Unrated"]


def test_when_the_time_of_one_who_is_asked_is_up_the_request_lapses() -> None:
    table = Table(HUMANS, clock=clock(per_move=60)).play(2)
    table.undo("ann")
    assert set(due_work(table.match)) == {"lapse", "deadline"}
    assert "UndoLapsed" in kinds(table.wait(60).time_out())
    assert (table.match.undo_request, table.match.chairs[2].bot) == (None, "crafty")
    table.undo("ann")
    assert table.match.undo_request
    assert table.match.undo_request.asked == ("bob",)


def test_when_a_player_comes_back_the_request_lapses_and_they_are_asked_next_time() -> None:
    table = Table(HUMANS, clock=clock(per_move=60)).play(2)
    table.wait(60).time_out()
    table.play()
    table.undo("ann", 1)
    assert "UndoLapsed" in kinds(table.reclaim("cid"))
    table.undo("ann", 1)
    assert table.match.undo_request
    assert table.match.undo_request.asked == ("bob", "cid")


def test_a_player_who_is_replaced_by_a_bot_or_resigned_undoes_nothing() -> None:
    table = Table(HUMANS, clock=clock(per_move=60)).play(2)
    table.resign("ann")
    table.wait(60).time_out()
    refuse_undo(Forbidden, "seat_played_by_bot", table, "ann")
    refuse_undo(Forbidden, "seat_played_by_bot", table, "cid")
    refuse_undo(Forbidden, "not_seated", table, "dan")


def test_an_undo_leaves_bots_and_resigned_seats_as_they_are_now() -> None:
    table = Table(HUMANS, clock=clock(per_move=60), undo="free").play(2)
    table.resign("bob")
    table.wait(60).time_out()
    table.undo("ann", 1)
    assert [chair.bot for chair in table.match.chairs] == [None, "crafty", "crafty"]
    assert table.match.chairs[1].resigned
    assert table.match.clocks
    assert table.match.clocks.running == (0,)


# Targets


def test_an_undo_inside_an_interrupt_goes_back_to_the_question() -> None:
    table = Table("ann bob", position=challenge(), undo="free")
    table.move(table.legal(0)[1])
    assert table.match.seats_to_move == (1,)
    table.move(table.legal(1)[1])
    assert table.match.seats_to_move == (0,)
    table.undo("bob")
    assert (table.match.seats_to_move, table.line) == ((1,), [1, 2])
    table.undo("ann")
    assert table.match.seats_to_move == (0,)


def test_in_a_half_answered_question_ones_own_answer_is_undone() -> None:
    table = half_sealed(undo="free")
    assert table.match.seats_to_move == (1, 2)
    table.undo("ann")
    assert table.match.seats_to_move == (0, 1, 2)


def test_everything_can_be_undone_to_the_start() -> None:
    table = Table("ann bob", undo="free").play(6)
    table.undo("ann", 1)
    assert table.match.line == Table("ann bob", undo="free").match.line
    refuse_undo(Impossible, "nothing_to_undo", table, "ann")


@for_each("to", [0, -1, 3, 4, 99])
def test_only_an_earlier_point_of_the_line_of_play_can_be_gone_to(to: int) -> None:
    table = Table("ann bob", undo="free").play(2)
    assert table.line == [1, 2, 3]
    refuse_undo(Impossible, "nothing_to_undo", table, "ann", to)


def test_a_version_of_an_undone_line_cannot_be_gone_to() -> None:
    table = Table("ann bob", undo="free").play(3)
    table.undo("ann", 1)
    table.play()
    assert table.line == [1, 6]
    refuse_undo(Impossible, "nothing_to_undo", table, "ann", 2)


def test_a_player_who_has_made_no_move_has_none_to_undo() -> None:
    refuse_undo(Impossible, "nothing_to_undo", half_sealed(), "bob")


# The end


def test_nothing_is_undone_after_the_end() -> None:
    table = Table("ann bob", undo="free", options={"rounds": 1}).play_out()
    for _ in range(2):
        with pytest.raises(GameOver):
            table.undo("ann")
        with pytest.raises(GameOver):
            table.redo("ann")
        if table.match.status == "ended":
            table.act(score(table.match), "system")


def test_a_request_ends_with_the_match() -> None:
    table = Table("ann bob").play(2)
    table.undo("ann")
    table.resign("bob")
    assert (table.match.status, table.match.undo_request) == ("ended", None)
    with pytest.raises(GameOver):
        table.answer("bob")
