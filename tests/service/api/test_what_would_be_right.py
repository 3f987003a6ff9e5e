"""A refusal lists the valid values: names, choices, limits, and a link to the guide."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.resources.rulebook import ENGLISH
from domain.games import GAMES
from service.matches.container import Annals
from service.page.views.new_table import option_controls
from tests.service.api.conftest import BOTH, Api, open_table


@pytest.mark.parametrize(
    ("query", "parameter", "received"),
    [
        ("gaem=toy", "gaem", "`game`"),
        ("game=chess", "game", "tigris_euphrates"),
        ("player=Ann", "player", "GET /v1/players?name="),
        ("status=lost", "status", "scored"),
        ("limit=0", "limit", "1"),
        ("game=toy&game=qin", "game", "more than once"),
    ],
)
def test_a_wrong_parameter_is_named_as_one(
    ann: Api, query: str, parameter: str, received: str
) -> None:
    answer = ann.get(f"/v1/matches?{query}")
    assert (answer.status_code, answer.json["code"]) == (400, "invalid")
    [fault] = answer.json["errors"]
    assert (fault["in"], fault["parameter"]) == ("query", parameter)
    assert received in fault["detail"]
    assert "pointer" not in fault


def test_all_wrong_parameters_are_named_at_once(ann: Api) -> None:
    faults = ann.get("/v1/matches?limit=x&status=lost&nonsense=1").json["errors"]
    assert {fault["parameter"] for fault in faults} == {"limit", "status", "nonsense"}


@pytest.mark.parametrize("name", ["<b>", "", "x" * 33, "Ada\u3164", "\uffa0", "a\u115fb"])
def test_a_refused_name_gets_the_rule(nobody: Api, name: str) -> None:
    """An invisible letter does not count."""
    [fault] = nobody.post("/v1/players", {"name": name}).json["errors"]
    assert fault["pointer"] == "#/name"
    assert "1 to 32 letters" in fault["detail"]


def test_a_refused_member_gets_the_known_ones(ann: Api) -> None:
    answer = ann.post("/v1/matches", {"game": "toy", "seats": [{"mee": True}, {"open": True}]})
    [fault] = answer.json["errors"]
    assert fault["pointer"] == "#/seats/0/mee"
    assert all(f"`{name}`" in fault["detail"] for name in ("me", "bot", "open", "invite"))


@pytest.mark.parametrize("game", BOTH)
def test_refused_options_get_the_valid_ones(ann: Api, game: str) -> None:
    seats = [{"me": True}, {"open": True}]
    plan = {"game": game, "seats": seats, "options": {"nonsense": 1, "first_player": "me"}}
    answer = ann.post("/v1/matches", plan)
    assert (answer.status_code, answer.json["code"]) == (400, "bad_options")
    faults = {fault["pointer"]: fault["detail"] for fault in answer.json["errors"]}
    assert all(
        f"`{name}`" in faults["#/options/nonsense"] for name in BOTH[game].options.__struct_fields__
    )


@pytest.mark.parametrize("game", GAMES)
def test_an_option_that_does_not_fit_the_table_is_named(ann: Api, game: str) -> None:
    """So that a form can mark its field."""
    seats = [{"me": True}, *([{"open": True}] * (GAMES[game].seat_range[-1] - 1))]
    lists = {one["name"]: one for one in option_controls(GAMES[game], ENGLISH)}
    wrong = {
        name: [one["places"][0][0]["value"]] * 2 if one["kind"] == "list" else "seat:9"
        for name, one in lists.items()
        if one["kind"] in ("list", "first")
    }
    refused = 0
    for name, value in wrong.items():
        answer = ann.post("/v1/matches", {"game": game, "seats": seats, "options": {name: value}})
        if answer.status_code == 400:  # some lists may name one value twice
            refused += 1
            pointers = [one["pointer"] for one in answer.json["errors"]]
            assert all(one.startswith(f"#/options/{name}") for one in pointers)
            assert pointers
    assert bool(refused) == bool(wrong)


def test_the_expected_moves_are_named(toy: str, ann: Api) -> None:
    answer = ann.post(f"{toy}/moves", {"move": {"type": "Nonsense"}})
    assert answer.json["code"] == "bad_move"
    assert answer.json["detail"].endswith(" Allowed now: `Seal`.")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["#/move/type"]


def test_before_the_start_no_moves_are_expected(ann: Api) -> None:
    answer = ann.post(f"{open_table(ann)}/moves", {"move": {"type": "Nonsense"}})
    assert "Allowed now" not in answer.json["detail"]


@pytest.mark.parametrize("seen", ["abc", "-1", "1.5", "9" * 11, "\u00b2"])
def test_a_stream_that_cannot_know_where_to_go_on_says_so(toy: str, ann: Api, seen: str) -> None:
    answer = ann.get(f"{toy}/stream", Last_Event_ID=seen)
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")
    assert "Last-Event-ID" in answer.json["detail"]


@pytest.mark.parametrize("path", ["/matches", "/v1/nonsense", "/v1/games/toy/more"])
def test_an_unknown_address_links_to_the_entry_point(nobody: Api, path: str) -> None:
    answer = nobody.app.test_client().get(path)
    assert answer.status_code == 404
    assert (
        answer.json["detail"]
        == "There is nothing at this address. `/` lists the addresses to start from."
    )


def test_a_body_that_is_too_large_gets_the_limit(ann: Api, annals: Annals) -> None:
    body: dict[str, Any] = {"name": "x" * annals.settings.body_limit}
    answer = ann.post("/v1/players", body)
    assert answer.status_code == 413
    assert str(annals.settings.body_limit) in answer.json["detail"]
