"""Talk is erased: by its author, with their account, and 30 days after the match; and operators
deal with what players report.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from service.admin.moderation import Moderation
from service.channels.account_deletion import delete_account, remaining_data
from service.matches.container import Annals, open_annals
from service.matches.queries import iso
from service.talk.erasing import erase_old_talk
from service.talk.speakers import MAX_MUTE_DAYS
from tests.service.api.conftest import BOTH, Api, Clock, open_table, register
from tests.service.api.talking import DAY_MS, grow_old, page, say, talk_keys, texts


@pytest.fixture
def path(ann: Api, bob: Api, cid: Api, clock: Clock) -> str:
    match = open_table(ann, bob)
    grow_old(clock)
    return match


@pytest.fixture
def operator(app: Flask, annals: Annals) -> Api:
    found = register(app, "Opal")
    app.extensions["annals"].operators.add(found.id)
    return found


def erase_old(annals: Annals) -> int:
    return sum(erase_old_talk(annals, one) for one in range(annals.store.partitions))


def words_in_redis(annals: Annals, word: bytes) -> list[bytes]:
    """The keys in whose content a word stands."""
    redis = annals.store.redis
    return [name for name in redis.scan_iter() if word in name + (redis.dump(name) or b"")]


def test_talk_ends_30_days_after_its_match(
    ann: Api, bob: Api, cid: Api, annals: Annals, clock: Clock, path: str
) -> None:
    """However long the match lasts; later entries, such as offers to play again, change nothing."""
    say(ann, path, "verbatim")
    say(cid, path, "verbatim too", "spectators")
    for _ in range(3):
        clock.ms += 31 * DAY_MS
        assert erase_old(annals) == 0
    assert texts(bob, path) == ["verbatim"]
    ended = clock.ms
    assert bob.post(f"{path}/resign").status_code == 200
    clock.ms = ended + 10 * DAY_MS
    assert ann.post(f"{path}/rematch").status_code in (201, 409)
    clock.ms = ended + 30 * DAY_MS - 1
    erase_old(annals)
    say(bob, path, "verbatim: last words")
    cid.post(f"{path}/talk/spectators/1/report")
    clock.ms = ended + 30 * DAY_MS
    assert ann.post(f"{path}/talk/players", {"text": "late"}).json["code"] == "talk_closed"
    assert page(ann, path)["can_say"] == "nothing"
    assert erase_old(annals) == 1
    assert words_in_redis(annals, b"verbatim") == []
    assert texts(ann, path) == texts(cid, path, "spectators") == []
    left = [key for key in talk_keys(annals) if "receipt" not in key and not key.endswith(":feed")]
    assert left == []
    assert erase_old(annals) == 0


def test_the_talk_of_a_match_that_is_lost_is_erased(
    ann: Api, annals: Annals, clock: Clock, path: str
) -> None:
    say(ann, path, "orphan")
    match = path.rpartition("/")[2]
    annals.store.redis.delete(f"{{p{annals.store.partition_of(match)}}}:match:{match}")
    restarted = replace(open_annals(annals.settings, BOTH), now=clock)
    clock.ms += 31 * DAY_MS
    assert erase_old(restarted) == 1
    assert words_in_redis(annals, b"orphan") == []


def test_an_account_takes_its_words_along(
    ann: Api, bob: Api, cid: Api, annals: Annals, path: str
) -> None:
    number = say(ann, path, "indelible")
    say(bob, path, "answer")
    ann.put(f"/v1/me/mutes/{cid.id}", None)
    bob.post(f"{path}/talk/players/{number}/report")
    ann.post(f"{path}/talk/players/2/report")
    Moderation(annals, "root").mute(ann.id, "indelible insults")
    player = annals.players.by_id(ann.id)
    assert player
    present = remaining_data(annals, ann.id)
    assert present["matches with talk"] == present["muted players"] == 1
    assert (present["reports of messages"], present["reason of a mute"]) == (2, 1)
    delete_account(annals, player, wait_s=0)
    assert texts(bob, path) == ["answer"]
    assert words_in_redis(annals, b"indelible") == []
    keys = {key: content for key, content in talk_keys(annals).items() if "changes" not in key}
    assert [key for key, content in keys.items() if ann.id.encode() in key.encode() + content] == []
    left = remaining_data(annals, ann.id)
    assert not {"matches with talk", "muted players", "reports of messages"} & left.keys()
    assert ann.post(f"{path}/talk/players", {"phrase": "hello"}).status_code == 401


def test_a_report_shows_the_lines_around_it_and_no_others(
    ann: Api, bob: Api, operator: Api, path: str, app: Flask
) -> None:
    for number in range(10):
        say(ann, path, f"line {number + 1}")
    for number in range(10):
        say(bob, path, f"line {number + 11}")
    assert ann.post(f"{path}/talk/players/12/report").status_code == 204
    assert ann.post(f"{path}/talk/players/12/report").status_code == 204  # once
    assert ann.post(f"{path}/talk/players/99/report").json["code"] == "not_found"
    assert ann.post(f"{path}/talk/players/1/report").json["code"] == "not_found"  # their own
    [report] = operator.get("/v1/admin/reports").json["reports"]
    shown = [one["text"] for one in report["messages"]]
    assert shown == [f"line {number}" for number in range(7, 18)]
    assert (report["author"], report["reporter_name"], report["number"]) == (bob.id, "Ann", 12)
    assert not report["is_removed"]
    bob.delete(f"{path}/talk/players/12")
    [report] = operator.get("/v1/admin/reports").json["reports"]
    assert report["is_removed"]
    assert "line 12" not in [one["text"] for one in report["messages"]]


def test_operators_dismiss_and_mute_and_the_log_has_it(
    ann: Api, bob: Api, operator: Api, path: str
) -> None:
    say(bob, path, "rude")
    ann.post(f"{path}/talk/players/1/report")
    [report] = operator.get("/v1/admin/reports").json["reports"]
    muted = operator.put(f"/v1/admin/players/{bob.id}/mute", {"reason": "insults"})
    assert muted.status_code == 204
    for body in ({"text": "but"}, {"phrase": "sorry"}):
        answer = bob.post(f"{path}/talk/players", body)
        assert (answer.status_code, answer.json["code"]) == (403, "muted")
        assert "insults" in answer.json["detail"]
    assert page(bob, path)["can_say"] == "nothing"
    assert operator.get("/v1/admin/reports").json["reports"][0]["muted"] == "insults"
    assert operator.delete(f"/v1/admin/reports/{report['id']}").status_code == 204
    assert operator.delete(f"/v1/admin/reports/{report['id']}").json["code"] == "not_found"
    assert operator.get("/v1/admin/reports").json["reports"] == []
    assert operator.delete(f"/v1/admin/players/{bob.id}/mute").status_code == 204
    say(bob, path, "better now")
    actions = operator.get("/v1/admin/actions").json["actions"]
    assert sorted((one["action"], one["subject"]) for one in actions) == [
        ("dismiss report", bob.id), ("mute", bob.id), ("unmute", bob.id),
    ]  # fmt: skip
    assert ann.get("/v1/admin/reports").json["code"] == "not_an_operator"
    assert ann.put(f"/v1/admin/players/{bob.id}/mute", {"reason": "x"}).status_code == 403


def test_a_mute_for_some_days_ends_by_itself(
    annals: Annals, bob: Api, operator: Api, path: str, clock: Clock
) -> None:
    mute, until = f"/v1/admin/players/{bob.id}/mute", iso(annals.now() + 7 * DAY_MS)
    wrong = [
        operator.put(mute, {"reason": "insults", "days": days}).status_code
        for days in (0, MAX_MUTE_DAYS + 1, 1.5, "7", None)
    ]
    assert wrong == [400] * len(wrong)
    assert operator.put(mute, {"reason": "insults", "days": 7}).status_code == 204
    assert shown_mute(operator, bob) == ("insults", until)
    assert f"until {until}" in bob.post(f"{path}/talk/players", {"phrase": "sorry"}).json["detail"]
    clock.ms += 7 * DAY_MS
    assert shown_mute(operator, bob) == (None, None)
    say(bob, path, "better now")
    operator.put(mute, {"reason": "worse"})
    assert shown_mute(operator, bob) == ("worse", None)


def shown_mute(operator: Api, player: Api) -> tuple[str | None, str | None]:
    [one] = operator.get(f"/v1/admin/players?query={player.id}").json["players"]
    return one["muted"], one["muted_until"]


def test_reports_are_bounded(
    ann: Api, bob: Api, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten an hour for a player, and for all of an address together."""
    for number in range(10):
        say(bob, path, f"line {number}")
    monkeypatch.setattr("service.talk.reports.MAX_REPORTS", 1)
    assert ann.post(f"{path}/talk/players/1/report").status_code == 204
    assert ann.post(f"{path}/talk/players/2/report").json["code"] == "too_many_reports"
    for _ in range(8):
        assert ann.post(f"{path}/talk/players/1/report").status_code == 204
    answer = ann.post(f"{path}/talk/players/1/report")
    assert (answer.status_code, answer.json["violated-policies"]) == (429, ["reports"])


def everything_but_talk(who: Api, path: str) -> list[bytes]:
    """What a caller gets about a match, but for its talk."""
    seen = ("", "/events", "/events.ndjson", "/export", "/board.svg", "/audit", "/lines")
    found = [who.get(path + one) for one in seen]
    assert [answer.status_code for answer in found] == [200] * len(seen)
    lists = [who.get(one) for one in ("/v1/matches", f"/v1/players/{who.id}")]
    return [answer.data for answer in (*found, *lists)]


def test_matches_that_differ_in_talk_only_look_alike(
    ann: Api, bob: Api, cid: Api, annals: Annals, path: str
) -> None:
    """To spectators and to players, byte by byte; the entries and the feed are the same too."""
    redis, match = annals.store.redis, path.rpartition("/")[2]
    stream = f"{{p{annals.store.partition_of(match)}}}:match:{match}"

    def look() -> list[Any]:
        return [everything_but_talk(who, path) for who in (ann, bob, cid)] + [redis.dump(stream)]

    before, rooms = look(), [json.dumps(page(cid, path, "spectators"))]
    say(ann, path, "I will take the east")
    bob.post(f"{path}/talk/players", {"phrase": "good_luck"})
    ann.delete(f"{path}/talk/players/1")
    assert look() == before
    # Nor do spectators learn that players talk, or players that spectators do.
    assert json.dumps(page(cid, path, "spectators")) == rooms[0]
    mine = page(ann, path)
    cid.post(f"{path}/talk/spectators", {"phrase": "hello"})
    assert page(ann, path) == mine
    assert look() == before
