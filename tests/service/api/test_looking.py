"""Reading a match: any version, as any seat that the caller may see; what caches may keep."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from threading import Timer

import pytest
from flask import Flask
from freezegun import freeze_time
from jsonschema_rs import Draft202012Validator

from domain.match.decisions import ending
from service.matches.commands import open_next
from service.matches.container import Annals, wall_clock
from tests.service.api.conftest import (
    BOTH,
    Api,
    fold_lists,
    moves,
    open_table,
    play_on,
    register,
    system,
)
from tests.support.apps import app_over


def test_each_past_version_is_what_the_present_was(toy: str, ann: Api, bob: Api) -> None:
    seen = {2: ann.get(toy).json}
    for _ in range(6):
        mover = ann if moves(ann, toy) else bob
        version = mover.post(f"{toy}/moves", {"move": moves(mover, toy)[0]}).json["version"]
        seen[version] = ann.get(toy).json
    for version, state in seen.items():
        assert ann.get(f"{toy}?version={version}").json == state
        picture = ann.get(f"{toy}/board.txt?version={version}")
        assert picture.headers["ETag"].startswith(f'"{version}-0-')
    assert ann.get(f"{toy}?version=1").json["status"] == "open"


def test_after_the_end_all_callers_can_see_as_any_seat(
    toy: str, ann: Api, bob: Api, cid: Api
) -> None:
    middle = 5
    play_on(toy, ann, bob, until=middle)
    anns, bobs = (who.get(f"{toy}?version={middle}").json["view"] for who in (ann, bob))
    assert cid.get(f"{toy}?as=0").status_code == 403
    assert ann.get(f"{toy}?as=1").status_code == 403
    assert ann.get(f"{toy}/position").json["code"] == "position_hidden"
    play_on(toy, ann, bob)
    assert cid.get(f"{toy}?version={middle}&as=0").json["view"] == anns
    assert cid.get(f"{toy}?version={middle}&as=1").json["view"] == bobs
    hand = f"Hand: {' '.join(map(str, bobs['hand']))}\n"
    assert hand in ann.get(f"{toy}/board.txt?version={middle}&as=1").text
    position = cid.get(f"{toy}/position?version={middle}").json
    assert position["position"]["hands"][0] == anns["hand"]
    assert cid.get(f"{toy}/position?version=1").json["code"] == "match_not_started"
    events = cid.get(f"{toy}/events").json["events"]
    assert all(
        "card" not in event or event["card"] for entry in events for event in entry["events"]
    )


def test_after_the_end_another_match_starts_where_a_round_began(
    toy: str, ann: Api, bob: Api
) -> None:
    play_on(toy, ann, bob)
    second_round = 5
    found = ann.get(f"{toy}/position?version={second_round}").json
    path = open_table(ann, bob, position=found["position"], options=found["options"])
    assert ann.get(path).json["view"] == ann.get(f"{toy}?version={second_round}").json["view"]
    assert ann.get(path).json["unrated"] == "position"


def test_what_has_not_changed_is_not_sent_again(toy: str, ann: Api, bob: Api) -> None:
    for call in ("", "/board.svg", "/board.png", "/board.txt"):
        first = ann.get(toy + call)
        again = ann.get(toy + call, If_None_Match=f'"x", {first.headers["ETag"]}')
        assert (again.status_code, again.data) == (304, b"")
        tag = first.headers["ETag"]
        assert again.headers["ETag"] == tag
        assert tag.startswith('"2-0')
        assert bob.get(toy + call, If_None_Match=tag).status_code == 200
        for tags in (f"W/{tag}", f'W/"a,b" , W/{tag}', "*"):
            assert ann.get(toy + call, If_None_Match=tags).status_code == 304, tags
    ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]})
    assert ann.get(toy, If_None_Match='"2-0"').status_code == 200


def test_past_versions_may_be_cached_and_the_present_one_may_not(toy: str, ann: Api) -> None:
    assert ann.get(toy).headers["Cache-Control"] == "private, no-cache"
    named = ann.get(f"{toy}?version=2&as=0").headers["Cache-Control"]
    assert named == "private, no-cache"  # players may change their names
    bots = {"game": "qin", "seats": [{"bot": "li_mu"}, {"bot": "li_mu"}]}
    path = f"/v1/matches/{ann.post('/v1/matches', bots).json['id']}"
    kept = ann.get(f"{path}?version=1&as=spectator").headers["Cache-Control"]
    assert kept == "private, max-age=86400"
    own = ann.get(f"{toy}?version=2").headers["Cache-Control"]
    assert own == "private, no-cache"  # the seat that the caller sees may change with the match
    assert set(ann.get(toy).vary) == {"Authorization", "Cookie", "Accept-Encoding"}


def test_a_version_that_is_about_to_come_is_waited_for(toy: str, ann: Api, bob: Api) -> None:
    move = moves(bob, toy)[0]
    timer = Timer(0.1, lambda: bob.post(f"{toy}/moves", {"move": move}))
    timer.start()
    assert ann.get(f"{toy}?min_version=3").json["version"] == 3
    timer.join()


@pytest.mark.parametrize("game", ["qin", "toy"])
def test_the_board_as_a_picture(ann: Api, bob: Api, nobody: Api, game: str) -> None:
    path = open_table(ann, bob, game=game)
    assert b"<svg" in nobody.get(f"{path}/board.svg").data
    assert nobody.get(f"{path}/board.png").data.startswith(b"\x89PNG")
    assert nobody.get(f"{path}/board.txt").text.strip()


def test_times_are_in_utc_and_frozen_with_the_clock(annals: Annals) -> None:
    with freeze_time("2026-03-01T12:34:56.500"):
        player = register(app_over(replace(annals, now=wall_clock)), "Ann")
        assert player.get(open_table(player)).json["created_at"] == "2026-03-01T12:34:56.500Z"


def test_the_lobby_has_pages(ann: Api, nobody: Api, annals: Annals) -> None:
    ids = [open_table(ann).rpartition("/")[2] for _ in range(5)]
    open_table(ann, visibility="private")
    fold_lists(annals)
    found, path = [], "/v1/matches?limit=2&status=open&game=toy"
    while path:
        page = nobody.get(path)
        found += [match["id"] for match in page.json["matches"]]
        path = page.headers.get("Link", "").removeprefix("<").partition(">")[0]
    assert sorted(found) == sorted(ids)
    assert page.json["lag"] == 0
    assert len(ann.get(f"/v1/matches?player={ann.id}").json["matches"]) == 6
    assert nobody.get("/v1/matches?after=nonsense").json["code"] == "bad_cursor"
    assert nobody.get("/v1/matches?after=%C3%A4").status_code == 400


def test_whose_turn_it_is(ann: Api, bob: Api, annals: Annals) -> None:
    path = open_table(ann, bob, clock={"per_move_s": 60})
    fold_lists(annals)
    match = path.rpartition("/")[2]
    waiting = ann.get(f"/v1/me/turns?match={match}&min_version=2").json
    assert [turn["match"] for turn in waiting["turns"]] == [match]
    assert waiting["turns"][0]["deadline"] == "2023-11-14T22:14:20.000Z"
    assert waiting["next"] is None


def test_turns_have_pages(ann: Api, bob: Api, annals: Annals) -> None:
    clocks = [{"per_move_s": seconds} for seconds in (90, 60, 120)]
    paths = [open_table(ann, bob, clock=clock) for clock in (*clocks, None, None)]
    fold_lists(annals)
    found, path = [], "/v1/me/turns?limit=2"
    while path:
        page = bob.get(path)
        assert len(page.json["turns"]) <= 2
        found += [turn["match"] for turn in page.json["turns"]]
        path = page.headers.get("Link", "").removeprefix("<").partition(">")[0]
    assert sorted(found) == sorted(path.rpartition("/")[2] for path in paths)
    assert found[:3] == [paths[place].rpartition("/")[2] for place in (1, 0, 2)]
    assert found == [turn["match"] for turn in bob.get("/v1/me/turns").json["turns"]]
    for cursor in ("nonsense", "W10", "%C3%A4"):
        assert bob.get(f"/v1/me/turns?after={cursor}").json["code"] == "bad_cursor"


def test_a_player_is_found_by_name_in_any_case(ann: Api, nobody: Api) -> None:
    for name in ("Ann", "ANN", "%EF%BC%A1nn"):
        found = nobody.get(f"/v1/players?name={name}").json["players"]
        assert found == [{"id": ann.id, "name": "Ann"}]
    assert nobody.get("/v1/players?name=An").json == {"players": []}
    [fault] = nobody.get("/v1/players").json["errors"]
    assert (fault["in"], fault["parameter"]) == ("query", "name")


def test_replacing_a_token_invalidates_the_old_one(app: Flask, ann: Api) -> None:
    assert ann.get("/v1/me").status_code == 200  # so that the process has the old one in its cache
    renewed = ann.post("/v1/me/token")
    assert renewed.status_code == 201
    assert renewed.headers["Cache-Control"] == "no-store"
    assert renewed.json["player"] == {"id": ann.id, "name": "Ann"}
    assert ann.get("/v1/me").status_code == 401
    assert ann.post("/v1/me/token").status_code == 401
    assert Api(app, renewed.json["token"]).get("/v1/me").json["id"] == ann.id


def test_players_have_records_and_ratings(toy: str, ann: Api, bob: Api, annals: Annals) -> None:
    rated = open_table(ann, bob, seed=None)
    for path in (rated, toy):
        play_on(path, ann, bob)
        system(annals, path, lambda match, now: ending.score(match))
    system(annals, rated, lambda match, now: ending.rate(match, ()))
    fold_lists(annals)
    page = bob.get(f"/v1/players/{ann.id}").json
    assert page["name"] == "Ann"
    assert page["record"]["toy"]["played"] == 1
    assert page["ratings"] == {}
    assert bob.get("/v1/players/nobody").status_code == 404
    assert bob.get("/v1/leaderboards/toy").json["standings"] == []
    assert bob.get("/v1/leaderboards/nonsense").status_code == 404
    state = bob.get(toy).json
    assert state["status"] == "scored"
    assert state["seed"] == "01" * 32
    assert sorted(line["seat"] for line in state["result"]["lines"]) == [0, 1]


@pytest.mark.slow
def test_a_series_links_its_matches(ann: Api, bob: Api, annals: Annals) -> None:
    path = open_table(ann, bob, game="qin", options={"series": ["bird", "lion"]})
    first = path.rpartition("/")[2]
    assert ann.get(f"/v1/series/{first}").json["totals"] == [0, 0]
    play_on(path, ann, bob)
    assert ann.get(f"/v1/series/{first}").json["totals"] is None
    system(annals, path, lambda match, now: ending.score(match))
    open_next(annals, first)
    series = ann.get(f"/v1/series/{first}").json
    assert [match["number"] for match in series["matches"]] == [1, 2]
    assert series["totals"] == series["matches"][0]["penalties"]
    assert not series["over"]
    assert ann.get(path).json["next_match"] == series["matches"][1]["id"]
    assert ann.get("/v1/series/nonsense").status_code == 404
    assert ann.get(f"/v1/series/{open_table(ann).rpartition('/')[2]}").status_code == 404


def test_games_list_all_that_a_client_needs(nobody: Api) -> None:
    assert {game["key"] for game in nobody.get("/v1/games").json["games"]} == BOTH.keys()
    game = nobody.get("/v1/games/qin").json
    assert game["seats"] == {"min": 2, "max": 4}
    assert [level["key"] for level in game["levels"]][-1] == "qin_shi_huang"
    assert game["options"]["defaults"]["board"] == "bird"
    assert [move["type"] for move in game["moves"]] == ["PlaceTile"]
    assert game["rules_text"].startswith("#")
    assert all(number.startswith("QIN-") for number in game["rules"])
    assert nobody.get("/v1/games/chess").status_code == 404


def test_a_game_lists_which_moves_answer_which_step(nobody: Api) -> None:
    received = {step["type"]: step for step in nobody.get("/v1/games/toy").json["steps"]}
    assert received["Respond"]["moves"] == ["Counter", "GiveIn"]
    assert received["Respond"]["refusal"] == {
        "rule": "TOY-3.2",
        "fault": "not_now",
        "reason": "Give in, or counter with a higher card.",
    }
    refill = {"type": "Refill", "schema": "#/$defs/Refill", "moves": [], "refusal": None}
    assert received["Refill"] == refill


@pytest.mark.parametrize("key", BOTH)
def test_a_game_has_a_schema_of_all_that_it_names(nobody: Api, key: str) -> None:
    game = nobody.get(f"/v1/games/{key}").json
    kinds = [one["schema"] for part in ("moves", "steps", "events") for one in game[part]]
    named = {game["view"], game["position"], game["options"]["schema"], *kinds}
    texts = {f"#/$defs/{name}" for name in game["$defs"]}
    assert named < texts
    assert set(re.findall(r'"(#/\$defs/\w+)"', json.dumps(game["$defs"]))) <= texts
    Draft202012Validator({"$ref": game["options"]["schema"], "$defs": game["$defs"]}).validate(
        game["options"]["defaults"]
    )


@pytest.mark.parametrize("key", BOTH)
def test_the_steps_of_a_game_are_answered_by_its_moves(nobody: Api, key: str) -> None:
    game = nobody.get(f"/v1/games/{key}").json
    answering = {move for step in game["steps"] for move in step["moves"]}
    assert answering == {move["type"] for move in game["moves"]}
    waiting = [step for step in game["steps"] if step["moves"]]
    assert all(step["refusal"]["rule"] in game["rules"] for step in waiting)


def test_a_game_lists_what_the_others_may_read_of_its_moves(nobody: Api) -> None:
    received = {move["type"]: move for move in nobody.get("/v1/games/chang_cheng").json["moves"]}
    assert received["LayCard"]["sealed"]
    assert received["LayCard"]["visible_fields"] == ["seat", "region"]
    assert not received["BuildTower"]["sealed"]
    assert received["BuildTower"]["visible_fields"] == ["seat", "cell"]


def test_sitting_down_standing_up_and_the_start(ann: Api, bob: Api, cid: Api) -> None:
    plan = {"game": "toy", "seats": [{"me": True}, {"open": True}, {"open": True}]}
    path = f"/v1/matches/{ann.post('/v1/matches', plan).json['id']}"
    assert bob.post(f"{path}/seats", {"seat": 2}).json["events"][0]["seat"] == 2
    assert bob.post(f"{path}/seats").json["code"] == "already_seated"
    assert cid.post(f"{path}/seats", {"seat": 2}).json["code"] == "seat_taken"
    assert cid.post(f"{path}/seats", {"seat": 9}).json["code"] == "no_such_seat"
    assert bob.delete(f"{path}/seats/0").json["code"] == "not_your_seat"
    assert bob.delete(f"{path}/seats/2").status_code == 200
    assert bob.post(f"{path}/start").json["code"] == "not_the_host"
    begun = ann.post(f"{path}/start", {"level": "crafty"})
    assert begun.json["status"] == "active"
    assert [chair["bot"] for chair in ann.get(path).json["seats"]] == [None, "crafty", "crafty"]
