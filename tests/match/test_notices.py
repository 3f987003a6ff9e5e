"""The notices of each entry: the same for every game."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.match.decisions import absence, pauses, proposals
from domain.match.decisions.giving_time import give_time
from domain.match.events import MATCH_EVENTS
from domain.match.log import Entry, fold_match, read_events, read_move
from domain.match.state import ClockRule, Match, Pause
from domain.notice_types import NoticeName
from domain.notices import (
    FIRST_WARNING_NUMBER,
    MAX_NOTICES_PER_VERSION,
    NAME_BY_EVENT,
    Notice,
    deadline_warnings,
    notices,
    patience_warnings,
    pause_warnings,
)
from tests.match.table import NOON, Table
from tests.match.test_rematch import opened, over

MINUTE = 60_000
EVENTS_WITHOUT_NOTICE = {
    "SeatTaken", "SeatLeft", "BotSeated", "SeatReclaimed", "Unrated", "Clocked", "Resigned",
    "TimedOut", "Rated", "BotFailed", "DiceFell", "NoncesAwaited", "RematchOffered",
    "NonceOpened", "TimeReturned", "Kept", "InvitationDeclined", "LessonBegun", "RematchOpened",
    "ReliabilityRequired", "PatienceSet", "ForcedMovePlayed",
}  # fmt: skip
"""Events of a match that have no notice; only their consequences have one."""


def list_notices(table: Table, last: int = 1) -> list[tuple[NoticeName, Seat | None]]:
    """The type and the seat of each notice of the last entries."""
    return [
        (notice.type, notice.seat)
        for entry in table.entries[-last:]
        for notice in notices_of(table, entry)
    ]


def notices_of(table: Table, entry: Entry) -> list[Notice]:
    games = {table.game.key: table.game}
    before = fold_match(games, table.entries[: entry.version - 1]) if entry.version > 1 else None
    after = fold_match(games, table.entries[: entry.version])
    mover = read_move(table.game, entry.move).seat if entry.move else None
    events = read_events(table.game, entry.events)
    return list(notices(entry.version, entry.at, events, mover, people(before), people(after)))


def people(match: Match | None) -> list[Seat]:
    return [seat for seat in match.seats_to_move if match.chairs[seat].human] if match else []


def test_every_event_of_a_match_has_a_notice_or_is_known_to_have_none() -> None:
    with_notice = {kind.__name__ for kind in NAME_BY_EVENT}
    assert {kind.__name__ for kind in MATCH_EVENTS} == EVENTS_WITHOUT_NOTICE | with_notice
    assert not EVENTS_WITHOUT_NOTICE & with_notice


def test_the_start_of_a_match_gives_a_notice_with_the_first_turn() -> None:
    found = list_notices(Table("ann bob"))
    assert found == [("match.created", None), ("match.started", None)] + [
        ("turn.started", seat)
        for seat in (0, 1)  # the toy begins with a choice of both
    ]


def test_a_move_gives_a_notice_with_whose_turn_is_next() -> None:
    table = Table("ann bob")
    mover = table.match.seats_to_move[0]
    while mover in table.match.seats_to_move:
        table.play()
    assert list_notices(table)[0] == ("move.made", mover)
    assert ("turn.started", 1 - mover) in list_notices(table, 99)


def test_several_moves_in_a_row_are_one_turn() -> None:
    table = Table("ann ann +easy")
    seats = [seat for kind, seat in list_notices(table, 99) if kind == "turn.started"]
    while table.match.status == "active":
        table.play()
        before = seats
        seats = seats + [seat for kind, seat in list_notices(table) if kind == "turn.started"]
        assert len(seats) - len(before) <= len(people(table.match))
    assert 2 not in seats  # a bot needs no notice


def test_an_undo_and_a_redo_begin_no_turn() -> None:
    table = Table("ann bob", undo="free").play(4)
    table.undo("ann")
    assert list_notices(table) == [("undo.done", None)]
    table.redo("ann")
    assert list_notices(table) == [("undo.done", None)]


def test_an_undo_by_consent_gives_a_notice_for_each_step() -> None:
    table = Table("ann bob", undo="consent").play(6)
    table.undo("ann", to=table.match.line[1].version)  # which takes back moves of both
    assert list_notices(table) == [("undo.requested", None)]
    table.answer("bob")
    assert list_notices(table) == [("undo.answered", None), ("undo.done", None)]


def test_the_notice_of_the_end_follows_that_of_the_last_move() -> None:
    table = Table("ann bob").play_out()
    assert [kind for kind, _ in list_notices(table)] == ["move.made", "match.ended"]


def test_the_table_to_play_again_gives_a_notice_in_both_matches() -> None:
    table = over()
    after = opened(table, "ann")
    assert list_notices(table) == [("match.continued", None)]
    assert list_notices(after) == [("match.created", None)]


def test_time_given_to_several_seats_gives_one_notice() -> None:
    table = Table("ann bob cid", clock=ClockRule(bank_s=60))
    table.act(give_time(table.match, "ann", None, None, table.now), "ann")
    assert list_notices(table) == [("time.given", None)]


def test_a_proposal_gives_a_notice_for_each_step() -> None:
    table = Table("ann bob cid")
    table.act(proposals.propose(table.match, "ann", "end", table.now), "ann")
    assert list_notices(table) == [("proposal.made", None)]
    table.act(proposals.answer(table.match, "bob", "end", table.now, agree=True), "bob")
    assert list_notices(table) == [("proposal.answered", None)]
    table.act(proposals.answer(table.match, "cid", "end", table.now, agree=True), "cid")
    assert list_notices(table) == [("proposal.answered", None), ("match.aborted", None)]


def test_a_pause_gives_notices_and_no_new_turn() -> None:
    table = Table("ann bob", clock=ClockRule(bank_s=60))
    table.act(proposals.propose(table.match, "ann", "pause", table.now), "ann")
    table.act(proposals.propose(table.match, "bob", "pause", table.now), "bob")
    assert list_notices(table) == [("proposal.answered", None), ("match.paused", None)]
    table.act(pauses.resume(table.match, "bob", table.now), "bob")
    assert list_notices(table) == [("match.resumed", None)]


def test_before_a_pause_ends_by_itself_there_is_one_warning() -> None:
    pause = Pause("ann", NOON, NOON + 8 * MINUTE)
    [warning] = pause_warnings(7, NOON, pause)
    assert (warning.at, warning.notice.type) == (NOON + 6 * MINUTE, "pause.ending")
    assert not list(pause_warnings(8, NOON + 6 * MINUTE, pause))


def test_the_end_of_patience_gives_one_notice_and_its_half_one_warning_for_each_seat() -> None:
    table = Table("ann bob", patience_ms=8 * MINUTE)
    seats, until = table.match.seats_to_move, NOON + 8 * MINUTE
    warned = list(patience_warnings(2, NOON, dict.fromkeys(seats, until), 8 * MINUTE))
    assert [(one.at, one.notice.seat, one.notice.type) for one in warned] == [
        (NOON + 4 * MINUTE, seat, "patience.warning") for seat in seats
    ]
    late = patience_warnings(3, NOON + 4 * MINUTE, dict.fromkeys(seats, until), 8 * MINUTE)
    assert not list(late)
    table.wait(8 * 60).act(absence.end_patience(table.match, table.now), "system")
    assert list_notices(table) == [("patience.ended", None)]


def test_places_go_by_version_and_number() -> None:
    first, second = (
        Notice(3, FIRST_WARNING_NUMBER, "clock.warning", 0),
        Notice(4, 0, "move.made", 0),
    )
    assert first.position < second.position
    assert second.position == 4 * MAX_NOTICES_PER_VERSION


def test_a_player_is_warned_at_half_and_at_a_tenth() -> None:
    found = list(deadline_warnings(7, ClockRule(per_move_s=600), NOON, {1: NOON + 10 * MINUTE}))
    assert [(one.at - NOON, one.notice.seat, one.notice.share) for one in found] == [
        (5 * MINUTE, 1, "half"),
        (9 * MINUTE, 1, "tenth"),
    ]


def test_a_player_with_less_time_left_is_not_warned_again() -> None:
    found = list(deadline_warnings(7, ClockRule(bank_s=600), NOON, {0: NOON + 2 * MINUTE}))
    assert [one.notice.share for one in found] == ["tenth"]
    assert not list(deadline_warnings(7, ClockRule(bank_s=600), NOON, {0: NOON + MINUTE}))
