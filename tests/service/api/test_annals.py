"""The event log of a match in pages, as lines, and as a stream that resumes at its cursor."""

from __future__ import annotations

import json
from dataclasses import replace
from threading import Timer

import pytest
from flask import Flask

from domain.match.decisions import ending
from service.live import broadcast
from service.matches.container import Annals
from tests.service.api.conftest import Api, moves, open_table, play_on, system
from tests.service.api.streams import entry_of, events_in, fields_of, read_stream, streaming
from tests.support.apps import app_over


def test_pages_lead_to_each_other(toy: str, ann: Api, bob: Api) -> None:
    last = play_on(toy, ann, bob, until=9)
    found, path = [], f"{toy}/events?limit=4"
    while path:
        page = ann.get(path)
        found += [entry["version"] for entry in page.json["events"]]
        path = page.headers.get("Link", "").removeprefix("<").partition(">")[0]
    assert found == list(range(1, last + 1))
    assert page.json["next"] is None
    assert ann.get(f"{toy}/events?limit=4").json["next"] == 4
    assert ann.get(f"{toy}/events?after={last}").json == {"events": [], "next": None}


def test_lines_end_with_a_line_that_says_so(toy: str, ann: Api, bob: Api) -> None:
    last = play_on(toy, ann, bob, until=7)
    answer = ann.get(f"{toy}/events.ndjson")
    assert answer.mimetype == "application/x-ndjson"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines[:-1] == ann.get(f"{toy}/events").json["events"]
    assert lines[-1] == {"type": "end", "version": last}
    some = ann.get(f"{toy}/events.ndjson?after=1&limit=2").text
    assert [json.loads(line)["version"] for line in some.splitlines()] == [2, 3, 3]


def test_an_entry_shows_who_did_what_when(toy: str, ann: Api, bob: Api) -> None:
    bob.post(f"{toy}/moves", {"move": moves(bob, toy)[0]})
    created, joined, sealed = ann.get(f"{toy}/events").json["events"]
    assert (created["kind"], joined["kind"], sealed["kind"]) == ("Created", "SeatTaken", "Moved")
    assert (created["actor"], joined["actor"], sealed["actor"]) == (ann.id, bob.id, bob.id)
    assert sealed["at"] == "2023-11-14T22:13:20.000Z"
    assert sealed["move"] is None
    assert bob.get(f"{toy}/events?after=2").json["events"][0]["move"]["type"] == "Seal"


def test_waiting_for_something_new(toy: str, ann: Api, bob: Api) -> None:
    assert ann.get(f"{toy}/events?after=2&wait=1").json["events"] == []
    move = moves(bob, toy)[0]
    timer = Timer(0.1, lambda: bob.post(f"{toy}/moves", {"move": move}))
    timer.start()
    assert [e["version"] for e in ann.get(f"{toy}/events?after=2&wait=20").json["events"]] == [3]
    timer.join()


def test_a_stream_delivers_entries_as_they_happen(toy: str, ann: Api, bob: Api) -> None:
    with streaming(ann, f"{toy}/stream") as answer:
        parts = events_in(answer)
        assert next(parts).startswith(b"retry: 2000\nevent: beat\n")
        move = moves(bob, toy)[0]
        timer = Timer(0.1, lambda: bob.post(f"{toy}/moves", {"move": move}))
        timer.start()
        assert entry_of(next(parts)) == ann.get(f"{toy}/events?after=2").json["events"][0]
        timer.join()
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["X-Accel-Buffering"] == "no"


def test_a_stream_goes_on_where_it_was_cut_off(toy: str, ann: Api, bob: Api) -> None:
    play_on(toy, ann, bob, until=6)
    whole = [entry_of(part) for part in read_stream(ann, f"{toy}/stream?after=0", 6)]
    assert whole == ann.get(f"{toy}/events?limit=6").json["events"]
    rest = read_stream(ann, f"{toy}/stream?after=0", 2, Last_Event_ID="4")
    assert [entry_of(part)["version"] for part in rest] == [5, 6]


def test_a_silent_stream_sends_heartbeats(
    toy: str, ann: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "HEARTBEAT_S", 0.01)
    with streaming(ann, f"{toy}/stream") as answer:
        parts = events_in(answer)
        kinds = [fields_of(next(parts)) for _ in range(3)]
    assert [kind["event"] for kind in kinds] == ["beat"] * 3
    assert all(json.loads(kind["data"])["now"].endswith("Z") for kind in kinds)


def test_a_stream_ends_with_the_match(toy: str, ann: Api, bob: Api, annals: Annals) -> None:
    last = play_on(toy, ann, bob)
    system(annals, toy, lambda match, now: ending.score(match))
    with streaming(ann, f"{toy}/stream?after={last}") as answer:
        kinds = [entry_of(part)["kind"] for part in list(events_in(answer))[1:]]
    assert kinds == ["Scored"]
    assert ann.get(f"{toy}/stream?after={last + 1}").status_code == 204
    assert ann.get(f"{toy}/stream").status_code == 204
    assert ann.get(f"{toy}/events?after={last + 1}&wait=20").json["events"] == []


def test_a_browser_may_send_its_token_in_the_address(
    toy: str, bob: Api, nobody: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    bob.post(f"{toy}/moves", {"move": moves(bob, toy)[0]})
    path = f"{toy}/stream?after=2&access_token={bob.token}"
    assert entry_of(*read_stream(nobody, path, 1))["move"]["type"] == "Seal"
    assert nobody.get(f"{toy}/stream?access_token=nonsense").status_code == 401
    assert str(bob.token) not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("limit", "status", "code"),
    [("max_streams", 503, "too_many_streams"), ("streams_per_caller", 429, "too_many_own_streams")],
)
def test_the_number_of_streams_is_limited(
    annals: Annals, toy: str, ann: Api, limit: str, status: int, code: str
) -> None:
    one = Api(app_with(annals, **{limit: 1}), ann.token)
    with streaming(one, f"{toy}/stream"):
        for call in ("stream", "events?after=2&wait=5"):
            busy = one.get(f"{toy}/{call}")
            assert (busy.status_code, busy.json["code"]) == (status, code)
            assert busy.headers["Retry-After"] == "1"
        assert one.get(f"{toy}?min_version=9").json["version"] == 2
    assert one.get(f"{toy}/events?after=1&wait=5").status_code == 200
    with streaming(one, f"{toy}/stream") as again:
        assert again.status_code == 200


def test_no_caller_can_take_all_streams(annals: Annals, toy: str, ann: Api, bob: Api) -> None:
    app = app_with(annals, streams_per_caller=1)
    with (
        streaming(Api(app, ann.token), f"{toy}/stream"),
        streaming(Api(app, bob.token), f"{toy}/stream") as theirs,
    ):
        assert theirs.status_code == 200


def test_two_accounts_of_one_address_leave_streams_for_others(
    annals: Annals, toy: str, ann: Api, bob: Api
) -> None:
    app = app_with(annals, max_streams=2, streams_per_address=1, proxies=1)
    anns, bobs = Api(app, ann.token), Api(app, bob.token)
    near, far = {"X_Forwarded_For": "192.0.2.1"}, {"X_Forwarded_For": "192.0.2.2"}
    with streaming(anns, f"{toy}/stream", **near):
        refused = bobs.get(f"{toy}/stream", **near)
        assert (refused.status_code, refused.json["code"]) == (429, "too_many_own_streams")
        assert refused.json["detail"] == "Your address has 1 open streams, the maximum."
        with streaming(bobs, f"{toy}/stream", **far) as theirs:
            assert theirs.status_code == 200
    with streaming(bobs, f"{toy}/stream", **near) as later:
        assert later.status_code == 200


def app_with(annals: Annals, **settings: int) -> Flask:
    """The app with other settings."""
    return app_over(replace(annals, settings=replace(annals.settings, **settings)))


def test_undone_lines_stay_in_the_annals(ann: Api, bob: Api) -> None:
    path = open_table(ann, bob, game="qin", undo="free")
    mover = ann if moves(ann, path) else bob
    mover.post(f"{path}/moves", {"move": moves(mover, path)[0]})
    assert mover.post(f"{path}/undo").json["events"][0] == {
        "type": "Undone", "to": 2, "awaiting": [0 if mover is ann else 1],
    }  # fmt: skip
    kinds = [entry["kind"] for entry in ann.get(f"{path}/events").json["events"]]
    assert kinds == ["Created", "SeatTaken", "Moved", "Undone"]
