"""What has changed for somebody since they last heard of it."""

from __future__ import annotations

import pytest

from domain.match.decisions import lobby
from projections.core import changes
from projections.core.changes import LOBBY
from projections.lists import change_feed
from projections.lists.change_feed import Marks, NewsReader, read_marks, write_marks
from service.store.event_store import Store
from tests.projections.recorded import Recorded, fold_all, varied

ALL = range(16)
START: Marks = (0,) * 16


def told(store: Store, who: str, after: Marks = START) -> set[str]:
    """The matches that have changed for somebody."""
    return {new.match.id for new in NewsReader(store.redis, 16).read(who, after, ALL).items}


def test_each_hears_of_the_matches_in_which_they_have_a_part(store: Store) -> None:
    varied(store)
    fold_all(store)
    assert told(store, "ann") == {"open", "running", "scored", "resigned", "hotseat", "asking"}
    assert told(store, "cid") == {"resigned"}
    assert told(store, "dan") == set()
    assert "open" in told(store, LOBBY)
    assert "running" not in told(store, LOBBY), "it is private"


@pytest.mark.parametrize("batch", [1, 3, 100])
def test_who_came_and_went_is_told_in_whatever_portions_the_feed_is_read(
    store: Store, batch: int
) -> None:
    table = Recorded(store, ". . +easy", match="m", host="ann")
    table.act(lobby.take_seat(table.match, "bob", 0, 0), "bob")
    table.act(lobby.leave_seat(table.match, "bob", 0), "bob")
    fold_all(store, batch)
    [new] = NewsReader(store.redis, 16).read("bob", START, ALL).items
    assert "bob" not in new.match.involved
    assert told(store, "bob", new.marks) == set()


def test_marks_go_on_where_one_was(store: Store) -> None:
    varied(store)
    fold_all(store)
    reader = NewsReader(store.redis, 16)
    whole = reader.read("ann", START, ALL)
    for heard, new in enumerate(whole.items, 1):
        rest = reader.read("ann", new.marks, ALL).items
        assert [one.match.id for one in rest] == [one.match.id for one in whole.items[heard:]]
    assert reader.read("ann", whole.marks, ALL).items == []
    assert whole.marks == reader.now()


def test_much_news_comes_in_pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_feed, "PAGE", 1)
    ids = {f"m{n}" for n in range(40)}
    for match in ids:
        Recorded(store, "ann bob", match=match)
    fold_all(store)
    reader, marks, found = NewsReader(store.redis, 16), START, []
    while items := (page := reader.read("ann", marks, ALL)).items:
        assert len(items) <= 16
        found += [new.match.id for new in items]
        marks = page.marks
    assert (len(found), set(found)) == (40, ids)
    assert page.ends.keys() == set(ALL)


def test_the_lobby_keeps_the_last_changes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "KEPT", 2)
    monkeypatch.setattr(change_feed, "KEPT", 2)
    reader = NewsReader(store.redis, 16)
    for n in range(60):
        Recorded(store, ". +easy", match=f"m{n}", host="ann")
        fold_all(store)
        if n == 0:
            old = reader.now()
    assert reader.knows(LOBBY, reader.now())
    assert reader.knows("ann", old)
    assert not reader.knows(LOBBY, old)
    assert len(told(store, LOBBY)) == 32
    assert not reader.knows("ann", tuple(mark + 1 for mark in reader.now()))


def test_marks_are_written_as_one_word() -> None:
    marks = (0, 255, 16**12 - 1)
    assert read_marks(write_marks(marks), 3) == marks
    assert read_marks("0", 3) == (0, 0, 0)
    for wrong in ("", "1", "0.1", "0.1.2.3", "0.1.", "0.1.g", "0.1.-1", "0.1. 1", "1.2.\u0661"):
        assert read_marks(wrong, 3) is None, wrong
