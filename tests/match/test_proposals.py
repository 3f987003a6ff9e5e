"""Ending a match by agreement: who can propose it, who must agree, and how a proposal ends."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from domain.engine.errors import Refusal
from domain.match.decisions import lobby, proposals, undo
from domain.match.errors import TooEarly
from domain.match.events import Aborted, TimeReturned
from domain.match.log import AnyEvent, Draft
from domain.match.outages import Outage, decide
from domain.match.scheduled_work import bot_to_move, due_work
from domain.match.social_events import ProposalAnswered, Proposed
from domain.match.state import Proposal
from tests.match.table import SEED, Table, clock, kinds
from tests.support.for_each import for_each


def propose(table: Table, player: str) -> list[AnyEvent]:
    return table.act(proposals.propose(table.match, player, "end", table.now), player)


def answer(table: Table, player: str, agree: bool = True) -> list[AnyEvent]:
    return table.act(proposals.answer(table.match, player, "end", table.now, agree=agree), player)


def refused(command: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        command()
    return caught.value.code


def play_until(table: Table, player: str) -> Table:
    """Play until a seat of this player decides first."""
    while table.who(table.match.seats_to_move[0]) != player:
        table.play()
    return table


def test_a_match_ends_without_a_result_once_all_people_have_agreed() -> None:
    table = Table("ann bob cid").play(3)
    expires = table.now + proposals.PROPOSAL_MS
    assert propose(table, "bob") == [Proposed("end", "bob", ("ann", "cid"), expires)]
    assert answer(table, "cid") == [ProposalAnswered("cid", agree=True)]
    assert table.match.proposal == Proposal("end", "bob", ("ann",), expires)
    assert answer(table, "ann") == [
        ProposalAnswered("ann", agree=True),
        Aborted("agreement", SEED.hex()),
    ]
    match = table.match
    assert (match.status, match.end_reason, match.proposal) == ("aborted", "agreement", None)
    assert (match.scoring, match.revealed, due_work(match)) == (None, True, {})
    assert table.entries[-1].kind == "Aborted"


@for_each("seats", ["ann ann", "ann +easy", "ann ann +easy +easy"])
def test_without_other_people_it_ends_at_once(seats: str) -> None:
    table = Table(seats, options={}).play()
    assert propose(table, "ann") == [Aborted("agreement", SEED.hex())]


def test_bots_and_players_who_left_need_not_agree() -> None:
    table = Table("ann bob cid dan", clock=clock(per_move=60)).play(2)
    table.resign("bob")
    seats = set(range(4)) - {3}
    while seats & set(table.match.seats_to_move):  # only dan thinks
        table.move(table.legal(min(seats & set(table.match.seats_to_move)))[0])
    table.wait(60).time_out()
    propose(table, "ann")
    assert table.match.proposal
    assert table.match.proposal.asked == ("cid",)
    for player, code in {
        "bob": "not_seated", "dan": "seat_played_by_bot", "eve": "not_seated",
    }.items():  # fmt: skip
        for command in propose, answer:
            assert refused(partial(command, table, player)) == code
    answer(table, "cid")
    assert table.match.status == "aborted"


def test_to_propose_what_another_player_proposes_is_to_agree() -> None:
    table = Table("ann bob")
    propose(table, "ann")
    assert kinds(propose(table, "bob")) == ["ProposalAnswered", "Aborted"]


def test_one_proposal_stands_at_a_time_and_each_player_answers_once() -> None:
    table = Table("ann bob cid")
    assert refused(lambda: answer(table, "bob")) == "no_proposal"
    propose(table, "ann")
    assert refused(lambda: propose(table, "ann")) == "proposal_stands"
    assert refused(lambda: answer(table, "ann")) == "no_answer_expected"
    answer(table, "bob")
    for agree in (True, False):
        assert refused(partial(answer, table, "bob", agree)) == "no_answer_expected"
    assert refused(lambda: propose(table, "bob")) == "no_answer_expected"


@pytest.mark.parametrize("who", ["bob", "ann"])
def test_a_proposal_ends_when_it_is_declined_or_withdrawn(who: str) -> None:
    table = Table("ann bob cid")
    propose(table, "ann")
    answer(table, "cid")
    assert answer(table, who, agree=False) == [ProposalAnswered(who, agree=False)]
    assert (table.match.proposal, table.match.status) == (None, "active")


def test_it_lapses_with_the_next_move_of_the_player_who_made_it_and_of_no_other() -> None:
    table = play_until(Table("ann bob"), "bob")
    propose(table, "ann")
    table.move(table.legal()[0])
    assert table.match.proposal
    play_until(table, "ann").play()
    assert table.match.proposal is None


@for_each("how", ["declined", "withdrawn", "moved"])
def test_the_same_player_cannot_propose_it_again_before_some_moves(how: str) -> None:
    table = play_until(Table("ann bob", options={"rounds": 6}), "ann")
    propose(table, "ann")
    if how == "moved":
        table.play()
    else:
        answer(table, "bob" if how == "declined" else "ann", agree=False)
    begun = table.match.line[-1].version if how != "moved" else table.match.line[-2].version
    while (made := sum(point.version > begun for point in table.match.line)) < proposals.MIN_MOVES:
        assert refused(lambda: propose(table, "ann")) == "proposed_lately"
        left = proposals.moves_until_next(table.match, "ann", "end")
        assert left == proposals.MIN_MOVES - made
        table.play()
    assert kinds(propose(table, "ann")) == ["Proposed"]


def test_the_others_can_propose_it_meanwhile() -> None:
    table = Table("ann bob cid")
    propose(table, "ann")
    answer(table, "bob", agree=False)
    assert kinds(propose(table, "bob")) == ["Proposed"]


def test_undone_moves_do_not_let_a_player_propose_it_again() -> None:
    table = play_until(Table("ann bob", undo="free", options={"rounds": 6}), "ann")
    propose(table, "ann")
    answer(table, "bob", agree=False)
    start = table.match.line[-1].version
    table.play(proposals.MIN_MOVES)
    assert proposals.moves_until_next(table.match, "ann", "end") == 0
    table.undo("ann", start)
    assert refused(lambda: propose(table, "ann")) == "proposed_lately"


def test_an_unanswered_proposal_lapses_and_can_be_made_again() -> None:
    table = Table("ann bob")
    propose(table, "ann")
    assert due_work(table.match)["lapse"] == table.now + proposals.PROPOSAL_MS
    table.wait(proposals.PROPOSAL_MS / 1000 - 1)
    with pytest.raises(TooEarly):
        proposals.lapse_request(table.match, table.now)
    table.wait(1)
    assert kinds(table.act(proposals.lapse_request(table.match, table.now), "system")) == [
        "ProposalLapsed"
    ]
    assert kinds(propose(table, "ann")) == ["Proposed"]


def test_requests_for_an_undo_and_proposals_lapse_one_by_one() -> None:
    table = Table("ann bob", undo="consent").play(4)
    propose(table, "ann")
    table.undo("ann", table.match.line[0].version)
    assert due_work(table.match)["lapse"] == table.now + undo.UNDO_ANSWER_MS
    table.wait(proposals.PROPOSAL_MS / 1000)
    found = [
        kinds(table.act(proposals.lapse_request(table.match, table.now), "system")) for _ in "12"
    ]
    assert found == [["UndoLapsed"], ["ProposalLapsed"]]


def test_an_undo_leaves_a_proposal_as_it_is() -> None:
    table = Table("ann bob", undo="free").play(4)
    propose(table, "bob")
    table.undo("ann", table.match.line[0].version)
    assert table.match.proposal
    table.redo(table.undone_player)
    assert table.match.proposal


@pytest.mark.parametrize("who", ["ann", "bob"])
def test_a_proposal_lapses_when_a_player_resigns(who: str) -> None:
    table = Table("ann bob cid dan")
    propose(table, "ann")
    assert "ProposalLapsed" in kinds(table.resign(who))
    assert table.match.proposal is None
    assert kinds(propose(table, "cid")) == ["Proposed"]


def test_a_proposal_lapses_when_a_bot_replaces_a_player_and_when_they_come_back() -> None:
    table = Table("ann bob cid", clock=clock(per_move=60)).play(2)
    propose(table, "ann")
    assert "ProposalLapsed" in kinds(table.wait(60).time_out())
    propose(table, "ann")
    table.play()
    assert "ProposalLapsed" in kinds(table.reclaim("cid"))
    propose(table, "ann")
    assert table.match.proposal
    assert table.match.proposal.asked == ("bob", "cid")


def test_bots_play_on_while_a_proposal_stands() -> None:
    table = Table("ann bob +easy")
    propose(table, "ann")
    while bot_to_move(table.match) is None:
        table.move(table.legal()[0])
    assert due_work(table.match).keys() & {"bot", "think"}


def test_before_the_start_and_after_the_end_there_is_nothing_to_agree_on() -> None:
    opened = Table("ann .")
    assert refused(lambda: propose(opened, "ann")) == "match_not_started"
    over = Table("ann bob").play_out()
    assert refused(lambda: propose(over, "ann")) == "game_over"
    agreed = Table("ann ann")
    propose(agreed, "ann")
    assert refused(lambda: propose(agreed, "ann")) == "match_aborted"


def test_the_end_of_the_game_ends_a_proposal() -> None:
    table = Table("ann bob")
    propose(table, "ann")
    table.resign("bob")
    assert (table.match.status, table.match.proposal) == ("ended", None)
    closed = Table("ann bob")
    propose(closed, "ann")
    closed.act(Draft("Aborted", (Aborted("operator", SEED.hex()),)), "system")
    assert closed.match.proposal is None


def test_an_outage_leaves_the_others_the_whole_time_to_answer() -> None:
    table = Table("ann bob")
    propose(table, "ann")
    outage = Outage(table.now + 1_000, table.now + 61_000)
    table.wait(proposals.PROPOSAL_MS / 1000)
    returned = decide(table.match, proposals.lapse_request, table.now, [outage])
    assert returned.events == (TimeReturned(60_000),)
    table.act(returned, "system")
    assert due_work(table.match)["lapse"] == table.now + 60_000


def test_a_match_in_a_series_that_ends_so_has_no_next() -> None:
    table = Table("ann bob", options={})
    propose(table, "ann")
    answer(table, "bob")
    assert table.match.next_in_series is None
    assert refused(lambda: lobby.close(table.match, "ann")) == "match_aborted"


def test_a_match_of_any_length_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("ann bob")
    monkeypatch.setattr("domain.match.length.UNDO_END_VERSION", 1)
    propose(table, "ann")
    answer(table, "bob")
    assert table.match.status == "aborted"
