"""Talk about a match: who reads and writes where, what they may say, and for how long."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from service.accounts import players
from service.matches.container import Annals
from service.talk import storage
from service.talk.messages import PHRASES
from service.talk.reading import Unread, find_unread
from service.talk.storage import RoomOfMatch
from tests.service.api.conftest import Api, Clock, open_table, register
from tests.service.api.talking import commands_of, grow_old, page, play_two_moves, say, texts


@pytest.fixture
def path(ann: Api, bob: Api, cid: Api, clock: Clock) -> str:
    """A match of two players and a spectator, who may all write."""
    match = open_table(ann, bob)
    grow_old(clock)
    return match


def test_players_talk_at_the_table(ann: Api, bob: Api, path: str) -> None:
    assert say(ann, path, "Good evening") == 1
    assert say(bob, path, "Hi") == 2
    assert texts(ann, path) == texts(bob, path) == ["Good evening", "Hi"]
    first = page(bob, path)["messages"][0]
    assert (first["player"], first["name"], first["phrase"]) == (ann.id, "Ann", None)


def test_the_rooms_are_apart_until_the_end(ann: Api, cid: Api, nobody: Api, path: str) -> None:
    say(ann, path, "only for Bob")
    say(cid, path, "Ann has the better position", "spectators")
    for caller, room in ((cid, "players"), (ann, "spectators")):
        for answer in (
            caller.get(f"{path}/talk/{room}"),
            caller.get(f"{path}/talk/{room}/stream"),
            caller.post(f"{path}/talk/{room}", {"phrase": "hello"}),
            caller.put(f"{path}/talk/{room}/read", {"number": 1}),
            caller.post(f"{path}/talk/{room}/1/report"),
        ):
            assert (answer.status_code, answer.json["code"]) == (403, "not_your_room")
    assert texts(cid, path, "spectators") == ["Ann has the better position"]
    for room in ("players", "spectators"):
        assert nobody.get(f"{path}/talk/{room}").json["code"] == "unauthorized"


def test_after_the_end_players_read_what_spectators_said(
    ann: Api, bob: Api, cid: Api, path: str
) -> None:
    say(cid, path, "Ann blunders", "spectators")
    assert bob.delete(f"{path}/seats/1").status_code in (200, 409)
    assert bob.post(f"{path}/resign").status_code == 200
    assert texts(ann, path, "spectators") == ["Ann blunders"]
    say(ann, path, "I did not see it", "spectators")
    assert cid.get(f"{path}/talk/players").json["code"] == "not_your_room"


def test_who_has_resigned_still_talks_at_the_table_only(
    ann: Api, bob: Api, cid: Api, app: Flask, clock: Clock
) -> None:
    dan = register(app, "Dan")
    match = open_table(ann, bob, dan)
    grow_old(clock)
    assert dan.post(f"{match}/resign").status_code == 200
    assert dan.get(f"{match}/talk/spectators").json["code"] == "not_your_room"
    say(dan, match, "Play on without me")


def test_a_private_match_is_not_found(ann: Api, cid: Api, clock: Clock) -> None:
    body = {"game": "qin", "seats": [{"me": True}, {"bot": "li_mu"}], "visibility": "private"}
    private = ann.post("/v1/matches", body).headers["Location"]
    grow_old(clock)
    say(ann, private, "to myself")
    for room in ("players", "spectators"):
        assert cid.get(f"{private}/talk/{room}").json["code"] == "not_found"
        assert cid.get(f"{private}/talk/{room}/stream").json["code"] == "not_found"
        assert cid.post(f"{private}/talk/{room}", {"phrase": "hello"}).status_code == 404
        assert cid.delete(f"{private}/talk/{room}/1").status_code == 404
    assert ann.get(f"{private}/talk/kitchen").status_code == 404


def test_a_hot_seat_has_one_room(ann: Api, cid: Api, clock: Clock) -> None:
    body = {"game": "qin", "seats": [{"me": True}, {"me": True}]}
    match = ann.post("/v1/matches", body).headers["Location"]
    grow_old(clock)
    say(ann, match, "for both of me")
    assert texts(ann, match) == ["for both of me"]
    assert cid.get(f"{match}/talk/players").json["code"] == "not_your_room"


def test_phrases_come_in_the_language_of_the_reader(ann: Api, bob: Api, path: str) -> None:
    ann.post(f"{path}/talk/players", {"phrase": "good_game"})
    read = f"{path}/talk/players?language="
    found = {code: bob.get(read + code).json for code in ("en", "zh-Hans", "zh-Hant")}
    said = {code: one["messages"][0]["text"] for code, one in found.items()}
    assert said == {"en": "Good game!", "zh-Hans": "精彩的一局！", "zh-Hant": "精彩的一局！"}
    for one in found.values():
        assert [phrase["key"] for phrase in one["phrases"]] == [*PHRASES]
        assert one["messages"][0]["phrase"] == "good_game"
    assert len(PHRASES) == 20
    for keys in zip(*(one["phrases"] for one in found.values()), strict=True):
        assert len({phrase["text"] for phrase in keys}) > 1  # translated


def test_new_accounts_and_guests_have_phrases_only(
    app: Flask, annals: Annals, clock: Clock
) -> None:
    """A day after they registered, players write in their own words; guests once they are kept."""
    new, guest = register(app, "New"), register(app, "Guest")
    annals.store.redis.hset(f"player:{guest.id}", "guest", 1)
    match = open_table(new, guest)
    for who in (new, guest):
        assert page(who, match)["can_say"] == "phrases"
        answer = who.post(f"{match}/talk/players", {"text": "buy gold"})
        assert (answer.status_code, answer.json["code"]) == (403, "phrases_only")
        assert who.post(f"{match}/talk/players", {"phrase": "hello"}).status_code == 201
    grow_old(clock)
    say(new, match, "now in my own words")
    assert guest.post(f"{match}/talk/players", {"text": "x"}).json["code"] == "phrases_only"
    annals.players.keep_account(guest.id)
    say(guest, match, "I stay")
    assert page(guest, match)["can_say"] == "text"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("<b onmouseover=alert(1)>&amp;", "<b onmouseover=alert(1)>&amp;"),  # plain text
        ("two\nlines\r\n\tand\u2028more", "two lines and more"),
        ("\u202egold\u2066 \u200efor\u061c you\u202c", "gold for you"),
        ("a\u200bb\u2060c\ufeffd\u00ade", "abcde"),
        ("\0\x1b[31mred\x7f\x85", "[31mred"),
        ("Z" + "\u0301" * 50 + "algo", "Z" + "\u0301" * 3 + "algo"),
        ("\U000e0041\ue000x", "x"),
        (
            "👩\u200d👧 \u0645\u06cc\u200c\u062e",
            "👩\u200d👧 \u0645\u06cc\u200c\u062e",
        ),  # joiners stay
        ("秦始皇 חלום", "秦始皇 חלום"),
    ],
)
def test_what_is_not_seen_is_removed(ann: Api, bob: Api, path: str, sent: str, kept: str) -> None:
    answer = ann.post(f"{path}/talk/players", {"text": sent})
    assert answer.json["text"] == kept
    assert texts(bob, path) == [kept]


@pytest.mark.parametrize(
    "body",
    [
        {}, {"text": ""}, {"text": " \n\t"}, {"text": "\u200b\u202e"}, {"text": "\u3164\u2800"},
        {"text": "\u200d"}, {"text": "x" * 501}, {"text": None}, {"text": 3}, {"text": ["x"]},
        {"phrase": "buy_gold"}, {"phrase": "hello", "text": "both"}, {"text": "x", "room": "all"},
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused(ann: Api, path: str, body: Any) -> None:
    assert ann.post(f"{path}/talk/players", body).status_code == 400
    assert texts(ann, path) == []


def test_a_message_has_up_to_500_characters(ann: Api, path: str) -> None:
    say(ann, path, "字" * 500)
    assert texts(ann, path) == ["字" * 500]


def test_a_flood_is_refused(annals: Annals, ann: Api, bob: Api, path: str, app: Flask) -> None:
    """Ten messages a minute; another player of the address can still talk."""
    for number in range(10):
        say(ann, path, f"spam {number}")
    answer = ann.post(f"{path}/talk/players", {"text": "spam"})
    assert (answer.status_code, answer.json["code"]) == (429, "too_many_requests")
    assert answer.json["violated-policies"] == ["talk"]
    assert ann.post(f"{path}/talk/players", {"phrase": "hello"}).status_code == 429
    say(bob, path, "stop it")
    assert len(texts(bob, path)) == 11


def test_an_address_has_three_times_the_messages(app: Flask, ann: Api, clock: Clock) -> None:
    others = [register(app, f"Sock {number}") for number in range(3)]
    match = open_table(ann, *others)
    for who in others:
        for _ in range(10):
            assert who.post(f"{match}/talk/players", {"phrase": "hello"}).status_code == 201
    answer = ann.post(f"{match}/talk/players", {"phrase": "hello"})
    assert answer.json["violated-policies"] == ["talk_address"]
    assert "one address" in answer.json["detail"]


def test_a_room_keeps_the_last_messages(
    ann: Api, bob: Api, annals: Annals, path: str, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 30 messages the last 12; streams stay bounded, too, and moves take the commands of Redis
    that they take in a match without talk.
    """
    for name, maximum in (("MAX_MESSAGES", 12), ("MAX_CHANGES", 20), ("MAX_FEED", 25)):
        monkeypatch.setattr(storage, name, maximum)
    monkeypatch.setattr(players, "monotonic", lambda: 0.0)  # no cached name ends meanwhile
    other = open_table(ann, bob)
    play_two_moves(ann, bob, path)
    play_two_moves(ann, bob, other)
    quiet = commands_of(annals, lambda: play_two_moves(ann, bob, other))
    free = replace(annals, settings=replace(annals.settings, talk_rate=0))
    app.extensions["annals"].talk = type(app.extensions["annals"].talk)(free)
    for number in range(1, 31):
        assert say(ann, path, f"line {number}") == number
    assert commands_of(annals, lambda: play_two_moves(ann, bob, path)) == quiet
    redis = annals.store.redis
    [changes] = redis.scan_iter("*:talk:players:*:changes")
    messages = changes.removesuffix(b":changes")
    assert redis.hlen(messages) == 12
    assert redis.object("encoding", messages) == b"hashtable"  # in no order, as a full room is
    [feed] = redis.scan_iter("*:talk:feed")
    assert (redis.xlen(changes), redis.xlen(feed)) == (20, 25)
    collected, before = list[str](), ""
    while True:
        found = ann.get(f"{path}/talk/players?limit=5{before}").json
        collected = [one["text"] for one in found["messages"]] + collected
        if found["previous"] is None:
            break
        before = f"&before={found['previous']}"
    assert collected == [f"line {number}" for number in range(19, 31)]


def test_the_author_removes_a_message_at_once(
    ann: Api, bob: Api, cid: Api, annals: Annals, path: str
) -> None:
    number = say(ann, path, "something regrettable")
    assert bob.delete(f"{path}/talk/players/{number}").json["code"] == "not_found"
    assert cid.delete(f"{path}/talk/players/{number}").json["code"] == "not_found"
    assert ann.delete(f"{path}/talk/players/{number}").status_code == 204
    assert texts(bob, path) == []
    assert ann.delete(f"{path}/talk/players/{number}").json["code"] == "not_found"
    for name in annals.store.redis.scan_iter():
        assert b"regrettable" not in (annals.store.redis.dump(name) or b"")
    assert say(ann, path, "better") > number  # numbers are not used twice


def test_a_repeated_request_says_it_once(ann: Api, path: str) -> None:
    talk = f"{path}/talk/players"
    first = ann.post(talk, {"text": "once"}, Idempotency_Key='"k1"')
    again = ann.post(talk, {"text": "once"}, Idempotency_Key='"k1"')
    assert again.json == first.json
    assert texts(ann, path) == ["once"]
    other = ann.post(talk, {"text": "twice"}, Idempotency_Key='"k1"')
    assert (other.status_code, other.json["code"]) == (422, "key_reused")
    assert ann.post(talk, {"text": "once"}).json["number"] == 2  # without a key it is new


def test_what_is_unread_is_counted(ann: Api, bob: Api, path: str) -> None:
    for text in ("one", "two"):
        say(ann, path, text)
    assert page(bob, path)["unread"] == 2
    assert page(ann, path)["unread"] == 0  # one's own messages are read
    assert bob.put(f"{path}/talk/players/read", {"number": 1}).status_code == 204
    assert (page(bob, path)["unread"], page(bob, path)["last_read"]) == (1, 1)
    bob.put(f"{path}/talk/players/read", {"number": 10**6})  # as far as there is something
    assert page(bob, path)["last_read"] == 2
    say(ann, path, "three")
    assert page(bob, path)["unread"] == 1
    say(bob, path, "four")
    assert page(bob, path)["unread"] == 0


def test_lists_ask_matches_without_talk_once(ann: Api, bob: Api, annals: Annals, path: str) -> None:
    """Given a match with talk and others without, lists find what is new in one command for each
    match without talk, all in one round trip.
    """
    say(ann, path, "one")
    say(ann, path, "two")
    match = path.rpartition("/")[2]
    rooms: list[RoomOfMatch] = [(f"quiet{number}", "players") for number in range(3)]
    found = find_unread(annals, bob.id, [*rooms, (match, "players")], limit=1)
    assert found == [*3 * [Unread(0, 0, 0)], Unread(1, 2, 2)]
    assert find_unread(annals, ann.id, [(match, "players")]) == [Unread(0, 2, 0)]
    silent = commands_of(annals, lambda: find_unread(annals, bob.id, rooms))
    assert silent["cmdstat_hkeys"] == len(rooms)
    assert sum(silent.values()) == len(rooms) + sum(commands_of(annals, lambda: None).values())


def test_a_muted_player_is_left_out_for_the_reader_alone(
    ann: Api, bob: Api, cid: Api, path: str
) -> None:
    say(ann, path, "noise")
    assert bob.put(f"/v1/me/mutes/{ann.id}", None).status_code == 204
    assert bob.get("/v1/me/mutes").json["players"] == [{"id": ann.id, "name": "Ann"}]
    assert (texts(bob, path), page(bob, path)["unread"]) == ([], 0)
    assert texts(ann, path) == ["noise"]
    assert bob.delete(f"/v1/me/mutes/{ann.id}").status_code == 204
    assert texts(bob, path) == ["noise"]
    assert bob.put(f"/v1/me/mutes/{bob.id}", None).json["code"] == "not_found"
    assert bob.put("/v1/me/mutes/u0000000000000000", None).json["code"] == "not_found"


@pytest.mark.parametrize("blocker", ["ann", "bob"])
def test_players_who_may_not_meet_do_not_read_one_another(
    ann: Api, bob: Api, path: str, blocker: str
) -> None:
    one, other = (ann, bob) if blocker == "ann" else (bob, ann)
    assert one.put(f"/v1/me/blocks/{other.id}", None).status_code == 204
    say(ann, path, "hello")
    say(bob, path, "hi")
    assert texts(ann, path) == ["hello"]
    assert texts(bob, path) == ["hi"]
    assert [page(who, path)["unread"] for who in (ann, bob)] == [0, 0]
    assert one.delete(f"/v1/me/blocks/{other.id}").status_code == 204
    assert texts(ann, path) == texts(bob, path) == ["hello", "hi"]


def test_mutes_are_bounded(ann: Api, bob: Api, cid: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.talk.mutes.MAX_MUTED", 1)
    assert ann.put(f"/v1/me/mutes/{bob.id}", None).status_code == 204
    assert ann.put(f"/v1/me/mutes/{cid.id}", None).json["code"] == "too_many_muted"
    assert ann.put(f"/v1/me/mutes/{bob.id}", None).status_code == 204  # again
    assert [one["id"] for one in ann.get("/v1/me/mutes").json["players"]] == [bob.id]
