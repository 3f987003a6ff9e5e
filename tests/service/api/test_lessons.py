"""Lessons over REST, as other clients teach with them."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from domain.match.decisions import ending
from service.matches.container import Annals
from tests.service.api.conftest import Api, fold_lists, moves, open_table, system
from tests.service.api.learning import let_bots_play

LESSONS = [(game.key, key) for game in GAMES.values() for key in game.resources.lessons]


@pytest.fixture
def guest(app: Flask) -> Api:
    answer = Api(app).post("/v1/players", {"name": "Guest 1", "guest": True})
    return Api(app, answer.json["token"], answer.json["player"]["id"])


def begin(caller: Api, game: str = "qin", lesson: str = "first", **headers: str) -> Any:
    """A lesson that a caller begins, as they see it; its address is `path`."""
    answer = caller.post(f"/v1/games/{game}/lessons/{lesson}", **headers)
    assert answer.status_code == 201, answer.text
    return {**answer.json, "path": answer.headers["Location"]}


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_guest_is_taught_from_the_first_step_to_the_last(
    guest: Api, annals: Annals, game: str, lesson: str
) -> None:
    listed = guest.get(f"/v1/games/{game}/lessons").json["lessons"]
    [about] = [one for one in listed if one["key"] == lesson]
    match = begin(guest, game, lesson)
    path, read = match["path"], list[int]()
    while True:
        let_bots_play(annals, path)
        shown = guest.get(f"{path}/lesson").json
        assert (shown["lesson"], shown["title"], shown["count"], shown["off_course"]) == (
            lesson, about["title"], about["count"], False,
        )  # fmt: skip
        read += [step["number"] for step in shown["steps"] if step["number"] not in read]
        if not (shown["steps"] and shown["steps"][-1]["task"]):
            break
        answer = guest.post(f"{path}/moves", {"move": moves(guest, path)[0]})
        assert answer.status_code == 201, answer.text
    assert read == list(range(1, about["count"] + 1))
    if guest.get(path).json["status"] == "active":
        guest.post(f"{path}/resign")
    system(annals, path, lambda match, now: ending.score(match))
    assert guest.get(f"{path}/audit").json["valid"]


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_lesson_is_private_unrated_and_in_no_list_of_others(
    guest: Api, bob: Api, nobody: Api, annals: Annals, game: str, lesson: str
) -> None:
    match = begin(guest, game, lesson)
    assert (match["lesson"], match["visibility"], match["status"]) == (lesson, "private", "active")
    assert match["unrated"] in ("position", "seed", "together")
    fold_lists(annals)
    for other in (bob, nobody):
        assert other.get("/v1/matches").json["matches"] == []
        assert other.get(match["path"]).json["code"] == "not_found"
        assert other.get(f"{match['path']}/lesson").json["code"] in ("not_found", "unauthorized")
    assert [one["id"] for one in guest.get("/v1/matches").json["matches"]] == [match["id"]]


def test_another_legal_move_is_explained_in_the_language_of_the_caller(guest: Api) -> None:
    path = begin(guest)["path"]
    move = {
        "type": "PlaceTile", "kind": "YY",
        "halves": [{"row": 8, "col": 7, "color": "Y"}, {"row": 9, "col": 7, "color": "Y"}],
    }  # fmt: skip
    reasons = set()
    for language in LANGUAGES:
        for what, body in (("moves", {"move": move}), ("preview", {"touches": ["tile:YY"]})):
            answer = guest.post(f"{path}/{what}", body, Accept_Language=language)
            assert (answer.status_code, answer.json["code"]) == (409, "not_in_lesson")
            assert (answer.json["rule"], answer.content_type) == (
                "QIN-5.4", "application/problem+json",
            )  # fmt: skip
            reasons.add(answer.json["detail"])
    assert len(reasons) == len(LANGUAGES)
    assert answer.json["refused_touch"] == 0
    assert answer.json["choices"] == ["tile:RR"]
    illegal = {**move, "kind": "BB"}
    assert guest.post(f"{path}/moves", {"move": illegal}).json["code"] == "rule_broken"
    assert {one["kind"] for one in moves(guest, path)} == {"RR"}


def test_a_lesson_is_skipped_by_closing_it(guest: Api, bob: Api) -> None:
    match = begin(guest)
    assert bob.delete(match["path"]).json["code"] == "not_found"
    assert guest.delete(match["path"]).status_code == 200
    closed = guest.get(match["path"]).json
    assert (closed["status"], closed["result"]) == ("aborted", None)
    assert guest.get(f"{match['path']}/lesson").json["steps"]


def test_a_repeated_request_begins_one_lesson(guest: Api) -> None:
    one, other = (begin(guest, Idempotency_Key="once") for _ in range(2))
    assert one["id"] == other["id"]


def test_what_is_no_lesson_is_not_found(guest: Api, bob: Api) -> None:
    assert guest.post("/v1/games/qin/lessons/second").json["code"] == "not_found"
    assert guest.get("/v1/games/nonsense/lessons").json["code"] == "not_found"
    path = open_table(guest, bob)
    assert guest.get(path).json["lesson"] is None
    assert guest.get(f"{path}/lesson").json["code"] == "not_found"
