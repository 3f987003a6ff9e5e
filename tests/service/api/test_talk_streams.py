"""Streams of talk: live, from where a reader left off, for those only who may read the room."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.talk import storage
from tests.service.api.conftest import Api, Clock, open_table, register
from tests.service.api.streams import events_in, fields_of, streaming
from tests.service.api.talking import grow_old, page, say


@pytest.fixture
def path(ann: Api, bob: Api, clock: Clock) -> str:
    match = open_table(ann, bob)
    grow_old(clock)
    return match


@contextmanager
def following(
    who: Api, path: str, room: str = "players", query: str = "", **headers: str
) -> Iterator[Iterator[tuple[str, Any]]]:
    """The events of an open stream, without beats."""
    with streaming(who, f"{path}/talk/{room}/stream{query}", **headers) as answer:
        assert answer.status_code == 200, answer.text
        yield changes_in(answer)


def changes_in(answer: TestResponse) -> Iterator[tuple[str, Any]]:
    """Each change: its kind and its data."""
    for part in events_in(answer):
        fields = fields_of(part)
        if fields.get("event", "beat") != "beat":
            yield fields["event"], json.loads(fields["data"])


def test_what_is_said_and_removed_arrives(ann: Api, bob: Api, path: str) -> None:
    say(ann, path, "before")
    with following(bob, path) as events:
        number = say(ann, path, "live")
        kind, message = next(events)
        assert (kind, message["text"], message["number"]) == ("said", "live", number)
        assert message == page(bob, path)["messages"][-1]
        ann.delete(f"{path}/talk/players/{number}")
        assert next(events) == ("removed", {"number": number})


def test_a_stream_goes_on_after_the_last_event(ann: Api, bob: Api, path: str) -> None:
    for text in ("one", "two", "three"):
        say(ann, path, text)
    with following(bob, path, query="?after=1") as events:
        assert [next(events)[1]["text"] for _ in range(2)] == ["two", "three"]
    with following(bob, path, query="?after=0", Last_Event_ID="2") as events:
        assert next(events)[1]["text"] == "three"
    wrong = bob.get(f"{path}/talk/players/stream", Last_Event_ID="x")
    assert (wrong.status_code, wrong.json["code"]) == (400, "malformed")


def test_a_removed_message_is_not_sent_later(ann: Api, bob: Api, path: str) -> None:
    number = say(ann, path, "gone")
    ann.delete(f"{path}/talk/players/{number}")
    with following(bob, path, query="?after=0") as events:
        assert next(events) == ("removed", {"number": number})


def test_what_is_lost_in_between_is_said(
    ann: Api, bob: Api, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a cursor of another time, as after a restore, which has no talk."""
    monkeypatch.setattr(storage, "MAX_CHANGES", 2)
    for text in ("one", "two", "three", "four"):
        say(ann, path, text)
    for query in ("?after=1", "?after=99"):
        with following(bob, path, query=query) as events:
            assert next(events) == ("reset", {})
            say(ann, path, "on")
            assert next(events)[1]["text"] == "on"


def test_phrases_arrive_in_the_language_of_the_reader(ann: Api, bob: Api, path: str) -> None:
    with (
        following(bob, path, query="?language=zh-Hans") as chinese,
        following(ann, path, query="?language=en") as english,
    ):
        ann.post(f"{path}/talk/players", {"phrase": "thanks"})
        assert next(chinese)[1]["text"] == "谢谢！"
        assert next(english)[1]["text"] == "Thank you!"


def test_muted_players_do_not_arrive(ann: Api, bob: Api, path: str) -> None:
    bob.put(f"/v1/me/mutes/{ann.id}", None)
    with following(bob, path) as events:
        say(ann, path, "noise")
        say(bob, path, "silence")
        assert next(events)[1]["text"] == "silence"


def test_the_stream_of_spectators_ends_for_who_sits_down(ann: Api, cid: Api, app: Flask) -> None:
    dan, table = register(app, "Dan"), open_table(ann)
    with streaming(cid, f"{table}/talk/spectators/stream") as answer:
        assert answer.status_code == 200
        assert cid.post(f"{table}/seats").status_code == 201
        assert dan.post(f"{table}/talk/spectators", {"phrase": "hello"}).status_code == 201
        assert [*changes_in(answer)] == []
