"""Pausing a match by consent: no clock runs, nobody moves, and each player can resume it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.errors import Refusal
from domain.match.decisions import giving_time, pauses, playing, proposals
from domain.match.decisions.pauses import MAX_PAUSE_MS, MAX_PAUSES
from domain.match.errors import TooEarly
from domain.match.log import AnyEvent
from domain.match.outages import Outage, decide
from domain.match.scheduled_work import due_work
from domain.match.social_events import Paused, Resumed
from domain.match.state import ClockRule, Pause
from tests.match.table import Table, challenge, clock, kinds
from tests.support.for_each import for_each

BANK = clock(bank=300, increment=5)
DAY_MS = 86_400_000


def propose(table: Table, player: str) -> list[AnyEvent]:
    return table.act(proposals.propose(table.match, player, "pause", table.now), player)


def pause(table: Table) -> Table:
    """Let all players agree to a pause."""
    for player in sorted(table.match.deciding_players()):
        propose(table, player)
    assert table.match.pause
    return table


def resume(table: Table, player: str) -> list[AnyEvent]:
    return table.act(pauses.resume(table.match, player, table.now), player)


def refused(command: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        command()
    return caught.value.code


def duel(rule: ClockRule | None = BANK, **more: Any) -> Table:
    """Seat 0 may challenge seat 1."""
    return Table("ann bob", position=challenge(), clock=rule, **more)


@pytest.mark.parametrize("rule", [BANK, clock(per_move=300)])
def test_while_a_match_is_paused_no_clock_runs(rule: ClockRule) -> None:
    table = duel(rule).wait(40)
    assert kinds(propose(table, "bob")) == ["Proposed"]
    table.wait(10)
    _, paused, _ = propose(table, "ann")
    assert paused == Paused("bob", table.now, table.now + MAX_PAUSE_MS)
    assert table.entries[-1].kind == "Paused"
    assert table.match.pause == Pause("bob", table.now, table.now + MAX_PAUSE_MS)
    assert table.bank == [250, 300]
    assert due_work(table.match) == {"resume": table.now + MAX_PAUSE_MS}
    table.wait(3 * 86_400)
    with pytest.raises(TooEarly):
        playing.time_out(table.match, table.now)
    assert resume(table, "ann")[0] == Resumed("ann", 3 * DAY_MS)
    assert (table.bank, table.match.pause) == ([250, 300], None)
    assert due_work(table.match) == {"deadline": table.now + 250_000}


@for_each("seats", ["ann ann", "ann +easy", "ann ann +easy"])
def test_without_other_people_a_match_is_paused_at_once(seats: str) -> None:
    table = Table(seats, clock=BANK)
    assert kinds(propose(table, "ann")) == ["Paused"]
    assert not due_work(table.match).keys() & {"bot", "think", "deadline"}
    resume(table, "ann")
    assert table.match.pause is None


def test_nothing_is_played_in_a_pause() -> None:
    table = Table("ann bob cid", clock=clock(per_move=60), undo="consent").play(3)
    seat = table.match.seats_to_move[0]
    move = table.legal(seat)[0]
    pause(table)
    for command in (
        partial(playing.move, table.match, move, table.now),
        partial(playing.preview, table.match, move),
        partial(table.undo, "ann"),
        partial(table.redo, "ann"),
        partial(table.answer, "ann"),
        partial(table.reclaim, "ann"),
    ):
        assert refused(command) == "match_paused"
    give = partial(giving_time.give_time, table.match, "ann", None, None, table.now)
    assert refused(give) == "no_time_to_give"
    assert refused(partial(propose, table, "ann")) == "no_pause"


def test_a_request_for_an_undo_lapses_with_a_pause() -> None:
    table = Table("ann bob", clock=BANK, undo="consent").play(4)
    table.undo("ann", table.match.line[0].version)
    propose(table, "ann")
    assert kinds(propose(table, "bob")) == ["ProposalAnswered", "UndoLapsed", "Paused"]


def test_matches_without_a_clock_and_services_without_pauses_have_none() -> None:
    assert refused(partial(propose, duel(None), "ann")) == "no_pause"
    table = duel()
    assert (
        refused(lambda: proposals.propose(table.match, "ann", "pause", table.now, 0)) == "no_pause"
    )
    assert refused(lambda: pauses.resume(table.match, "ann", table.now)) == "no_pause"


def test_only_players_who_have_not_resigned_resume_a_match() -> None:
    table = pause(Table("ann bob cid", clock=BANK))
    table.resign("cid")
    assert table.match.pause
    for player in "cid", "eve":
        assert refused(partial(pauses.resume, table.match, player, table.now)) == "not_seated"
    assert kinds(resume(table, "bob")) == ["Resumed"]


def test_a_bot_that_steps_in_during_a_pause_waits_for_its_end() -> None:
    table = pause(Table("ann bob cid", clock=BANK))
    table.resign("cid")
    assert not due_work(table.match).keys() & {"bot", "think", "deadline"}
    assert table.match.clocks
    assert table.match.clocks.running == ()
    table.wait(60)
    resume(table, "ann")
    thinking = [seat for seat in table.match.seats_to_move if table.match.chairs[seat].human]
    assert list(table.match.clocks.running) == thinking
    assert table.bank == [300, 300, 300]


def test_the_end_of_a_match_ends_its_pause() -> None:
    table = pause(duel())
    table.resign("ann")
    assert (table.match.status, table.match.pause) == ("ended", None)
    table = pause(duel())
    for player in "ann", "bob":
        table.act(proposals.propose(table.match, player, "end", table.now), player)
    assert (table.match.status, table.match.pause) == ("aborted", None)


def test_a_pause_ends_by_itself_after_its_longest_time() -> None:
    table = duel()
    for player in "ann", "bob":
        draft = proposals.propose(table.match, player, "pause", table.now, 60_000)
        table.act(draft, player)
    table.wait(59.999)
    with pytest.raises(TooEarly):
        pauses.resume_in_time(table.match, table.now)
    table.wait(0.001)
    ended = table.act(pauses.resume_in_time(table.match, table.now), "system")
    assert ended[0] == Resumed(None, 60_000)
    assert due_work(table.match) == {"deadline": table.now + 300_000}


def test_an_outage_in_a_pause_costs_nothing() -> None:
    table = pause(duel())
    begun = table.now
    outage = Outage(begun + 1_000, begun + 61_000)
    table.wait(100)
    draft = decide(
        table.match, lambda match, now: pauses.resume(match, "ann", now), table.now, [outage]
    )
    _, resumed, _ = table.act(draft, "ann")
    assert resumed == Resumed("ann", 40_000)
    assert table.bank == [300, 300]
    assert not table.match.interrupted


@pytest.mark.parametrize("rule", [BANK, clock(per_move=300)])
def test_an_undo_over_a_pause_keeps_the_clocks(rule: ClockRule) -> None:
    """As without the pause."""
    banks = []
    for paused in True, False:
        table = duel(rule, undo="free").wait(20)
        start = table.match.line[-1].version
        table.play().wait(30)
        if paused:
            pause(table).wait(5_000)
            resume(table, "bob")
        table.wait(7).play()
        table.undo("ann", start)
        after = list(table.bank)
        table.wait(4).redo(table.undone_player)
        banks.append((after, table.bank))
    assert banks[0] == banks[1]


def test_pauses_do_not_fill_the_log() -> None:
    table = Table("ann +easy", clock=BANK)
    table.is_compared = False
    for _ in range(MAX_PAUSES):
        propose(table, "ann")
        resume(table, "ann")
    assert refused(partial(propose, table, "ann")) == "no_pause"
    both = Table("ann bob", clock=BANK)
    propose(both, "ann")
    propose(both, "bob")
    resume(both, "ann")
    assert refused(partial(propose, both, "ann")) == "proposed_lately"


COMMANDS: dict[str, Callable[[Table], object]] = {
    "move": lambda table: table.move(table.legal()[0]),
    "pause": lambda table: propose(table, "ann"),
    "resume": lambda table: resume(table, "ann"),
    "undo": lambda table: table.undo("ann"),
    "redo": lambda table: table.redo("ann"),
}
STEPS = st.lists(st.tuples(st.sampled_from([*COMMANDS]), st.integers(0, 90)), max_size=40)


@given(STEPS, st.sampled_from([clock(bank=9_000, increment=3), clock(per_move=9_000)]))
def test_no_pause_gives_or_takes_time(steps: list[tuple[str, int]], rule: ClockRule) -> None:
    """The time that the seats have thought is the time in which the match was not paused."""
    table = Table("ann ann", clock=rule, undo="free", position=challenge())
    table.is_compared = False
    ran = 0
    for step, seconds in steps:
        if table.match.pause is None:
            ran += 1000 * seconds * len(table.match.seats_to_move)
        table.wait(seconds)
        before = table.match
        with suppress(Refusal):
            COMMANDS[step](table)
        if table.match.status != "active":
            table.match = before
            break
    last = table.match.clocks
    assert last
    assert sum(last.thought) + len(last.running) * (table.now - last.since) == ran
