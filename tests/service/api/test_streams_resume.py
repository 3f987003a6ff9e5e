"""Change feeds that break and resume at their cursor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest
from flask import Flask

from projections.core import changes
from projections.lists import change_feed
from projections.lists.change_feed import ChangeFeedReader
from projections.lists.matches import MATCHES
from service.live import broadcast
from service.matches.container import Annals
from tests.service.api.change_feed import (
    LOBBY,
    MINE,
    Event,
    find_in_lists,
    listening,
    next_change,
    next_update,
)
from tests.service.api.conftest import Api, fold_lists, open_table, play_on
from tests.service.api.streams import events_in, streaming
from tests.support.apps import app_over
from workers.tools.rebuild import rebuild_projections

PATHS = pytest.mark.parametrize("path", [MINE, LOBBY])


def id_of(path: str) -> str:
    return path.rpartition("/")[2]


def start_of(caller: Api, path: str = MINE) -> str:
    """The cursor of a stream that starts now."""
    with listening(caller, path) as stream:
        found, kind, _ = next(stream)
        assert kind == ""
        return found


def tables(annals: Annals, host: Api, count: int) -> list[str]:
    """The ids of the tables in the lists."""
    found = [id_of(open_table(host)) for _ in range(count)]
    fold_lists(annals)
    return found


@PATHS
def test_missed_changes_come_once_in_the_current_state(
    path: str, annals: Annals, ann: Api, bob: Api
) -> None:
    seen = start_of(ann, path)
    first, second = (f"/v1/matches/{one}" for one in tables(annals, ann, 2))
    bob.post(f"{first}/seats")
    fold_lists(annals)
    play_on(first, ann, bob, until=6)
    fold_lists(annals)
    with listening(ann, path, Last_Event_ID=seen) as stream:
        rows = [next_change(stream) for _ in range(2)]
        ann.delete(second)
        fold_lists(annals)
        last = next_change(stream)
    found = {row["id"]: row for row in (one.get("match", one) for one in rows)}
    assert found.keys() == {id_of(first), id_of(second)}
    assert found[id_of(first)] == find_in_lists(ann, id_of(first))
    assert last.get("match", last)["id"] == id_of(second)


@PATHS
def test_continuing_after_any_event_misses_and_repeats_none(
    path: str, annals: Annals, ann: Api
) -> None:
    made = tables(annals, ann, 7)
    with listening(ann, f"{path}?after=0") as stream:
        whole = [next_update(stream) for _ in made]
    assert sorted(matches_in(whole)) == sorted(made)
    later: list[str] = []
    for heard, (seen, _, _) in enumerate(whole, 1):
        later += tables(annals, ann, 1)
        expected = [*matches_in(whole[heard:]), *later]
        with listening(ann, f"{path}?after=0", Last_Event_ID=seen) as stream:
            assert sorted(matches_in([next_update(stream) for _ in expected])) == sorted(expected)


def matches_in(events: list[Event]) -> list[str]:
    """The ids of the matches in these events."""
    return [data.get("match", data)["id"] for _, _, data in events]


def test_many_missed_changes_come_in_pages(
    annals: Annals, ann: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tables(annals, ann, 40)
    monkeypatch.setattr(change_feed, "MAX_CHANGES_PER_PAGE", 16)
    with listening(ann, f"{MINE}?after=0") as stream:
        assert sorted(matches_in([next_update(stream) for _ in made])) == sorted(made)


@PATHS
def test_an_id_of_another_service_is_answered_with_reset(
    path: str, annals: Annals, ann: Api
) -> None:
    tables(annals, ann, 1)
    unknown = ".".join(["ffff"] * 16)
    with listening(ann, path, Last_Event_ID=unknown) as stream:
        now, kind, data = next(stream)
        assert (kind, data) == ("reset", {})
        [made] = tables(annals, ann, 1)
        assert matches_in([next_update(stream)]) == [made]
    assert start_of(ann, path) != now


def test_an_id_that_is_too_old_for_the_lobby_is_answered_with_reset(
    annals: Annals, ann: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "MAX_LOBBY_CHANGES", 2)
    monkeypatch.setattr(change_feed, "MAX_LOBBY_CHANGES", 2)
    old = start_of(ann, LOBBY)
    one = f"/v1/matches/{tables(annals, ann, 1)[0]}"
    partition = annals.store.partition_of(id_of(one))
    recent = start_of(ann, LOBBY)
    while annals.store.feed_length(partition) < 4:
        open_table(ann)
    fold_lists(annals)
    with listening(ann, LOBBY, Last_Event_ID=old) as stream:
        assert next(stream)[1] == "reset"
    with listening(ann, MINE, Last_Event_ID=old) as stream:
        assert next(stream)[1] == "", "a player's matches are all kept"
    with listening(ann, LOBBY, Last_Event_ID=start_of(ann, LOBBY)) as stream:
        assert next(stream)[1] == ""
    assert recent != old


@PATHS
@pytest.mark.parametrize("wrong", ["7", "x", "1.2", "0" * 99, "-1", "\u0661", "1," * 16])
def test_an_invalid_id_is_refused(path: str, wrong: str, ann: Api) -> None:
    header = ann.get(path, Last_Event_ID=wrong.encode().decode("latin-1"))
    assert (header.status_code, header.json["code"]) == (400, "malformed")
    query = ann.get(f"{path}?after={wrong}")
    assert query.json["errors"][0]["parameter"] == "after"


@PATHS
def test_a_rebuild_of_the_lists_disturbs_no_stream(
    path: str, annals: Annals, ann: Api, bob: Api
) -> None:
    """Given one subscriber, and another whose stream broke after they joined a table that they have
    left since, when the lists are rebuilt, then both receive every event.
    """
    table = open_table(ann, seats=[{"me": True}] + 2 * [{"open": True}])
    bob.post(f"{table}/seats")
    fold_lists(annals)
    seen = start_of(bob, path)
    bob.delete(f"{table}/seats/1")
    fold_lists(annals)
    with listening(ann, path) as live:
        [made] = tables(annals, ann, 1)
        assert matches_in([next_update(live)]) == [made]
        rebuild_projections(annals.settings, [MATCHES])
        kind = kind_told(bob, path, seen, id_of(table))
        assert kind == ("gone" if path == MINE else "match")
        [made] = tables(annals, ann, 1)
        assert matches_in([next_update(live)]) == [made]


def kind_told(caller: Api, path: str, seen: str, match: str) -> str:
    """The type of the next event about a match, for a subscriber whose stream broke."""
    with listening(caller, path, Last_Event_ID=seen) as stream:
        while matches_in([event := next_update(stream)]) != [match]:
            pass
        return event[1]


@PATHS
def test_updates_older_than_the_stream_are_read_from_the_changes(
    path: str, annals: Annals, ann: Api, bob: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given that only the last entry of each feed is delivered, and concerns another player."""
    monkeypatch.setattr(changes, "MAX_FEED_UPDATES", 1)
    with listening(ann, path) as stream:
        next(stream)
        made = [id_of(open_table(ann)) for _ in range(3)]
        feeds = {annals.store.partition_of(match) for match in made}
        while feeds:
            others = id_of(open_table(bob, visibility="private"))
            feeds.discard(annals.store.partition_of(others))
        fold_lists(annals)
        assert sorted(matches_in([next_update(stream) for _ in made])) == sorted(made)


def test_a_token_that_ends_ends_the_stream(
    annals: Annals, ann: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening(ann) as stream:
        next(stream)
        ann.post("/v1/me/token")
        open_table(Api(ann.app, annals.players.replace_all_tokens(ann.id, 0)))
        fold_lists(annals)
        assert [one for one in stream if one[1]] == []
    monkeypatch.setattr(broadcast, "HEARTBEAT_S", 0.01)
    again = Api(ann.app, annals.players.replace_all_tokens(ann.id, 0))
    with listening(again) as stream:
        next(stream)
        annals.players.ban(ann.id, "spam")
        assert [one for one in stream if one[1]] == [], "although nothing happens"


@PATHS
def test_a_silent_stream_shows_that_it_lives(
    path: str, ann: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "HEARTBEAT_S", 0.01)
    with streaming(ann, path) as answer:
        parts = events_in(answer)
        assert next(parts).startswith(b"retry: ")
        assert any(next(parts).startswith(b"event: beat\n") for _ in range(99))


@PATHS
def test_each_stream_takes_a_slot(path: str, annals: Annals, ann: Api) -> None:
    one = Api(app_over(replace(annals, settings=replace(annals.settings, streams_per_caller=1))))
    one.token = ann.token
    with listening(one, path):
        assert one.get(path).json["code"] == "too_many_own_streams"
    with listening(one, path):
        pass


def test_a_change_is_read_and_encoded_once_for_all(
    annals: Annals, app: Flask, ann: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given subscribers from different times, when a table opens, then it is read once."""
    reads, read = [], ChangeFeedReader.read_changes
    with ExitStack() as stack:
        streams: list[Iterator[Event]] = []
        for _ in range(4):
            for _ in range(30):  # the lobby gets no event for these, so that the two cursors differ
                open_table(ann, visibility="private")
            fold_lists(annals)
            streams.append(stack.enter_context(listening(ann, LOBBY)))
            tables(annals, ann, 2)
            for stream in streams:
                assert [next_update(stream) for _ in range(2)]

        def read_and_count(*args: object) -> object:
            reads.append(args)
            return read(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(ChangeFeedReader, "read_changes", read_and_count)
        tables(annals, ann, 1)
        heard = {next_update(stream)[0] for stream in streams}
    assert (len(heard), len(reads)) == (1, 1)
