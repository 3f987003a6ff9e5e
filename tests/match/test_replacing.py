"""New players in the place of absent ones: the vote, the seat, and what stays with whom."""

from __future__ import annotations

from functools import partial
from typing import Any

from domain.match.decisions import absence, ending, playing, proposals, undo
from domain.match.log import AnyEvent
from domain.match.social_events import PlayerReplaced
from domain.match.undoing.seat_records import Tenure
from domain.match.visibility import can_see
from tests.match.table import Table, kinds
from tests.match.test_absence import answer, end_patience, propose, refused, waiting
from tests.support.for_each import for_each


def replace(table: Table, player: str, seat: int | None = None) -> list[AnyEvent]:
    return table.act(absence.replace_player(table.match, player, seat), player)


def seeking(seats: str = "ann bob cid", **more: Any) -> Table:
    """The others seek a new player for the first seat."""
    table = waiting(seats, **more)
    end_patience(table)
    propose(table, "bob", "replacement")
    while table.match.proposal:
        answer(table, table.match.proposal.asked[0], "replacement")
    return table


def test_a_vote_opens_the_seat_and_a_new_player_takes_it() -> None:
    table = waiting()
    assert refused(partial(propose, table, "bob", "replacement")) == "no_absent_player"
    end_patience(table)
    assert refused(partial(propose, table, "ann", "replacement")) == "no_absent_player"
    assert refused(partial(replace, table, "dan")) == "seat_taken"
    assert kinds(propose(table, "bob", "replacement")) == ["Proposed"]
    assert answer(table, "cid", "replacement") == ["ProposalAnswered", "ReplacementSought"]
    assert table.match.replaceable == {0}
    assert table.match.chairs[0].player == "ann"
    hour = 3_600
    taken = replace(table.wait(hour), "dan")
    assert taken == [PlayerReplaced(0, "ann", "dan", "bob")]
    match = table.match
    assert (match.chairs[0].player, match.host, match.absent) == ("dan", "bob", frozenset())
    assert match.tenures == (Tenure(0, "ann", match.version),)
    assert (match.replaceable, match.waiting) == (frozenset(), {0: table.now})


@for_each(("gone", "host"), [("bob", "cid"), ("cid", "bob"), ("bob cid", "dan")])
def test_the_next_host_is_a_player_who_still_plays(gone: str, host: str) -> None:
    table = seeking("ann bob cid dan") if host == "dan" else seeking()
    for player in gone.split():
        table.act(playing.resign(table.match, player, table.now), player)
    replace(table, "eva")
    assert table.match.host == host


def test_who_comes_back_keeps_the_seat() -> None:
    table = seeking()
    table.play()
    assert table.match.replaceable == frozenset()
    assert refused(partial(replace, table, "dan")) == "seat_taken"
    assert table.match.tenures == ()


def test_the_others_may_vote_otherwise_while_they_seek_a_player() -> None:
    table = seeking()
    assert refused(partial(propose, table, "bob", "replacement")) == "no_replacement"
    propose(table, "bob", "bot")
    answer(table, "cid", "bot")
    assert (table.match.chairs[0].human, table.match.replaceable) == (False, frozenset())
    over = seeking("ann bob")
    assert kinds(propose(over, "bob", "end")) == ["Aborted"]


def test_a_proposal_lapses_with_the_players_whom_it_asks() -> None:
    table = seeking()
    propose(table, "bob", "bot")
    assert kinds(replace(table, "dan")) == ["PlayerReplaced", "ProposalLapsed"]


@for_each(
    ("player", "seat", "code"),
    [("ann", 0, "already_seated"), ("bob", 0, "already_seated"), ("dan", 1, "seat_taken"),
     ("dan", 9, "no_such_seat")],
)  # fmt: skip
def test_a_seat_is_for_new_players(player: str, seat: int, code: str) -> None:
    assert refused(lambda: replace(seeking(), player, seat)) == code


def test_a_player_who_was_replaced_takes_no_other_seat() -> None:
    table = seeking()
    replace(table, "dan")
    end_patience(table)
    propose(table, "bob", "replacement")
    answer(table, "cid", "replacement")
    assert refused(lambda: replace(table, "ann")) == "seat_taken"
    replace(table, "eva")
    assert [one.player for one in table.match.tenures] == ["ann", "dan"]
    assert absence.all_players(table.match) == {"ann", "bob", "cid", "dan", "eva"}


def test_a_player_of_several_seats_is_not_replaced() -> None:
    table = waiting("ann bob ann")
    end_patience(table)
    assert refused(partial(propose, table, "bob", "replacement")) == "no_replacement"
    assert propose(table, "bob", "bot")


def test_who_was_replaced_may_do_nothing_and_does_not_see_a_private_match() -> None:
    table = seeking(visibility="private")
    replace(table, "dan")
    match, now = table.match, table.now
    for command in (
        lambda: playing.resign(match, "ann", now),
        lambda: playing.reclaim(match, "ann", now),
        lambda: proposals.propose(match, "ann", "end", now),
        lambda: undo.undo(match, "ann", None, now),
    ):
        with_code = refused(command)
        assert with_code in ("not_seated", "nothing_to_reclaim")
    assert (can_see(match, "ann"), can_see(match, "dan")) == (False, True)


def test_an_undo_past_it_gives_no_seat_back_and_needs_the_others() -> None:
    table = waiting(undo="consent")
    start = table.match.line[0].version
    table.play(2)
    while len(table.match.seats_to_move) > 1:
        table.play()
    end_patience(table)
    [seat] = table.match.absent
    leaver = table.match.chairs[seat].player or ""
    others = sorted(table.match.deciding_players() - {leaver})
    propose(table, others[0], "replacement")
    answer(table, others[1], "replacement")
    replace(table, "dan")
    table.act(undo.undo(table.match, "dan", start, table.now), "dan")
    assert table.match.undo_request
    for player in table.match.undo_request.asked:
        table.act(undo.answer(table.match, player, True, table.now), player)
    assert len(table.match.line) == 1
    assert table.match.chairs[seat].player == "dan"


def test_who_left_or_came_without_a_move_may_have_done_so_by_accident() -> None:
    table = seeking()
    replace(table, "dan")
    assert {"ann", "dan"} <= ending.early_leavers(table.match)
    table.play()
    assert "dan" not in ending.early_leavers(table.match)


def test_the_new_player_lets_others_wait_from_now_on() -> None:
    table = seeking()
    replace(table.wait(3_600), "dan")
    before = table.now
    end_patience(table)
    assert table.now - before >= (table.match.patience_ms or 0)
    assert table.match.absent_players == {"dan"}
