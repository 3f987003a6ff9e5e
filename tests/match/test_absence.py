"""Patience: when a player is absent, and what the others may choose then."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from domain.engine.errors import Refusal
from domain.match.decisions import absence, ending, proposals
from domain.match.errors import TooEarly
from domain.match.events import Aborted, BotSeated, TimedOut
from domain.match.log import AnyEvent, read_events
from domain.match.outages import Outage, decide
from domain.match.outcome import outcome_of
from domain.match.scheduled_work import bot_to_move, due_work
from domain.match.social_events import PatienceEnded, PatienceSet, ProposalLapsed, Proposed
from domain.match.state import ProposalKind
from tests.match.table import SEED, Table, chair, challenge, clock, kinds
from tests.support.for_each import for_each

PATIENCE_MS = 100_000  # the index has it in steps of 1 s


def waiting(seats: str = "ann bob cid", **more: Any) -> Table:
    """The others wait for the first seat."""
    position = challenge((3,) * len(seats.split()))
    return Table(seats, position=position, patience_ms=PATIENCE_MS, **more)


def end_patience(table: Table) -> list[AnyEvent]:
    """Wait until the patience ends, and record it."""
    table.now = due_work(table.match)["patience"]
    return table.act(absence.end_patience(table.match, table.now), "system")


def propose(table: Table, player: str, kind: ProposalKind = "bot") -> list[AnyEvent]:
    return table.act(proposals.propose(table.match, player, kind, table.now), player)


def answer(table: Table, player: str, kind: ProposalKind = "bot", agree: bool = True) -> list[str]:
    draft = proposals.answer(table.match, player, kind, table.now, agree=agree)
    return kinds(table.act(draft, player))


def refused(command: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        command()
    return caught.value.code


def test_a_table_stores_its_patience_and_passes_it_on() -> None:
    table = waiting()
    assert PatienceSet(PATIENCE_MS) in read_events(table.game, table.entries[0].events)
    assert table.match.patience_ms == ending.terms_of(table.match)["patience_ms"] == PATIENCE_MS


@for_each(
    ("seats", "needs"),
    [
        ("ann bob", True), ("ann .", True), ("ann ?bob", True), (". .", True),
        ("ann bob +easy", True), ("ann ann", False), ("ann +easy", False),
        (". +easy", False), ("+easy +easy", False),
    ],
)  # fmt: skip
def test_only_tables_of_several_people_need_it(seats: str, needs: bool) -> None:
    assert absence.needs_patience([chair(one) for one in seats.split()]) == needs


def test_a_seat_is_absent_once_the_others_have_waited_for_it_that_long() -> None:
    table = waiting()
    until = table.now + PATIENCE_MS
    assert absence.patience_ends(table.match) == {0: until}
    assert due_work(table.match) == {"patience": until}
    for player in "bob", "cid":
        assert refused(partial(propose, table, player)) == "no_absent_player"
    table.now = until - 1
    with pytest.raises(TooEarly):
        absence.end_patience(table.match, table.now)
    assert end_patience(table) == [PatienceEnded(0)]
    assert table.match.absent == {0}
    assert table.match.absent_players == {"ann"}
    assert (table.match.status, due_work(table.match)) == ("active", {})  # nothing by itself


@pytest.mark.parametrize("seats", ["ann +easy +easy", "ann ann ann"])
def test_a_match_in_which_one_person_decides_has_none(seats: str) -> None:
    match = waiting(seats).match
    assert absence.patience_ends(match) == {}
    assert "patience" not in due_work(match)


def test_only_moves_and_undo_set_the_time_anew() -> None:
    table = waiting(undo="free").wait(60)
    propose(table, "ann", "end")
    answer(table, "bob", "end", agree=False)
    before = absence.patience_ends(table.match)
    assert before == {0: table.now + 40_000}
    table.wait(10).play()
    assert table.match.waiting == dict.fromkeys(table.match.seats_to_move, table.now)
    start = table.match.line[0].version
    table.wait(10).undo("ann", start)
    assert table.match.waiting == {0: table.now}


def test_the_others_let_a_bot_play_on_and_the_player_comes_back() -> None:
    table = waiting()
    end_patience(table)
    asked = Proposed("bot", "bob", ("cid",), table.now + proposals.PROPOSAL_MS)
    assert propose(table, "bob") == [asked]
    assert refused(lambda: answer(table, "ann")) == "no_answer_expected"
    assert answer(table, "cid") == ["ProposalAnswered", "TimedOut", "BotSeated"]
    assert (table.match.proposal, table.match.absent) == (None, frozenset())
    assert bot_to_move(table.match) == 0
    assert kinds(table.reclaim("ann")) == ["SeatReclaimed"]
    assert absence.patience_ends(table.match) == {0: table.now + PATIENCE_MS}


def test_who_comes_back_waits_as_long_as_anybody() -> None:
    """While one person decides alone, no time passes for them."""
    table = waiting("ann bob")
    end_patience(table)
    assert kinds(propose(table, "bob")) == ["TimedOut", "BotSeated"]
    table.play()
    assert table.match.seats_to_move == (1,)
    assert due_work(table.match) == {}
    table.wait(500).reclaim("ann")
    assert absence.patience_ends(table.match) == {1: table.now + PATIENCE_MS}
    assert refused(partial(propose, table, "ann")) == "no_absent_player"


def test_who_comes_back_and_resigns_has_not_run_out_of_time() -> None:
    table = waiting("ann bob", on_timeout="resign")
    end_patience(table)
    propose(table, "bob")
    table.reclaim("ann")
    table.resign("ann")
    table.act(ending.score(table.match), "system")
    found = outcome_of(table.match)
    assert found
    assert (found.resigned, found.timed_out) == ((0,), ())


def test_the_only_other_player_decides_alone() -> None:
    table = waiting("ann bob")
    end_patience(table)
    assert propose(table, "bob") == [TimedOut(0), BotSeated(0, table.match.substitute)]
    assert table.entries[-1].kind == "BotSeated"
    table = waiting("ann bob")
    end_patience(table)
    assert propose(table, "bob", "end") == [Aborted("absence", SEED.hex())]
    assert (table.match.status, table.match.scoring) == ("aborted", None)


def test_all_others_end_a_match() -> None:
    table = waiting()
    end_patience(table)
    propose(table, "cid", "end")
    assert answer(table, "bob", "end") == ["ProposalAnswered", "Aborted"]
    assert table.match.end_reason == "absence"


@pytest.mark.parametrize("kind", ["bot", "end"])
def test_a_move_of_the_absent_makes_a_vote_void(kind: ProposalKind) -> None:
    table = waiting()
    end_patience(table)
    propose(table, "bob", kind)
    moved = table.move(table.legal(0)[0])
    assert ProposalLapsed() in moved
    assert (table.match.proposal, table.match.absent) == (None, frozenset())
    assert table.match.proposed == {}


def test_an_undo_makes_a_vote_void() -> None:
    table = waiting(undo="free").play()
    end_patience(table)
    someone = next(iter({"ann", "bob", "cid"} - table.match.absent_players))
    propose(table, someone, "end")
    assert "ProposalLapsed" in kinds(table.undo(someone, table.match.line[0].version))
    assert (table.match.proposal, table.match.absent) == (None, frozenset())


def test_an_absent_player_can_only_propose_what_all_agree_to() -> None:
    table = waiting()
    end_patience(table)
    assert refused(lambda: propose(table, "ann")) == "no_absent_player"
    [proposed] = propose(table, "ann", "end")
    assert isinstance(proposed, Proposed)
    assert proposed.asked == ("bob", "cid")
    answer(table, "bob", "end")
    answer(table, "cid", "end")
    assert table.match.end_reason == "agreement"


def test_a_proposal_that_waits_for_the_absent_lapses() -> None:
    table = waiting()
    propose(table, "bob", "end")
    assert end_patience(table) == [PatienceEnded(0), ProposalLapsed()]
    assert kinds(propose(table, "bob", "end")) == ["Proposed"]


def test_a_vote_that_fails_can_be_held_again_after_another_patience() -> None:
    """And a match that nobody looks at gets no more entries."""
    table = waiting()
    end_patience(table)
    propose(table, "bob")
    answer(table, "cid", agree=False)
    assert refused(lambda: propose(table, "bob")) == "proposed_lately"
    until = table.now + PATIENCE_MS
    assert due_work(table.match) == {"patience": until}
    assert end_patience(table) == [PatienceEnded(0)]
    assert due_work(table.match) == {}
    assert kinds(propose(table, "bob")) == ["Proposed"]


def test_seats_that_decide_at_the_same_time_have_each_their_own() -> None:
    table = Table("ann bob cid", patience_ms=PATIENCE_MS)
    while len(table.match.seats_to_move) < 3:
        table.wait(1).play()
    begun = table.now
    first, *others = table.match.seats_to_move
    table.wait(30).move(table.legal(first)[0])
    assert {seat: table.match.waiting[seat] for seat in others} == dict.fromkeys(others, begun)
    assert len(end_patience(table)) == 2
    present = table.who(first)
    assert propose(table, present)[-1] == BotSeated(others[1], table.match.substitute)


def test_an_outage_costs_no_player_anything() -> None:
    """Also not one that no entry has recorded when the others vote."""
    table = waiting()
    outage = Outage(table.now + 1_000, table.now + 61_000)
    table.wait(PATIENCE_MS / 1000)
    late = decide(table.match, absence.end_patience, table.now, [outage])
    assert kinds(table.act(late, "system")) == ["TimeReturned"]
    assert absence.patience_ends(table.match) == {0: table.now + 60_000}


def test_matches_with_a_clock_and_of_earlier_versions_have_none() -> None:
    for table in (
        Table("ann bob", position=challenge(), clock=clock(bank=60)),
        Table("ann bob", position=challenge()),
    ):
        assert (table.match.waiting, absence.patience_ends(table.match)) == ({}, {})
        assert "patience" not in due_work(table.match)
