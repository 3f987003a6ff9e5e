"""Players play a finished match again: who may offer it, on which seats, and the totals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from domain.engine.errors import Refusal
from domain.games.qin import GAME as QIN
from domain.match.decisions import ending, lobby, rematch
from domain.match.log import Draft
from domain.match.state import Match
from domain.match.undoing.seat_records import Tenure
from domain.match.visibility import can_see
from tests.match.table import SEED, Table, challenge, clock, kinds
from tests.match.test_ending import score_match


def over(seats: str = "ann bob", *, loser: str = "bob", **more: Any) -> Table:
    """A scored match, which ended because players resigned, this one first."""
    table = Table(seats, **more)
    table.resign(loser)
    while table.match.status == "active":
        table.resign(min(table.match.deciding_players()))
    return score_match(table)


def opened(table: Table, player: str, new: str = "again", first: Match | None = None) -> Table:
    """The table that opens after the offer of a player, as the service opens it."""
    table.act(rematch.offer(table.match, player, table.match.next_match), player)
    planned = rematch.plan_rematch(table.match, first or table.match, new, table.now)
    after = Table.__new__(Table)
    after.game, after.now, after.entries = table.game, table.now, []
    after.match = Match(table.game, SEED)
    after.act(lobby.create(table.game, planned, SEED, table.now), "system", secret=SEED)
    table.act(ending.link_next(table.match, new), "system")
    return after


def sit(table: Table, *players: str) -> Table:
    """Let players take their seats."""
    for player in players:
        table.act(lobby.take_seat(table.match, player, None, table.now), player)
    return table


def refused(decide: Callable[[], Draft]) -> str:
    """The code of a refusal."""
    with pytest.raises(Refusal) as refusal:
        decide()
    return refusal.value.code


def offer_by(table: Table, player: str) -> Callable[[], Draft]:
    """What a player does who offers to play again."""
    return lambda: rematch.offer(table.match, player, table.match.next_match)


def test_the_same_players_and_bots_sit_one_seat_further_on_the_same_terms() -> None:
    table = over(
        "ann bob +easy", clock=clock(per_move=60), undo="off", visibility="private",
        on_timeout="resign", options={"rounds": 2},
    )  # fmt: skip
    after = opened(table, "bob")
    match = after.match
    assert [(one.invited, one.bot) for one in match.chairs] == [
        ("bob", None), (None, "easy"), ("ann", None),
    ]  # fmt: skip
    assert (match.status, match.host, match.expires) == (
        "open", "bob", table.now + rematch.OFFER_MS,
    )  # fmt: skip
    for term in (
        "options", "setup", "clock_rule", "visibility", "undo_policy", "on_timeout", "substitute",
    ):  # fmt: skip
        assert getattr(match, term) == getattr(table.match, term)
    assert (table.match.next_match, match.previous_match) == ("again", "m")
    assert can_see(match, "ann")
    assert not can_see(match, "cid")
    assert sit(after, "ann").match.status == "open"
    assert sit(after, "bob").match.status == "active"


def test_it_starts_only_with_those_who_played_before() -> None:
    after = opened(over("ann bob cid"), "ann")
    sit(after, "ann", "cid")
    assert refused(lambda: lobby.take_seat(after.match, "dan", None, after.now)) == "seat_taken"
    assert refused(lambda: lobby.start(after.match, "ann", None, 0)) == "waiting_for_players"
    after.act(lobby.leave_seat(after.match, "ann", after.match.seats_of("ann")[0]), "ann")
    assert refused(lambda: lobby.take_seat(after.match, "dan", None, after.now)) == "seat_taken"
    assert after.match.host == "cid"
    assert sit(after, "ann", "bob").match.status == "active"


def test_who_had_several_seats_takes_all_of_them_at_once_and_the_match_is_unrated() -> None:
    after = opened(over("ann ann bob"), "bob")
    assert after.match.unrated == "hotseat"
    sit(after, "ann", "bob")
    assert (after.match.status, after.match.seats_of("ann")) == ("active", (0, 2))


def test_a_player_who_declines_closes_the_table_and_it_is_offered_three_times_at_most() -> None:
    table = over()
    for number in range(rematch.MAX_OFFERS):
        assert rematch.can_be_offered(table.match)
        after = opened(table, "ann", f"again-{number}")
        events = after.act(lobby.decline_invitation(after.match, "bob"), "bob")
        assert kinds(events) == ["InvitationDeclined", "Aborted"]
        assert (after.match.end_reason, after.match.declined) == ("declined", {0: "bob"})
    assert refused(offer_by(table, "bob")) == "no_rematch"
    assert not rematch.can_be_offered(table.match)


def test_an_offer_is_made_once() -> None:
    table = over()
    table.act(rematch.offer(table.match, "ann", None), "ann")
    assert ending.awaits_next(table.match)
    for player in ("ann", "bob"):
        with pytest.raises(rematch.AlreadyOffered):
            rematch.offer(table.match, player, None)
    table.act(ending.link_next(table.match, "again"), "system")
    assert not ending.awaits_next(table.match)
    with pytest.raises(rematch.AlreadyOffered):  # who has not heard of that table
        rematch.offer(table.match, "bob", None)


def test_only_players_of_a_match_that_was_played_can_play_it_again() -> None:
    assert refused(offer_by(over(), "cid")) == "not_seated"
    playing = Table("ann bob")
    assert refused(offer_by(playing, "ann")) == "no_rematch"
    playing.resign("ann")
    assert refused(offer_by(playing, "ann")) == "no_rematch"  # it is not scored yet
    closed = Table("ann .")
    closed.act(lobby.close(closed.match, "ann"), "ann")
    assert refused(offer_by(closed, "ann")) == "no_rematch"
    broken = Table("ann bob")
    broken.act(ending.close(broken.match, "fault"), "system")
    assert refused(offer_by(broken, "ann")) == "no_rematch"


def test_a_match_from_a_position_begins_there_again() -> None:
    table = over("ann bob", position=challenge())
    after = sit(opened(table, "ann"), "ann", "bob")
    assert (after.match.position, after.match.unrated) == (table.match.position, "position")


def test_totals_follow_the_players_from_seat_to_seat() -> None:
    table = over(loser="bob")  # on seat 1
    assert rematch.totals_of(table.match) is None
    second = sit(opened(table, "ann", "b"), "ann", "bob")  # bob on seat 0
    assert rematch.totals_of(second.match) == rematch.Totals(1, (0, 1))
    second.resign("ann")
    assert rematch.totals_of(score_match(second).match) == rematch.Totals(2, (1, 1))
    third = opened(second, "bob", "c")
    third.act(lobby.decline_invitation(third.match, "ann"), "ann")
    fourth = sit(opened(second, "bob", "d"), "ann", "bob")
    assert fourth.match.seats_of("ann") == (0,)
    fourth.resign("ann")
    assert rematch.totals_of(fourth.match) == rematch.Totals(2, (1, 1))  # not scored yet
    assert rematch.totals_of(score_match(fourth).match) == rematch.Totals(3, (1, 2))


def test_a_new_player_inherits_no_victory() -> None:
    second = sit(opened(over(loser="bob"), "ann", "b"), "ann", "bob")
    second.resign("ann")
    match = score_match(second).match
    assert rematch.totals_of(match) == rematch.Totals(2, (1, 1))
    match.tenures = (Tenure(0, "old", 3),)
    assert rematch.totals_of(match) == rematch.Totals(1, (1, 0))


def test_a_series_is_played_again_as_a_whole_and_counts_as_one() -> None:
    first = over(game=QIN, options={"series": ["bird", "lion"]}, loser="ann")
    assert refused(offer_by(first, "ann")) == "no_rematch"
    planned = ending.next_plan(first.match, first.now)
    assert planned
    last = Table.__new__(Table)
    last.game, last.now, last.entries, last.match = QIN, first.now, [], Match(QIN, SEED)
    last.act(lobby.create(QIN, planned, SEED, first.now), "system", secret=SEED)
    assert last.match.previous_match == "m"
    last.resign("ann")
    again = opened(score_match(last), "ann", first=first.match)
    assert (last.match.next_match, last.match.next_in_series) == ("again", None)
    assert again.match.options == first.match.options
    assert again.match.series
    assert again.match.series.number == 1
    assert rematch.totals_of(again.match) == rematch.Totals(1, (1, 0))  # bob, now on seat 0
