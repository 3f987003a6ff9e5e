"""Moves, resignation, and bots that take over."""

from __future__ import annotations

import pytest

from domain.engine.errors import GameOver, NotYourTurn, RuleBroken
from domain.match.decisions import playing
from domain.match.decisions.ending import final_scoring
from domain.match.errors import Forbidden
from domain.match.log import read_move
from domain.match.scheduled_work import due_work
from tests.engine.toy.events import CardSealed
from tests.engine.toy.moves import Pass, Seal
from tests.match.table import Table, challenge, clock, kinds
from tests.support.for_each import for_each


def test_a_move_is_recorded_with_all_that_it_brought_about() -> None:
    table = Table("ann bob")
    choice = table.legal(1)[0]
    events = table.move(choice)
    assert [type(event).__name__ for event in events] == ["CardSealed", "Awaiting"]
    assert (table.entries[-1].kind, table.entries[-1].actor) == ("Moved", "bob")
    assert read_move(table.game, table.entries[-1].move) == choice


def test_an_illegal_move_is_refused_by_the_game_and_changes_nothing() -> None:
    table = Table("ann bob")
    for choice, why in ((Seal(0, 99), RuleBroken), (Pass(0), RuleBroken), (Pass(7), NotYourTurn)):
        with pytest.raises(why):
            table.move(choice)
    assert table.match.version == 1


def test_the_last_move_ends_the_match() -> None:
    table = Table("ann bob", options={"rounds": 1}, clock=clock(bank=100)).play_out()
    assert (table.match.status, table.match.end_reason) == ("ended", "rules")
    assert (table.match.seats_to_move, table.match.clocks) == ((), None)
    with pytest.raises(GameOver):
        table.move(Pass(0))
    with pytest.raises(GameOver):
        table.resign("ann")


def test_a_preview_shows_what_is_certain_and_records_nothing() -> None:
    table = Table("ann bob")
    choice = table.legal(0)[0]
    assert playing.preview(table.match, choice) == [CardSealed(0, choice.card)]
    table.move(choice)
    last = table.legal(1)[0]
    assert playing.preview(table.match, last) == [CardSealed(1, last.card)]
    assert table.match.version == 2


def test_a_previewed_move_is_judged_like_any_other() -> None:
    table = Table("ann bob")
    with pytest.raises(RuleBroken):
        playing.preview(table.match, Seal(0, 99))
    table.resign("ann")
    with pytest.raises(GameOver):
        playing.preview(table.match, Seal(0, 1))


# Resigning


def test_of_two_the_other_has_won() -> None:
    table = Table("ann bob", position=challenge((9, 1)))
    assert kinds(table.resign("ann")) == ["Resigned", "Ended"]
    assert table.match.end_reason == "resignation"
    scoring = final_scoring(table.match)
    assert (scoring.reason, scoring.winners) == ("resignation", (1,))
    assert [(line.rank, line.points) for line in scoring.lines] == [(2, 9), (1, 1)]


def test_against_only_bots_resigning_ends_the_match() -> None:
    table = Table("ann +easy +easy")
    assert kinds(table.resign("ann")) == ["Resigned", "Ended"]


@for_each("seats", ["ann bob cid", "ann bob cid dan", "ann bob +easy"])
def test_of_more_the_others_play_on_and_a_bot_takes_the_seat(seats: str) -> None:
    table = Table(seats)
    assert kinds(table.resign("ann")) == ["Resigned", "BotSeated"]
    assert (table.match.status, table.match.chairs[0].bot) == ("active", "crafty")
    assert table.match.chairs[0].resigned
    assert not table.match.chairs[0].human


def test_when_all_others_have_resigned_the_last_has_won() -> None:
    table = Table("ann bob cid dan", position=challenge((9, 8, 7, 1)))
    table.resign("ann")
    table.resign("cid")
    assert kinds(table.resign("bob")) == ["Resigned", "Ended"]
    scoring = final_scoring(table.match)
    assert [line.rank for line in scoring.lines] == [2, 3, 4, 1]


def test_a_player_who_resigned_comes_last_though_their_bot_played_well() -> None:
    table = Table("ann bob cid", position=challenge((99, 1, 2)))
    table.resign("ann")
    table.play_out()
    scoring = final_scoring(table.match)
    assert (table.match.end_reason, scoring.reason) == ("rules", "rounds")
    assert scoring.lines[0].rank == 3
    assert scoring.lines[0].points > scoring.lines[1].points


def test_all_seats_of_a_player_are_given_up() -> None:
    table = Table("ann bob ann cid")
    assert kinds(table.resign("ann")) == ["Resigned", "Resigned", "BotSeated", "BotSeated"]
    assert [chair.resigned for chair in table.match.chairs] == [True, False, True, False]


def test_a_player_who_holds_all_seats_ends_the_match_by_resigning() -> None:
    table = Table("ann ann", position=challenge((1, 3)))
    assert kinds(table.resign("ann")) == ["Resigned", "Resigned", "Ended"]
    assert [line.rank for line in final_scoring(table.match).lines] == [2, 1]


def test_no_player_resigns_twice_or_without_a_seat() -> None:
    table = Table("ann bob cid")
    table.resign("ann")
    for player in ("ann", "dan"):
        with pytest.raises(Forbidden) as refused:
            table.resign(player)
        assert refused.value.code == "not_seated"


def test_a_match_goes_on_for_one_whose_bot_plays_until_they_come_back() -> None:
    table = Table("ann bob +easy", clock=clock(per_move=60)).play()
    table.wait(60).time_out()
    assert kinds(table.resign("ann")) == ["Resigned", "BotSeated"]
    table.play(2)
    table.reclaim("bob")
    assert table.match.deciding_players() == {"bob"}


def test_one_whose_bot_plays_may_resign_too() -> None:
    table = Table("ann bob cid", clock=clock(per_move=60)).play().wait(60)
    table.time_out()
    assert kinds(table.resign("bob")) == ["Resigned"]
    assert (table.match.status, table.match.chairs[1].bot) == ("active", "crafty")
    assert kinds(table.resign("cid")) == ["Resigned", "Ended"]


def test_resigning_in_ones_turn_stops_ones_clock() -> None:
    table = Table("ann bob cid", clock=clock(bank=100)).wait(10)
    table.resign("ann")
    assert table.match.clocks
    assert (table.match.clocks.running, table.bank) == ((1, 2), [90, 90, 90])
    assert set(due_work(table.match)) == {"bot", "deadline"}


def test_a_resignation_between_two_turns_takes_no_time_from_the_others() -> None:
    table = Table("ann bob cid", clock=clock(per_move=100)).play().wait(10)
    table.resign("ann")
    assert table.bank[1:] == [90, 90]
