"""Queries over REST: in every form, for every game; nothing private or erased appears."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import pytest
from flask import Flask

from domain.games import GAMES
from domain.match.decisions import ending
from service.matches.container import Annals
from tests.service.api.conftest import Api, fold_statistics, open_table, play_on, system
from tests.service.api.seated import table
from tests.support.apps import app_over

VEGA = "application/vnd.vegalite.v6+json"
EXCLUDED_BY_DEFAULT = "include=seed,forfeit"


def over(annals: Annals, path: str, loser: Api) -> None:
    """Let the loser resign, then fold all feeds."""
    loser.post(f"{path}/resign")
    system(annals, path, lambda match, now: ending.score(match))
    fold_statistics(annals)


@pytest.fixture
def ann_won(annals: Annals, toy: str, bob: Api) -> str:
    """A match that Ann won against Bob."""
    over(annals, toy, bob)
    return toy


def values(answer: Any) -> dict[tuple[Any, ...], Any]:
    """The value of the first metric by key."""
    return {tuple(one["key"]): one["values"][0]["value"] for one in answer.json["groups"]}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_answers_in_every_form(app: Flask, annals: Annals, game: str) -> None:
    at = table(app, game, GAMES[game].seats[0])
    at.play(4)
    at.end(annals)
    fold_statistics(annals)
    nobody = Api(app)
    known = nobody.get("/v1/analytics").json["games"][game]
    path = f"/v1/analytics/games/{game}"
    names = [one["name"] for one in known["metrics"]]
    for start in range(0, len(names), 20):
        metrics = names[start : start + 20]
        asked = f"{path}?metric={','.join(metrics)}&by=seat,month&{EXCLUDED_BY_DEFAULT}"
        shown = nobody.get(asked).json
        assert [one["name"] for one in shown["metrics"]] == metrics
        assert (shown["matches"], shown["complete"], shown["lag"]) == (1, True, 0)
        assert len(shown["groups"]) == len(at.players)
        lines = nobody.get(asked.replace("?", ".csv?"))
        assert lines.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
        received = [(row["metric"], row["n"]) for row in csv.DictReader(StringIO(lines.text))]
        answers = [one for group in shown["groups"] for one in group["values"]]
        assert received == [(one["metric"], str(one["n"])) for one in answers]
    chart = nobody.get(f"{path}.vega.json?metric=win_share&by=seat&{EXCLUDED_BY_DEFAULT}")
    marks = json.loads(chart.data)["data"]["values"]
    assert chart.mimetype == VEGA
    assert [mark["label"] for mark in marks] == [str(seat + 1) for seat in range(len(at.players))]
    picture = nobody.get(f"{path}.svg?metric=win_share&by=seat&{EXCLUDED_BY_DEFAULT}")
    assert ElementTree.fromstring(picture.data).tag.endswith("svg")
    assert "script" not in picture.headers["Content-Security-Policy"]


def test_wins_are_counted_by_player(ann_won: str, ann: Api, bob: Api, nobody: Api) -> None:
    asked = f"metric=win_rate&{EXCLUDED_BY_DEFAULT}"
    assert values(nobody.get(f"/v1/analytics/players/{ann.id}?{asked}")) == {(): 1.0}
    assert values(nobody.get(f"/v1/analytics/players/{bob.id}?{asked}&game=toy")) == {(): 0.0}
    pair = nobody.get(f"/v1/analytics/players/{ann.id}/against/{bob.id}?{asked}").json
    assert {tuple(one["labels"]): one["values"][0]["value"] for one in pair["groups"]} == {
        ("Ann",): 1.0, ("Bob",): 0.0,
    }  # fmt: skip
    assert (pair["player"], pair["against"], pair["matches"]) == (ann.id, bob.id, 1)


def test_bots_have_their_names_whether_one_game_is_asked_about_or_all(
    annals: Annals, ann: Api
) -> None:
    seats = [{"me": True}, {"bot": "li_mu"}]
    body = {"game": "qin", "seats": seats, "seed": "ab" * 32}
    match = ann.post("/v1/matches", body).json["id"]
    over(annals, f"/v1/matches/{match}", ann)
    asked = f"/v1/analytics/players/{ann.id}/against/bot:li_mu?metric=matches&{EXCLUDED_BY_DEFAULT}"
    for by in ("player", "player&game=qin"):
        groups = ann.get(f"{asked}&by={by}").json["groups"]
        assert {one["labels"][0] for one in groups} == {"Ann", "Li Mu"}
    [theirs] = ann.get(f"/v1/analytics/players/{ann.id}?by=game&{EXCLUDED_BY_DEFAULT}").json[
        "groups"
    ]
    assert theirs["labels"] == [GAMES["qin"].title]


def test_matches_with_a_given_seed_are_left_out_by_default(ann_won: str, nobody: Api) -> None:
    assert nobody.get("/v1/analytics/games/toy").json["matches"] == 0
    assert nobody.get(f"/v1/analytics/games/toy?{EXCLUDED_BY_DEFAULT}").json["matches"] == 1


def test_private_matches_are_never_counted(annals: Annals, ann: Api, bob: Api) -> None:
    """Not even for their players."""
    seats = [{"me": True}, {"invite": "Bob"}]
    over(annals, open_table(ann, bob, visibility="private", seats=seats), bob)
    for path in ("games/toy", f"players/{ann.id}", f"players/{ann.id}/against/{bob.id}"):
        assert (
            ann.get(f"/v1/analytics/{path}?{EXCLUDED_BY_DEFAULT},fork,position").json["matches"]
            == 0
        )


def test_matches_that_go_on_are_not_counted(annals: Annals, toy: str, ann: Api, bob: Api) -> None:
    play_on(toy, ann, bob, until=6)
    fold_statistics(annals)
    assert ann.get(f"/v1/analytics/games/toy?{EXCLUDED_BY_DEFAULT}").json["matches"] == 0


def test_erased_players_have_no_name(ann_won: str, annals: Annals, ann: Api, bob: Api) -> None:
    path = f"/v1/analytics/players/{ann.id}/against/{bob.id}?{EXCLUDED_BY_DEFAULT}"
    before = ann.get(path)
    assert b"Bob" in before.data
    assert bob.delete("/v1/me?name=Bob").status_code == 204
    annals.players._cached_names.drop_if(lambda _: True)
    for form in ("", ".csv", ".vega.json", ".svg"):
        assert b"Bob" not in ann.get(path.replace("?", f"{form}?")).data
    assert ann.get(path, If_None_Match=before.headers["ETag"]).status_code == 200


def test_a_client_with_a_current_answer_gets_304(ann_won: str, nobody: Api) -> None:
    for path in ("/v1/analytics/games/toy", "/v1/analytics/games/toy.svg"):
        answer = nobody.get(f"{path}?{EXCLUDED_BY_DEFAULT}")
        assert answer.headers["Cache-Control"] == "public, no-cache"
        assert "Accept-Language" in answer.headers["Vary"]
        again = nobody.get(f"{path}?{EXCLUDED_BY_DEFAULT}", If_None_Match=answer.headers["ETag"])
        assert (again.status_code, again.data) == (304, b"")


def test_invalid_parameters_are_named(ann: Api) -> None:
    wrong = ann.get("/v1/analytics/games/qin?metric=nonsense&by=x&seat=9&what=1")
    assert (wrong.status_code, wrong.json["code"]) == (400, "invalid")
    received = {one["parameter"]: one["detail"] for one in wrong.json["errors"]}
    assert set(received) == {"metric", "by", "seat", "what"}
    assert "`win_share`" in received["metric"]
    assert "`option.board`" in received["by"]


@pytest.mark.parametrize(
    "path",
    ["games/nonsense", "games/nonsense.svg", "players/u0", "players/{ann}/against/u0",
     "players/{ann}/against/{ann}",
     "players/{ann}/against/bot:nonsense", "players/bot:nonsense"],
)  # fmt: skip
def test_unknown_statistics_are_not_found(path: str, ann: Api) -> None:
    assert ann.get(f"/v1/analytics/{path.format(ann=ann.id)}").status_code == 404


def test_bots_are_asked_about_by_their_level(ann: Api) -> None:
    refused = ann.get("/v1/analytics/players/bot:li_mu")
    assert refused.status_code == 404
    assert "?level=li_mu" in refused.json["detail"]


def test_a_game_of_a_player_has_to_be_known(ann: Api) -> None:
    wrong = ann.get(f"/v1/analytics/players/{ann.id}?game=nonsense")
    assert "qin" in wrong.json["errors"][0]["detail"]
    assert ann.get(f"/v1/analytics/players/{ann.id}?metric=category.villages").status_code == 400
    path = f"/v1/analytics/players/{ann.id}?metric=category.villages&game=qin"
    assert ann.get(path).status_code == 200


def test_charts_of_two_units_are_refused(ann_won: str, ann: Api) -> None:
    asked = "?metric=score,length"
    assert ann.get(f"/v1/analytics/games/toy{asked}").status_code == 200
    refused = ann.get(f"/v1/analytics/games/toy.svg{asked}")
    assert refused.json["errors"][0]["parameter"] == "metric"


def test_charts_fit_a_phone_on_request(ann_won: str, ann: Api) -> None:
    for path in (
        "/v1/analytics/games/toy.svg?",
        f"/v1/analytics/players/{ann.id}.svg?",
        "/v1/leaderboards/toy.svg?provisional=true&",
        f"/v1/players/{ann.id}/ratings.svg?game=toy&",
    ):
        drawn = [ann.get(f"{path}narrow={narrow}").text for narrow in ("true", "false")]
        assert [re.findall(r'<svg [^>]*?width="(\d+)"', one) for one in drawn] == [["300"], ["720"]]
    assert ann.get("/v1/analytics/games/toy?narrow=true").status_code == 400


def test_large_answers_are_limited_though_they_are_known(
    annals: Annals, ann_won: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.api.analytics.analytics.MIN_LARGE_VALUES", 1)
    app = app_over(replace(annals, settings=replace(annals.settings, statistics_rate=3)))
    path = "/v1/analytics/games/toy?metric=score,lead&include=seed,forfeit"
    assert [Api(app).get(path).status_code for _ in range(3)] == [200, 200, 429]


def test_questions_that_have_to_be_worked_out_are_limited(annals: Annals, ann_won: str) -> None:
    app = app_over(replace(annals, settings=replace(annals.settings, statistics_rate=2)))
    nobody = Api(app)
    statuses = [
        nobody.get(f"/v1/analytics/games/toy?by={by}").status_code
        for by in ("seat", "seat", "seats", "seat", "month", "seats")
    ]
    assert statuses == [200, 200, 200, 200, 429, 200]
