"""What has changed for an audience since a cursor."""

from __future__ import annotations

import pytest

from domain.match.decisions import lobby
from projections.core import changes
from projections.core.changes import LOBBY
from projections.lists import change_feed
from projections.lists.change_feed import (
    ChangeFeedReader,
    FeedCursor,
    read_feed_cursor,
    write_feed_cursor,
)
from service.store.event_store import EventStore
from tests.projections.recorded import RecordedMatch, fold_all, some_of_each_kind

ALL = range(16)
START: FeedCursor = (0,) * 16


def ids_of_changes(store: EventStore, who: str, after: FeedCursor = START) -> set[str]:
    """The matches that have changed for an audience."""
    return {
        new.match.id
        for new in ChangeFeedReader(store.redis, 16).read_changes(who, after, ALL).changes
    }


def test_players_receive_changes_of_their_matches(store: EventStore) -> None:
    some_of_each_kind(store)
    fold_all(store)
    assert ids_of_changes(store, "ann") == {
        "open",
        "running",
        "scored",
        "resigned",
        "hotseat",
        "asking",
    }
    assert ids_of_changes(store, "cid") == {"resigned"}
    assert ids_of_changes(store, "dan") == set()
    assert "open" in ids_of_changes(store, LOBBY)
    assert "running" not in ids_of_changes(store, LOBBY), "it is private"


@pytest.mark.parametrize("batch", [1, 3, 100])
def test_a_player_who_left_receives_the_change_in_any_batches(
    store: EventStore, batch: int
) -> None:
    table = RecordedMatch(store, ". . +easy", match="m", host="ann")
    table.act(lobby.take_seat(table.match, "bob", 0, 0), "bob")
    table.act(lobby.leave_seat(table.match, "bob", 0), "bob")
    fold_all(store, batch)
    [new] = ChangeFeedReader(store.redis, 16).read_changes("bob", START, ALL).changes
    assert "bob" not in new.match.involved
    assert ids_of_changes(store, "bob", new.cursor) == set()


def test_a_cursor_continues_where_it_was(store: EventStore) -> None:
    some_of_each_kind(store)
    fold_all(store)
    reader = ChangeFeedReader(store.redis, 16)
    whole = reader.read_changes("ann", START, ALL)
    for heard, new in enumerate(whole.changes, 1):
        rest = reader.read_changes("ann", new.cursor, ALL).changes
        assert [one.match.id for one in rest] == [one.match.id for one in whole.changes[heard:]]
    assert reader.read_changes("ann", whole.cursor, ALL).changes == []
    assert whole.cursor == reader.latest_cursor()


def test_many_changes_come_in_pages(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_feed, "MAX_CHANGES_PER_PAGE", 1)
    ids = {f"m{n}" for n in range(40)}
    for match in ids:
        RecordedMatch(store, "ann bob", match=match)
    fold_all(store)
    reader, marks, found = ChangeFeedReader(store.redis, 16), START, []
    while items := (page := reader.read_changes("ann", marks, ALL)).changes:
        assert len(items) <= 16
        found += [new.match.id for new in items]
        marks = page.cursor
    assert (len(found), set(found)) == (40, ids)
    assert page.ends.keys() == set(ALL)


def test_the_lobby_keeps_the_last_changes(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "MAX_LOBBY_CHANGES", 2)
    monkeypatch.setattr(change_feed, "MAX_LOBBY_CHANGES", 2)
    reader = ChangeFeedReader(store.redis, 16)
    for n in range(60):
        RecordedMatch(store, ". +easy", match=f"m{n}", host="ann")
        fold_all(store)
        if n == 0:
            old = reader.latest_cursor()
    assert reader.can_resume(LOBBY, reader.latest_cursor())
    assert reader.can_resume("ann", old)
    assert not reader.can_resume(LOBBY, old)
    assert len(ids_of_changes(store, LOBBY)) == 32
    assert not reader.can_resume("ann", tuple(mark + 1 for mark in reader.latest_cursor()))


def test_a_cursor_is_written_as_one_word() -> None:
    marks = (0, 255, 16**12 - 1)
    assert read_feed_cursor(write_feed_cursor(marks), 3) == marks
    assert read_feed_cursor("0", 3) == (0, 0, 0)
    for wrong in ("", "1", "0.1", "0.1.2.3", "0.1.", "0.1.g", "0.1.-1", "0.1. 1", "1.2.\u0661"):
        assert read_feed_cursor(wrong, 3) is None, wrong
