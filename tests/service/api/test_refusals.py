"""Invalid requests get the right status and code, and record nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from service.matches.container import Annals
from tests.service.api import contract
from tests.service.api.conftest import Api, moves, open_table, play_on, read_everything

SEAL = {"move": {"type": "Seal", "card": 1}}
DEEP = "[" * 100 + "]" * 100


@pytest.fixture
def nothing_recorded(toy: str, annals: Annals) -> Iterator[None]:
    """A match between Ann and Bob, in which no entry may be appended."""
    before = list(read_everything(annals))
    yield
    assert list(read_everything(annals)) == before


@pytest.mark.usefixtures("nothing_recorded")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "unsupported_media_type"),
        (b"{", "malformed"),
        (b'{"move": NaN}', "malformed"),
        (b'{"move": {"type": "Seal", "card": 1e999}}', "malformed"),
        (b'{"move": {"type": "\\ud800"}}', "malformed"),
        (b'{"move": {"type": "\xff"}}', "malformed"),
        (b"[" * 3000, "malformed"),
        (b"[" * 3000 + b"]" * 3000, "malformed"),
        (f'{{"move": {{"type": "Seal", "card": {DEEP}}}}}'.encode(), "malformed"),
        (b'{"move": {"type": "Pass"}, "move": {"type": "Seal", "card": 1}}', "malformed"),
        (b'{"move": {"type": "Seal", "card": 1, "card": 2}}', "malformed"),
        (b'{"move": {"type": "Seal", "type": "Seal", "card": 1}}', "malformed"),
        (b'{"move": {}, "seat": ' + b"9" * 5_000 + b"}", "malformed"),
        (b"[]", "invalid"),
        (b"null", "invalid"),
        (b"{}", "invalid"),
        (b'{"move": []}', "invalid"),
        (b'{"move": {"type": "Seal", "card": 1}, "version": 2}', "invalid"),
        (b'{"move": {}, "seat": true}', "invalid"),
        (b'{"move": {}, "seat": 1.5}', "invalid"),
        (b'{"move": {}, "seat": -1}', "invalid"),
        (b'{"move": {}, "seat": 99999999999999999999999999}', "invalid"),
        (b'{"move": {}}', "bad_move"),
        (b'{"move": {"type": "Nonsense"}}', "bad_move"),
        (b'{"move": {"type": "Seal"}}', "bad_move"),
        (b'{"move": {"type": "Seal", "card": "1"}}', "bad_move"),
        (b'{"move": {"type": "Seal", "card": 1.5}}', "bad_move"),
        (b'{"move": {"type": "Seal", "card": 1, "more": 1}}', "bad_move"),
        (b'{"move": {"type": "Seal", "card": 1, "seat": "0"}}', "bad_seat"),
        (b'{"move": {"type": "Seal", "card": 1, "seat": 1}}', "not_your_seat"),
        (b'{"move": {"type": "Seal", "card": 1, "seat": 1}, "seat": 0}', "seat_mismatch"),
        (b'{"move": {"type": "Seal", "card": 99}}', "rule_broken"),
        (b'{"move": {"type": "Seal", "card": 99999999999999999999999}}', "rule_broken"),
        (b'{"move": {"type": "Pass"}}', "rule_broken"),
        (b'{"move": "' + b"x" * 70_000 + b'"}', "too_large"),
    ],
)
def test_a_move_that_cannot_be_read_or_made(toy: str, ann: Api, body: bytes, code: str) -> None:
    for call in ("moves", "preview", "preview.svg"):
        kind = "" if code == "unsupported_media_type" else "application/json"
        answer = raw(ann, f"{toy}/{call}", body, kind)
        assert answer.json["code"] == code, answer.text


@pytest.mark.usefixtures("nothing_recorded")
def test_a_caller_without_a_token(toy: str, nobody: Api) -> None:
    for call in (
        "moves", "preview", "preview.svg", "seats", "start", "resign", "undo", "redo", "keep",
        "reclaim",
    ):  # fmt: skip
        answer = nobody.post(f"{toy}/{call}", SEAL)
        assert (answer.status_code, answer.json["code"]) == (401, "unauthorized")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert nobody.get("/v1/me").status_code == 401
    assert nobody.get(f"{toy}/legal-moves").status_code == 401


@pytest.mark.usefixtures("nothing_recorded")
@pytest.mark.parametrize("header", ["Bearer nonsense", "Bearer", "Basic YTpi", "Bearer \xe4", ""])
def test_an_unknown_token(toy: str, nobody: Api, header: str) -> None:
    answer = nobody.post(f"{toy}/moves", SEAL, Authorization=header or " ")
    is_bearer = header.startswith("Bearer")
    code = "unknown_token" if is_bearer else "unauthorized"
    assert (answer.status_code, answer.json["code"]) == (401, code)
    assert ('error="invalid_token"' in answer.headers["WWW-Authenticate"]) == is_bearer


@pytest.mark.usefixtures("nothing_recorded")
def test_a_caller_without_a_seat(toy: str, cid: Api) -> None:
    for call, body in (
        ("moves", SEAL), ("preview", SEAL), ("preview.svg", SEAL), ("resign", None),
        ("undo", None), ("keep", None),
    ):  # fmt: skip
        answer = cid.post(f"{toy}/{call}", body)
        assert (answer.status_code, answer.json["code"]) == (403, "not_seated")
    assert cid.get(f"{toy}/legal-moves").json["code"] == "not_seated"
    assert cid.post(f"{toy}/seats").json["code"] == "match_started"


def test_out_of_turn(qin: str, ann: Api, bob: Api) -> None:
    mover, other = (ann, bob) if moves(ann, qin) else (bob, ann)
    move = {name: value for name, value in moves(mover, qin)[0].items() if name != "seat"}
    answer = other.post(f"{qin}/moves", {"move": move})
    assert (answer.status_code, answer.json["code"]) == (403, "not_your_turn")


@pytest.mark.usefixtures("nothing_recorded")
def test_a_stale_version(toy: str, ann: Api) -> None:
    answer = ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]}, If_Match='"1"')
    assert (answer.status_code, answer.json["code"]) == (412, "stale_version")
    assert answer.headers["ETag"] == '"2"'
    assert answer.json["current_version"] == 2
    for tags in ("nonsense", '"2', '"1" "2"', '"1",, nonsense'):
        assert ann.post(f"{toy}/moves", SEAL, If_Match=tags).status_code == 400, tags
    move = {"move": moves(ann, toy)[0]}
    for tags in ('W/"2"', 'W/"2-0"', '"abc"', '"1", W/"2"', '"a,2"', '"99999999999"', '""'):
        assert ann.post(f"{toy}/moves", move, If_Match=tags).status_code == 412, tags


@pytest.mark.parametrize("tag", ['"2"', '"2-0"', "*", '"1", "2"', 'W/"x,y" ,"2-s"'])
def test_the_version_that_was_seen(toy: str, ann: Api, tag: str) -> None:
    answer = ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]}, If_Match=tag)
    assert answer.status_code == 201


def test_the_same_request_again(toy: str, ann: Api, annals: Annals) -> None:
    body = {"move": moves(ann, toy)[0]}
    first = ann.post(f"{toy}/moves", body, Idempotency_Key='"k"', If_Match='"2"')
    before = list(read_everything(annals))
    again = ann.post(f"{toy}/moves", body, Idempotency_Key="k", If_Match='"2"')
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["ETag"] == first.headers["ETag"]
    assert "Idempotency-Replayed" not in first.headers
    other = ann.post(f"{toy}/moves", {"move": {"type": "Pass"}}, Idempotency_Key="k")
    assert (other.status_code, other.json["code"]) == (422, "key_reused")
    assert list(read_everything(annals)) == before


def test_keys_of_others_do_not_matter(toy: str, ann: Api, bob: Api) -> None:
    for player in (ann, bob):
        answer = player.post(f"{toy}/moves", {"move": moves(player, toy)[0]}, Idempotency_Key="k")
        assert "Idempotency-Replayed" not in answer.headers


def test_the_same_table_is_opened_once(ann: Api, annals: Annals) -> None:
    plan: dict[str, Any] = {"game": "toy", "seats": [{"me": True}, {"open": True}]}
    first = ann.post("/v1/matches", plan, Idempotency_Key="k")
    again = ann.post("/v1/matches", plan, Idempotency_Key="k")
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    other = ann.post("/v1/matches", {**plan, "undo": "off"}, Idempotency_Key="k")
    assert (other.status_code, other.json["code"]) == (422, "key_reused")
    assert len([key for key, _ in read_everything(annals) if b":match:" in key]) == 1


@pytest.mark.usefixtures("nothing_recorded")
@pytest.mark.parametrize("key", ['""', "\t", "x" * 256, 'a"b', "\xe4", '"a'])
def test_a_key_that_is_none(toy: str, ann: Api, key: str) -> None:
    answer = ann.post(f"{toy}/moves", SEAL, Idempotency_Key=key)
    assert answer.status_code == 400


def test_after_the_end_nothing_is_recorded(toy: str, ann: Api, bob: Api, annals: Annals) -> None:
    play_on(toy, ann, bob)
    before = list(read_everything(annals))
    for call, body in (
        ("moves", SEAL), ("preview", SEAL), ("preview.svg", SEAL), ("resign", None),
        ("undo", None), ("redo", None), ("undo/answer", {"agree": True}),
        ("keep", None), ("reclaim", None), ("proposal", {"kind": "end"}),
    ):  # fmt: skip
        answer = ann.post(f"{toy}/{call}", body)
        assert (answer.status_code, answer.json["code"]) == (409, "game_over"), call
    assert ann.post(f"{toy}/seats").json["code"] == "match_started"
    assert ann.post(f"{toy}/start").json["code"] == "match_started"
    assert ann.delete(f"{toy}/seats/0").json["code"] == "match_started"
    assert moves(ann, toy) == []
    assert list(read_everything(annals)) == before


def test_a_player_who_resigned_learns_that_the_game_is_over_too(toy: str, ann: Api) -> None:
    ann.post(f"{toy}/resign")
    for call in ("moves", "preview", "preview.svg"):
        assert ann.post(f"{toy}/{call}", SEAL).json["code"] == "game_over"


def test_before_the_start_nothing_is_played(ann: Api) -> None:
    path = open_table(ann)
    assert ann.post(f"{path}/moves", SEAL).json["code"] == "match_not_started"
    for call in ("preview", "preview.svg", "keep"):
        body = None if call == "keep" else SEAL
        assert ann.post(f"{path}/{call}", body).json["code"] == "match_not_started"
    assert ann.get(path).json["view"] is None


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"game": "chess"}, "invalid", "#/game"),
        ({"seats": []}, "invalid", "#/seats"),
        ({"seats": [{"me": True}]}, "bad_seats", None),
        ({"seats": [{"me": True}, {}]}, "invalid", "#/seats/1"),
        ({"seats": [{"me": True}, {"me": False}]}, "invalid", "#/seats/1/me"),
        ({"seats": [{"me": True}, {"bot": "easy", "open": True}]}, "invalid", "#/seats/1"),
        ({"seats": [{"me": True}, {"bot": "nonsense"}]}, "unknown_level", None),
        ({"seats": [{"me": True}, {"invite": "Zoe"}]}, "invalid", "#/seats/1/invite"),
        ({"seats": [{"me": True}, {"a/b~ c": 1}]}, "invalid", "#/seats/1/a~1b~0%20c"),
        ({"options": {"rounds": 99}}, "bad_options", "#/options/rounds"),
        ({"options": {"nonsense": 1}}, "bad_options", "#/options/nonsense"),
        ({"clock": {}}, "invalid", "#/clock"),
        ({"clock": {"per_move_s": 1, "bank_s": 1}}, "invalid", "#/clock"),
        ({"clock": {"per_move_s": 1, "increment_s": 1}}, "invalid", "#/clock"),
        ({"seed": "xyz"}, "invalid", "#/seed"),
        ({"position": {"hands": 1}}, "bad_position", "#/position/hands"),
        ({"undo": False}, "invalid", "#/undo"),
        ({"substitute": "nonsense"}, "unknown_level", None),
    ],
)
def test_a_table_that_cannot_be_opened(
    ann: Api, annals: Annals, change: dict[str, Any], code: str, pointer: str | None
) -> None:
    plan = {"game": "toy", "seats": [{"me": True}, {"open": True}], **change}
    answer = ann.post("/v1/matches", plan)
    assert (answer.status_code, answer.json["code"]) == (400, code), answer.text
    if pointer:
        assert pointer in [error["pointer"] for error in answer.json["errors"]]
    assert list(read_everything(annals)) == []


@pytest.mark.parametrize(
    "name", ["", " ", "a\nb", "x" * 33, "a<b>", 7, None, "\u200b", " ann ", "\u2474"]
)
def test_an_invalid_name(nobody: Api, name: object) -> None:
    assert nobody.post("/v1/players", {"name": name}).status_code == 400


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN", "\uff21nn"])
def test_a_taken_name(ann: Api, nobody: Api, name: str) -> None:
    answer = nobody.post("/v1/players", {"name": name})
    assert (answer.status_code, answer.json["code"]) == (409, "name_taken")


@pytest.mark.parametrize(
    "query",
    [
        "version=-1", "version=x", "version=1&version=2", "version=%D9%A3", "version=1.0", "as=9",
        "as=me", "as=", "nonsense=1", "version=99999999999999999999", "version=1%00",
    ],
)  # fmt: skip
def test_a_query_that_makes_no_sense(toy: str, ann: Api, query: str) -> None:
    assert ann.get(f"{toy}?{query}").status_code == 400


def test_versions_that_there_are_not(toy: str, ann: Api) -> None:
    assert ann.get(f"{toy}?version=0").status_code == 404
    assert ann.get(f"{toy}?version=99").status_code == 404


def test_addresses_and_methods_that_there_are_not(toy: str, ann: Api) -> None:
    assert ann.get("/v1/nonsense").json["code"] == "not_found"
    assert ann.get("/v1/matches/NOPE").json["code"] == "not_found"
    assert ann.get("/v1/matches/%00").json["code"] == "not_found"
    wrong = ann("PUT", toy)
    assert (wrong.status_code, wrong.json["code"]) == (405, "method_not_allowed")
    assert wrong.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS"


def test_slashes_too_many(ann: Api) -> None:
    for path in ("//v1/games", "/v1//games", "/v1/games//qin"):
        answer = ann.app.test_client().get(f"http://localhost{path}")
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")


def test_a_body_that_is_not_json(toy: str, ann: Api) -> None:
    answer = raw(ann, f"{toy}/moves", json.dumps(SEAL).encode(), "text/plain")
    assert answer.status_code == 415


def test_a_private_match_does_not_exist_for_others(ann: Api, bob: Api, cid: Api) -> None:
    plan = {"game": "toy", "seats": [{"me": True}, {"invite": "bob"}], "visibility": "private"}
    path = f"/v1/matches/{ann.post('/v1/matches', plan).json['id']}"
    assert bob.get(path).status_code == 200
    for call in ("", "/events", "/stream", "/board.svg", "/legal-moves", "/position", "?version=1"):
        assert cid.get(f"{path}{call}").status_code == 404
    for call, body in (
        ("moves", SEAL), ("seats", None), ("start", None), ("preview", SEAL),
        ("preview.svg", SEAL), ("keep", None),
    ):  # fmt: skip
        answer = cid.post(f"{path}/{call}", body, If_Match='"99"')
        assert (answer.status_code, answer.json["code"]) == (404, "not_found")
        assert "ETag" not in answer.headers
    assert bob.post(f"{path}/seats").status_code == 201


def raw(player: Api, path: str, body: bytes, kind: str) -> Any:
    """Send raw bytes."""
    answer = player.app.test_client().post(
        path, data=body, content_type=kind, headers={"Authorization": f"Bearer {player.token}"}
    )
    contract.check("POST", path, answer)
    return answer
