"""Clocks: the cost of thinking. No player gains time by an undo or by coming back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine.errors import Refusal
from domain.match.clock import MIN_RETURN_MS, UNDO_GRACE_MS
from domain.match.decisions import lobby
from domain.match.errors import Impossible
from domain.match.scheduled_work import DUE_NOW, due_work
from domain.match.state import ClockRule
from tests.match.table import NOON, Table, challenge, clock, kinds

BANK = clock(bank=300, increment=5)


def duel(rule: ClockRule, **more: Any) -> Table:
    """Seat 0 may challenge seat 1, with a clock."""
    return Table("ann bob", position=challenge(), clock=rule, **more)


def challenges(table: Table) -> Table:
    """Seat 0 shows its lowest card to seat 1, who has to answer then."""
    table.move(table.legal(0)[1])
    assert table.match.seats_to_move == (1,)
    return table


def test_without_a_rule_no_player_has_a_clock() -> None:
    table = Table("ann bob").play(2)
    assert (table.match.clocks, "deadline" in due_work(table.match)) == (None, False)
    with pytest.raises(Impossible):
        table.wait(10**6).time_out()


def test_clocks_start_with_the_game_not_with_the_table() -> None:
    table = Table("ann .", clock=BANK)
    assert table.match.clocks is None
    table.wait(100).act(lobby.take_seat(table.match, "bob", None, table.now), "bob")
    assert table.match.clocks
    assert (table.bank, table.match.clocks.since) == ([300, 300], NOON + 100_000)
    assert table.match.clocks.deadline == NOON + 400_000


def test_a_bank_shrinks_by_what_was_thought_and_grows_by_the_increment() -> None:
    table = challenges(duel(BANK).wait(40))
    assert table.match.clocks
    assert (table.bank, table.match.clocks.thought) == ([265, 300], (40_000, 0))
    table.wait(10).play()
    assert table.bank == [265, 295]
    assert table.match.clocks.running == (0,)
    assert due_work(table.match)["deadline"] == table.now + 265_000


def test_with_time_per_move_each_decision_has_all_of_it() -> None:
    table = challenges(duel(clock(per_move=60)).wait(40))
    assert table.bank == [20, 60]
    table.wait(50).play()
    assert (table.bank, table.match.seats_to_move) == ([60, 10], (0,))


def test_time_per_move_starts_again_for_a_second_decision_in_a_row() -> None:
    table = Table("ann bob", clock=clock(per_move=60)).play().wait(30).play()
    assert table.match.seats_to_move == (1,)
    assert table.bank[1] == 60


def test_seats_that_choose_at_once_have_a_clock_each() -> None:
    table = Table("ann bob cid", clock=BANK).wait(10)
    table.move(table.legal(1)[0])
    assert table.bank == [290, 295, 290]
    table.wait(20)
    table.move(table.legal(0)[0])
    assert table.bank == [275, 295, 270]
    assert table.match.clocks
    assert table.match.clocks.running == (2,)


def test_a_seat_that_goes_on_choosing_gets_no_new_time_per_move_when_others_move() -> None:
    table = Table("ann bob cid", clock=clock(per_move=60)).wait(10)
    table.move(table.legal(1)[0])
    assert table.bank[2] == 50


def test_bots_use_no_time_and_earn_none() -> None:
    table = Table("+easy bob", clock=clock(bank=300, increment=5)).wait(30)
    assert table.match.clocks
    assert table.match.clocks.running == (1,)
    table.move(table.legal(0)[0])
    assert table.bank == [300, 270]


def test_the_deadline_is_that_of_the_first_who_runs_out_of_time() -> None:
    table = Table("ann bob cid", clock=BANK).wait(100)
    table.move(table.legal(0)[0])
    table.wait(100).play(2)
    assert table.match.clocks
    first = min(table.match.clocks.banks[seat] for seat in table.match.clocks.running)
    assert table.match.clocks.deadline == table.now + first


def test_a_clock_that_is_set_back_costs_and_gives_nothing() -> None:
    table = duel(BANK).wait(-50)
    assert challenges(table).bank == [305, 300]


# Time is up


def test_before_its_time_no_player_is_timed_out() -> None:
    table = duel(BANK).wait(299)
    with pytest.raises(Impossible) as refused:
        table.time_out()
    assert refused.value.code == "too_early"


def test_a_bot_takes_over_for_a_player_who_ran_out_of_time() -> None:
    table = duel(BANK, substitute="easy").wait(300)
    assert kinds(table.time_out()) == ["TimedOut", "BotSeated"]
    assert (table.match.chairs[0].player, table.match.chairs[0].bot) == ("ann", "easy")
    assert due_work(table.match) == {"bot": DUE_NOW}


def test_or_they_resign_if_the_match_says_so() -> None:
    table = duel(BANK, on_timeout="resign").wait(300)
    assert kinds(table.time_out()) == ["TimedOut", "Resigned", "Ended"]
    assert (table.match.status, table.match.clocks) == ("ended", None)


def test_of_three_the_others_play_on() -> None:
    table = Table("ann bob cid", clock=BANK, on_timeout="resign").play(2).wait(300)
    assert kinds(table.time_out()) == ["TimedOut", "Resigned", "BotSeated"]
    assert table.match.status == "active"


@pytest.mark.parametrize(
    ("option", "follows"),
    [
        ("bot", ["TimedOut", "TimedOut", "BotSeated", "BotSeated"]),
        ("resign", ["TimedOut", "TimedOut", "Resigned", "Resigned", "Ended"]),
    ],
)
def test_several_may_run_out_of_time_at_once(option: Any, follows: list[str]) -> None:
    table = Table("ann bob cid", clock=BANK, on_timeout=option).wait(10).play().wait(290)
    assert kinds(table.time_out()) == follows


def test_a_match_in_which_bots_replaced_all_players_goes_on() -> None:
    table = Table("ann bob", clock=BANK).wait(300)
    table.time_out()
    table.play_out()
    assert table.match.end_reason == "rules"


def test_a_move_that_comes_before_the_time_out_is_recorded_counts() -> None:
    table = challenges(duel(BANK).wait(301))
    assert table.bank == [4, 300]


# Coming back


def away(rule: ClockRule = BANK) -> Table:
    """The time of seat 0 is up, and its bot has decided."""
    table = duel(rule).wait(300)
    table.time_out()
    return challenges(table)


def test_a_player_who_comes_back_has_at_least_a_minute() -> None:
    table = away().wait(5)
    assert kinds(table.reclaim("ann")) == ["SeatReclaimed"]
    assert table.bank == [MIN_RETURN_MS / 1000, 295]
    table.play()
    assert table.match.clocks
    assert (table.match.seats_to_move, table.match.clocks.running) == ((0,), (0,))
    assert table.match.clocks.deadline == table.now + MIN_RETURN_MS


def test_a_player_who_comes_back_has_no_more_than_at_the_start() -> None:
    table = away(clock(bank=20))
    table.reclaim("ann")
    assert table.bank[0] == 20


def test_a_player_who_comes_back_in_the_middle_of_a_turn_may_go_on_at_once() -> None:
    table = Table("ann bob", clock=clock(per_move=60)).play().wait(60)
    table.time_out()
    table.play()
    assert table.match.seats_to_move == (1,)
    table.wait(7).reclaim("bob")
    assert table.bank[1] == 60
    assert due_work(table.match) == {"deadline": table.now + 60_000}


def test_a_bot_that_plays_on_does_not_fill_the_clock_any_further() -> None:
    table = away().play(2)
    assert table.match.chairs[0].bot
    assert table.bank[0] == MIN_RETURN_MS / 1000


def test_with_time_per_move_a_player_who_comes_back_has_it_for_the_next_decision() -> None:
    table = away(clock(per_move=300))
    table.reclaim("ann")
    table.wait(7).play()
    assert (table.match.seats_to_move, table.bank[0]) == ((0,), 300)


def test_the_decision_for_which_time_ran_out_is_the_bots() -> None:
    table = duel(BANK).wait(300)
    table.time_out()
    with pytest.raises(Impossible) as refused:
        table.reclaim("ann")
    assert refused.value.code == "bot_decides"


def test_a_seat_without_a_bot_cannot_be_reclaimed() -> None:
    table = away()
    for player in ("bob", "cid"):
        with pytest.raises(Impossible) as refused:
            table.reclaim(player)
        assert refused.value.code == "nothing_to_reclaim"
    table = Table("ann bob cid", clock=BANK).play()
    table.resign("ann")
    with pytest.raises(Impossible):
        table.reclaim("ann")


# Undo


def test_an_undo_gives_back_no_time_and_takes_the_increment_back() -> None:
    table = challenges(duel(BANK, undo="free").wait(40)).wait(10)
    table.undo("ann")
    assert table.bank == [260, 300 - 10]
    table.redo("ann")
    assert table.bank == [265, 290]


def test_time_per_move_goes_on_after_an_undo_where_it_was() -> None:
    table = challenges(duel(clock(per_move=60), undo="free").wait(40))
    table.wait(10).undo("ann")
    assert table.bank[0] == 20
    assert table.match.clocks
    assert table.match.clocks.deadline == table.now + 20_000


def test_a_player_who_undoes_a_move_for_which_only_the_increment_was_left_is_out_of_time() -> None:
    table = challenges(duel(BANK, undo="free").wait(303))
    table.undo("ann")
    assert table.bank[0] == -3
    assert due_work(table.match)["deadline"] == table.now
    assert kinds(table.time_out())[0] == "TimedOut"


def test_an_undo_that_another_asked_for_leaves_a_grace() -> None:
    table = challenges(duel(BANK, undo="free")).wait(302).play()
    assert table.bank[1] == 3
    table.undo("ann")
    assert table.bank[1] == UNDO_GRACE_MS / 1000


def test_a_grace_gives_no_player_more_than_they_had_then() -> None:
    table = challenges(duel(clock(bank=4, increment=9), undo="free")).wait(5).play()
    table.undo("ann")
    assert table.bank[1] == 4


def test_while_others_are_asked_the_clocks_run_on() -> None:
    table = Table("ann bob", clock=BANK).play(2)
    table.undo("ann")
    table.wait(30)
    table.answer("bob")
    assert table.match.clocks
    assert sum(table.match.clocks.thought) == 30_000


WALK = st.lists(
    st.tuples(
        st.sampled_from(["move", "move", "move", "undo", "redo", "restore", "time", "reclaim"]),
        st.integers(0, 5),
        st.integers(0, 40),
    ),
    min_size=10,
    max_size=40,
)


@pytest.mark.slow
@settings(max_examples=30)
@given(WALK, st.sampled_from([clock(bank=60, increment=7), clock(bank=30), clock(per_move=30)]))
def test_no_mixture_of_moves_and_undos_wins_time(walk: Any, rule: ClockRule) -> None:
    table = Table("ann bob", clock=rule, undo="free")
    gifts = [0, 0]
    for command, choice, seconds in walk:
        table.wait(seconds)
        try:
            seat, limit = _step(table, command, choice)
        except Refusal:
            continue
        if table.match.status != "active":
            break
        gifts[seat] = max(gifts[seat], limit - _own(table, seat))
        for other, left in enumerate(_banks(table)):
            assert left <= (1000 * rule.per_move_s if rule.per_move_s else 10**9)
            assert rule.per_move_s or left <= _own(table, other) + gifts[other]


def _step(table: Table, command: str, choice: int) -> tuple[int, int]:
    """A command, with the seat whose clock may gain, and the most ms it may gain."""
    seat = choice % 2
    player = ("ann", "bob")[seat]
    if command == "move":
        menu = table.legal()
        seat = table.match.seats_to_move[0]
        table.move(menu[choice % len(menu)])
        return seat, MIN_RETURN_MS if table.match.chairs[seat].bot else 0
    if command == "time":
        table.time_out()
    elif command == "reclaim":
        table.reclaim(player)
    elif command == "restore":
        table.redo(player, 2 + 3 * choice)
        return 1 - seat, UNDO_GRACE_MS
    else:
        (table.undo if command == "undo" else table.redo)(player)
        return 1 - seat, UNDO_GRACE_MS
    return seat, 0


def _banks(table: Table) -> tuple[int, ...]:
    assert table.match.clocks
    return table.match.clocks.banks


def _own(table: Table, seat: int) -> int:
    """The initial bank and the increments of the line of play, less the thinking time."""
    rule, clocks = table.match.clock_rule, table.match.clocks
    assert rule
    assert clocks
    moves = sum(point.player == ("ann", "bob")[seat] for point in table.match.line[1:])
    return 1000 * ((rule.bank_s or 0) + rule.increment_s * moves) - clocks.thought[seat]


@settings(max_examples=30)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 20)), max_size=30))
def test_a_player_who_undoes_and_redoes_without_consent_loses_exactly_their_thinking_time(
    walk: Any,
) -> None:
    table = Table("ann bob", clock=clock(bank=1000, increment=9))
    for forward, seconds in walk:
        table.wait(seconds)
        if 0 not in table.match.seats_to_move:
            table.undo("ann")
        elif (
            forward and table.match.left.path_to(table.match.left.newest or 0)[0] == table.line[-1]
        ):
            table.redo("ann")
        else:
            table.move(table.legal(0)[0])
        clocks, moves = table.match.clocks, len(table.line) - 1
        assert clocks
        assert clocks.banks[0] == 1_000_000 + 9_000 * moves - clocks.thought[0]
