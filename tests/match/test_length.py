"""Matches have a maximum length, and an undo in a long match costs no more."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from domain.engine.game import fold
from domain.games import GAMES
from domain.match.decisions import lobby, playing, undo
from domain.match.decisions.ending import final_scoring
from domain.match.errors import Impossible
from domain.match.length import END_VERSION, UNDO_END_VERSION
from domain.match.log import Draft, apply_events, make_entry
from domain.match.scheduled_work import due_work
from domain.match.state import Match, Point
from tests.engine.toy import GAME as TOY
from tests.games.record import record
from tests.match.table import NOON, Table, kinds

HANSA = GAMES["hansa_teutonica"]
"""Its games last longest."""
BRING_NO_GAME_FORWARD: dict[str, Callable[[Match], Draft]] = {
    "undo": lambda match: undo.undo(match, "ann", None, NOON),
    "redo": lambda match: undo.redo(match, "ann", NOON),
}


def at_version(version: int, table: Table) -> Match:
    """The match of this table, moved to a version."""
    match = table.match.copy()
    match.version = version
    return match


def last_move(table: Table, version: int = END_VERSION) -> tuple[Draft, Match]:
    """Record a move as this version; return its draft and the match after it."""
    match = at_version(version - 1, table)
    draft = playing.move(match, table.legal()[0], NOON)
    apply_events(match, make_entry(draft, version, "ann", NOON, 1), draft.events)
    return draft, match


@pytest.mark.parametrize("what", BRING_NO_GAME_FORWARD)
def test_a_long_match_goes_on_without_undo_and_redo(what: str) -> None:
    table = Table("ann ann", undo="free").play(4)
    table.undo("ann")
    decide = BRING_NO_GAME_FORWARD[what]
    assert decide(at_version(UNDO_END_VERSION - 1, table)).events
    match = at_version(UNDO_END_VERSION, table)
    with pytest.raises(Impossible, match="4,000 entries") as refused:
        decide(match)
    assert refused.value.code == "match_too_long"
    assert playing.move(match, table.legal()[0], NOON).events
    assert kinds(list(playing.resign(match, "ann", NOON).events))[-1] == "Ended"


def test_a_request_that_stands_can_be_answered_however_long_the_match_is() -> None:
    table = Table("ann bob").play(2)
    table.undo("ann")
    match = at_version(END_VERSION, table)
    for agree in (True, False):
        assert undo.answer(match, "bob", agree, NOON).events


def test_a_table_at_which_too_many_sat_down_can_still_be_left_started_and_closed() -> None:
    match = at_version(UNDO_END_VERSION, Table("ann bob ."))
    with pytest.raises(Impossible) as refused:
        lobby.take_seat(match, "cid", None, NOON)
    assert refused.value.code == "match_too_long"
    assert lobby.leave_seat(match, "bob", 1).events
    assert lobby.start(match, "ann", None, NOON).events
    assert lobby.close(match, "ann").events


def test_the_last_move_that_fits_ends_the_match() -> None:
    table = Table("ann bob")
    draft, match = last_move(table, END_VERSION - 1)
    assert (kinds(list(draft.events)), match.status) == ([], "active")
    for version in (END_VERSION, END_VERSION + 7):
        draft, match = last_move(table, version)
        assert kinds(list(draft.events)) == ["Unrated", "Ended"]
        assert (match.status, match.unrated, set(due_work(match))) == ("ended", "length", {"score"})
        assert final_scoring(match).reason == "length"
        assert [line.seat for line in final_scoring(match).lines] == [0, 1]


def test_a_match_that_did_not_count_keeps_the_reason_for_it() -> None:
    draft, match = last_move(Table("ann ann"))
    assert (kinds(list(draft.events)), match.unrated) == (["Ended"], "hotseat")


@pytest.mark.slow
@pytest.mark.parametrize("game", [*GAMES.values(), TOY], ids=lambda game: game.key)
def test_no_game_comes_near_its_longest_match(game: Any) -> None:
    """Random bots need the most moves, and most seats as well."""
    longest = len(record(game, game.seats[-1], 0).moments)
    assert 3 * longest < UNDO_END_VERSION < END_VERSION - longest


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> int:
    """Points between two snapshots, fewer than usual, so that tests go back to each point."""
    monkeypatch.setattr("domain.match.undoing.play_tree.POINTS_PER_SNAPSHOT", 8)
    return 8


def test_every_way_back_leads_to_the_same_state_as_the_beginning(often: int) -> None:
    table = Table("ann ann", game=HANSA, undo="free").play(3 * often)
    for to in range(1, 3 * often):
        table.undo("ann", to)
        same_as_from_the_beginning(table.match)
        table.redo("ann")
        same_as_from_the_beginning(table.match)


def test_a_line_that_was_left_leaves_no_snapshot_behind(often: int) -> None:
    table = Table("ann ann", game=HANSA, undo="free").play(2 * often)
    table.undo("ann", often - 2)
    for _ in range(often):
        table.move(table.legal()[-1])
    same_as_from_the_beginning(table.match)
    for late, early in pairwise(reversed(table.line)):
        table.undo("ann", early)
        same_as_from_the_beginning(table.match)
        assert late not in table.line


def test_lines_that_were_left_keep_few_snapshots(
    often: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a player could fill the memory by undoing the same moves all the time."""
    monkeypatch.setattr("domain.match.undoing.play_tree.MAX_SNAPSHOTS", 4)
    table, ends = Table("ann ann", game=HANSA, undo="free"), list[int]()
    for _ in range(5):
        for _ in range(2 * often):
            table.move(table.legal()[-1])
        ends.append(table.match.version)
        table.undo("ann", 2)
    for end in ends:
        table.redo("ann", end)
        same_as_from_the_beginning(table.match)
        assert len(table.match.snapshots._states) <= 4


@pytest.mark.parametrize("snapshots", [1, 2, 9])
def test_a_longer_line_of_play_takes_no_longer_to_go_back_in(
    snapshots: int, often: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = snapshots * often + 5
    match = Table("ann ann", game=HANSA, undo="free").play(points).match.copy()
    read = list[int]()
    events = Point.events.fget
    assert events
    monkeypatch.setattr(
        Point, "events", property(lambda point: (read.append(point.version), events(point))[1])
    )
    match.rewind(match.line[-2].version)
    match.restore(points + 1)
    assert 0 < len(read) <= 2 * often


def same_as_from_the_beginning(match: Match) -> None:
    """The state equals a fold of all events of the line from an empty table."""
    state = match.blank_state()
    for point in match.line:
        fold(state, point.events)
    assert match.game.write_position(match.state) == match.game.write_position(state)
