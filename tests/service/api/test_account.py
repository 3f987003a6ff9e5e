"""A player's account: scoped tokens, recovery, renaming, deletion."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask
from structlog.testing import capture_logs

from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from domain.match.decisions import ending
from service.channels import account_deletion
from service.matches.container import Annals
from tests.service.api.conftest import (
    Api,
    fold_lists,
    moves,
    open_table,
    play_on,
    read_everything,
    register,
    system,
)
from tests.service.api.streams import events_in, streaming
from tests.support.apps import app_over


def test_a_token_has_only_its_scopes(toy: str, app: Flask, ann: Api) -> None:
    made = ann.post("/v1/me/tokens", {"name": "bot", "scopes": ["read", "play"]})
    assert made.status_code == 201
    bot = Api(app, made.json["token"])
    assert bot.get("/v1/me").json["scopes"] == ["read", "play"]
    assert bot.post(f"{toy}/moves", {"move": moves(bot, toy)[0]}).status_code == 201
    refused = bot.post("/v1/matches", {"game": "toy", "seats": [{"me": True}, {"open": True}]})
    assert (refused.status_code, refused.json["code"]) == (403, "insufficient_scope")
    assert refused.json["scope"] == "host"
    assert 'error="insufficient_scope", scope="host"' in refused.headers["WWW-Authenticate"]
    assert bot.get("/v1/me/tokens").json["scope"] == "account"


def test_tokens_are_listed_without_their_secrets(ann: Api) -> None:
    asked = {"name": "bot", "scopes": ["play", "play"], "expires_in_s": 3_600}
    made = ann.post("/v1/me/tokens", asked).json
    [first, second] = ann.get("/v1/me/tokens").json["tokens"]
    assert (first["name"], first["expires_at"]) == (None, None)
    assert second == {name: value for name, value in made.items() if name != "token"}
    assert (second["scopes"], second["expires_at"]) == (["play"], "2023-11-14T23:13:20.000Z")
    for scopes in ([], ["account"], ["all"], ["play"] * 4):
        assert ann.post("/v1/me/tokens", {"name": "x", "scopes": scopes}).status_code == 400


def test_a_token_that_is_ended_ends_its_streams(toy: str, app: Flask, ann: Api, bob: Api) -> None:
    made = ann.post("/v1/me/tokens", {"name": "bot", "scopes": ["read"]}).json
    with streaming(Api(app, made["token"]), f"{toy}/stream") as stream:
        parts = events_in(stream)
        assert next(parts).startswith(b"retry: ")
        assert bob.delete(f"/v1/me/tokens/{made['id']}").status_code == 404
        assert ann.delete(f"/v1/me/tokens/{made['id']}").status_code == 204
        ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]})
        assert list(parts) == []
    assert Api(app, made["token"]).get("/v1/me").status_code == 401
    assert ann.get("/v1/me").status_code == 200


def test_a_lost_token_is_replaced_with_a_recovery_code(app: Flask, nobody: Api) -> None:
    joined = nobody.post("/v1/players", {"name": "Ann"}).json
    code = joined["recovery_codes"][0]
    back = nobody.post("/v1/recovery", {"name": "ann", "code": code})
    assert back.status_code == 201
    assert back.headers["Cache-Control"] == "no-store"
    assert back.json["player"] == joined["player"]
    assert Api(app, joined["token"]).get("/v1/me").status_code == 401
    ann = Api(app, back.json["token"])
    assert ann.get("/v1/me").json["id"] == joined["player"]["id"]
    for body in ({"name": "Ann", "code": code}, {"name": "Nobody", "code": code}):
        again = nobody.post("/v1/recovery", body)
        assert (again.status_code, again.json["code"]) == (403, "bad_recovery")
    fresh = ann.post("/v1/me/recovery-codes").json["recovery_codes"]
    assert len(set(fresh)) == 8
    old = {"name": "Ann", "code": joined["recovery_codes"][1]}
    assert nobody.post("/v1/recovery", old).status_code == 403
    assert nobody.post("/v1/recovery", {"name": "Ann", "code": fresh[0]}).status_code == 201


def test_codes_are_not_guessed_for_long(annals: Annals, ann: Api) -> None:
    settings = replace(annals.settings, recoveries=2)
    guesser = Api(app_over(replace(annals, settings=settings)))
    asked = [guesser.post("/v1/recovery", {"name": "Ann", "code": "x"}) for _ in range(3)]
    assert [answer.status_code for answer in asked] == [403, 403, 429]
    assert asked[2].json["violated-policies"] == ["recoveries"]


def test_another_name_stands_in_old_matches_too(
    toy: str, ann: Api, bob: Api, annals: Annals
) -> None:
    before = list(read_everything(annals))
    assert ann.post("/v1/me/name", {"name": "bob"}).json["code"] == "name_taken"
    renamed = ann.post("/v1/me/name", {"name": "Anna"})
    assert renamed.json == {"id": ann.id, "name": "Anna"}
    assert list(read_everything(annals)) == before, "the annals know no names"
    fold_lists(annals)
    later = Api(app_over(replace(annals)), bob.token)
    assert [seat["name"] for seat in later.get(toy).json["seats"]] == ["Anna", "Bob"]
    [listed] = later.get("/v1/matches").json["matches"]
    assert [seat["name"] for seat in listed["seats"]] == ["Anna", "Bob"]
    soon = ann.post("/v1/me/name", {"name": "Ann"})
    assert (soon.status_code, soon.json["violated-policies"]) == (429, ["renames"])
    assert int(soon.headers["Retry-After"]) <= 30 * 86_400


def test_only_the_player_sees_their_private_matches_counted(
    ann: Api, bob: Api, nobody: Api, annals: Annals
) -> None:
    seats = [{"me": True}, {"invite": "Bob"}]
    path = open_table(ann, visibility="private", seed=None, seats=seats)
    assert bob.post(f"{path}/seats").status_code == 201
    play_on(path, ann, bob)
    system(annals, path, lambda match, now: ending.score(match))
    fold_lists(annals)
    assert ann.get(path).json["unrated"] == "private"
    mine = ann.get("/v1/me").json
    assert (mine["record"], mine["private_record"]["toy"]["played"]) == ({}, 1)
    public = nobody.get(f"/v1/players/{ann.id}").json
    assert (public["record"], public["ratings"]) == ({}, {})
    assert nobody.get("/v1/leaderboards/toy").json["standings"] == []


def test_a_player_who_deletes_their_account_leaves_their_matches(
    toy: str, app: Flask, ann: Api, bob: Api, annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account_deletion, "pause", lambda _: fold_lists(annals))
    table = open_table(ann)
    joined = open_table(bob, ann, register(app, "Cid"))
    fold_lists(annals)
    assert ann.delete("/v1/me?name=Bob").status_code == 400
    assert ann.delete("/v1/me?name=ann").status_code == 204
    assert ann.get("/v1/me").status_code == 401
    assert bob.get(table).json["status"] == "aborted"
    for path, seat in ((toy, 0), (joined, 1)):
        left = bob.get(path).json["seats"][seat]
        assert (left["player"], left["name"], left["resigned"]) == (ann.id, "deleted", True)
    assert bob.get(f"/v1/players/{ann.id}").json["name"] == "deleted"
    assert bob.get("/v1/players?name=Ann").json == {"players": []}
    assert register(app, "Ann").id != ann.id


def test_nothing_secret_of_an_account_is_logged(app: Flask, nobody: Api) -> None:
    with capture_logs() as lines:
        joined = nobody.post("/v1/players", {"name": "Ann"}).json
        ann = Api(app, joined["token"])
        made = ann.post("/v1/me/tokens", {"name": "bot", "scopes": ["play"]}).json["token"]
        renewed = ann.post("/v1/me/token").json["token"]
        code = joined["recovery_codes"][0]
        back = nobody.post("/v1/recovery", {"name": "Ann", "code": code}).json["token"]
        nobody.get(f"/v1/matches/m/stream?access_token={back}")
    assert len(lines) == 5
    for secret in (joined["token"], made, renewed, back, code):
        assert secret not in str(lines)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_player_can_have_the_name_of_a_bot(
    game: str, language: str, ann: Api, nobody: Api
) -> None:
    for name in GAMES[game].bot_names(language).values():
        for answer in (
            nobody.post("/v1/players", {"name": name.upper()}),
            ann.post("/v1/me/name", {"name": name}),
        ):
            assert (answer.status_code, answer.json["code"]) == (409, "name_taken")


def test_no_player_can_have_a_name_like_an_operator(ann: Api, nobody: Api) -> None:
    for answer in (
        nobody.post("/v1/players", {"name": "Admin"}),
        nobody.post("/v1/players", {"name": "Admin", "guest": True}),
        ann.post("/v1/me/name", {"name": "\u7cfb\u7edf"}),
    ):
        assert (answer.status_code, answer.json["code"]) == (409, "name_taken")
