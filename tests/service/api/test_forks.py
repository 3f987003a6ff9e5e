"""Forks over REST: from any version, linked in both directions, and then normal matches."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from domain.games import GAMES
from domain.match.decisions import ending
from service.matches.container import Annals
from tests.service.api.conftest import Api, fold_lists, moves, open_table, play_on, system
from tests.service.api.seated import bot_move, table
from tests.support.apps import app_over


def fork(caller: Api, path: str, version: int, **more: Any) -> Any:
    """The fork that a caller opens, as they see it; its address is `path`."""
    answer = caller.post(f"{path}/forks", {"version": version, **more})
    assert answer.status_code == 201, answer.text
    return {**answer.json, "path": answer.headers["Location"]}


def list_forks(caller: Api, path: str, annals: Annals) -> list[str]:
    """The forks that a caller can list."""
    fold_lists(annals)
    return [match["id"] for match in caller.get(f"{path}/forks").json["matches"]]


def resign_and_score(path: str, who: Api, annals: Annals) -> None:
    """The match ends by resignation, and is scored."""
    assert who.post(f"{path}/resign").status_code == 200
    system(annals, path, lambda match, now: ending.score(match))


@pytest.mark.parametrize("game", GAMES)
def test_a_fork_begins_as_the_match_was_for_every_seat_also_on_an_undone_line(
    game: str, app: Flask, annals: Annals, nobody: Api
) -> None:
    at = table(app, game, GAMES[game].seats[0], undo="free")
    start = at.version
    at.play(2)
    assert at.players[0].post(f"{at.path}/undo", {"to": start}).status_code == 200
    at.play(1)
    at.end(annals)
    seats = [{"me": True} for _ in at.players]
    for version in (start + 2, start + 4):
        found = fork(at.players[1], at.path, version, seats=seats)
        assert found["forked_from"] == {"match": at.path.rpartition("/")[2], "version": version}
        before = at.players[1].get(f"{at.path}?version={version}").json
        assert found["options"] == before["options"]
        assert [who["step"] for who in found["awaiting"]] == [
            who["step"] for who in before["awaiting"]
        ]
        at.players[1].post(f"{found['path']}/resign")
        for seat in range(len(at.players)):
            query = f"names=false&as={seat}"
            mine = nobody.get(f"{found['path']}/board.txt?version=1&{query}").data
            assert mine == nobody.get(f"{at.path}/board.txt?version={version}&{query}").data
            mine = nobody.get(f"{found['path']}?version=1&as={seat}").json["view"]
            assert mine == nobody.get(f"{at.path}?version={version}&as={seat}").json["view"]


@pytest.mark.parametrize("game", GAMES)
def test_a_fork_of_a_match_in_play_has_only_what_its_host_knows_and_is_hidden_from_others(
    game: str, app: Flask, annals: Annals, nobody: Api
) -> None:
    at = table(app, game, GAMES[game].seats[0])
    at.play(3)
    for seat, player in enumerate(at.players):
        found = fork(player, at.path, at.version)
        assert (found["visibility"], found["unrated"], found["as"]) == ("private", "fork", seat)
        assert found["view"] == player.get(at.path).json["view"]
        assert list_forks(player, at.path, annals) == [found["id"]]
        assert nobody.get(found["path"]).json["code"] == "not_found"
    assert list_forks(nobody, at.path, annals) == []
    before = [entry["kind"] for entry in nobody.get(f"{at.path}/events").json["events"]]
    assert set(before) == {"Created", "SeatTaken", "Moved"}, "the annals of the match say nothing"


def test_a_fork_is_played_on_like_any_match(toy: str, ann: Api, bob: Api, annals: Annals) -> None:
    play_on(toy, ann, bob, until=4)
    resign_and_score(toy, bob, annals)
    found = fork(ann, toy, 3, seats=[{"me": True}, {"open": True}], clock={"per_move_s": 60})
    assert (found["status"], found["visibility"]) == ("open", "public")
    path = found["path"]
    assert bob.post(f"{path}/seats").status_code == 201
    play_on(path, ann, bob, until=4)
    assert ann.get(f"{path}/lines").json["line"] == [2, 3, 4]
    version = ann.get(path).json["version"]
    inner = fork(ann, path, version)
    assert inner["forked_from"] == {"match": found["id"], "version": version}
    resign_and_score(path, ann, annals)
    assert (
        bob.get(f"{path}/position?version=2").json["position"]
        == (bob.get(f"{toy}/position?version=3").json["position"])
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_first_text_of_a_fork_opens_to_the_position_of_the_match(
    game: str, app: Flask, annals: Annals, nobody: Api
) -> None:
    at = table(app, game, GAMES[game].seats[0])
    at.play(2)
    version = at.version
    at.end(annals)
    found = fork(at.players[0], at.path, version)
    at.players[0].post(f"{found['path']}/resign")
    [first] = nobody.get(f"{found['path']}/events?proof=true&limit=1").json["events"]
    text = json.loads(first["proof"]["text"])
    assert text["events"][0]["forked_from"] == found["forked_from"]
    facts = {one["field"]: json.loads(one["fact"]) for one in first["proof"]["openings"]}
    received = nobody.get(f"{at.path}/position?version={version}").json["position"]
    assert facts["events.0.position"] == received


def test_bots_sit_down_where_one_does_not_and_the_fork_starts_at_once(
    toy: str, ann: Api, bob: Api, cid: Api, annals: Annals
) -> None:
    version = play_on(toy, ann, bob, until=3)
    found = fork(bob, toy, version)
    assert [seat["player"] for seat in found["seats"]] == [None, bob.id]
    assert (found["seats"][0]["bot"], found["status"]) == ("crafty", "active")
    if not moves(bob, found["path"]):
        system(annals, found["path"], bot_move)
    assert moves(bob, found["path"])
    resign_and_score(toy, bob, annals)
    found = fork(cid, toy, version, seats=[{"bot": "easy"}, {"bot": "crafty"}])
    assert [seat["bot"] for seat in found["seats"]] == ["easy", "crafty"]


def test_a_host_can_add_to_the_dice_of_a_fork(toy: str, ann: Api, bob: Api, annals: Annals) -> None:
    resign_and_score(toy, bob, annals)
    nonce = "5a" * 32
    for seats in ({}, {"seats": [{"me": True}, {"bot": "easy"}]}):
        found = fork(ann, toy, 2, nonce=nonce, **seats)
        assert [seat["nonce"] for seat in found["seats"]] == [nonce, None]
    alone = {"version": 2, "nonce": nonce, "seats": [{"bot": "easy"}, {"bot": "easy"}]}
    assert ann.post(f"{toy}/forks", alone).json["code"] == "invalid"


def test_a_spectator_forks_only_finished_matches(
    toy: str, ann: Api, bob: Api, cid: Api, nobody: Api, annals: Annals
) -> None:
    version = play_on(toy, ann, bob, until=3)
    assert cid.post(f"{toy}/forks", {"version": version}).json["code"] == "not_seated"
    assert nobody.post(f"{toy}/forks", {"version": version}).json["code"] == "unauthorized"
    resign_and_score(toy, bob, annals)
    found = fork(cid, toy, version)
    assert [seat["player"] for seat in found["seats"]].count(cid.id) == 1
    assert list_forks(nobody, toy, annals) == [found["id"]]


def test_forks_of_a_private_match_are_private_and_not_for_others(
    ann: Api, bob: Api, cid: Api, annals: Annals
) -> None:
    path = open_table(
        ann, game="toy", visibility="private", seats=[{"me": True}, {"invite": "Bob"}]
    )
    assert bob.post(f"{path}/seats").status_code == 201
    resign_and_score(path, bob, annals)
    assert cid.post(f"{path}/forks", {"version": 2}).json["code"] == "not_found"
    assert cid.get(f"{path}/forks").json["code"] == "not_found"
    refused = ann.post(f"{path}/forks", {"version": 2, "visibility": "public"})
    assert refused.json["code"] == "fork_is_private"
    found = fork(ann, path, 2)
    assert found["visibility"] == "private"
    assert (list_forks(ann, path, annals), list_forks(bob, path, annals)) == ([found["id"]], [])


def test_forks_are_listed_in_pages_the_newest_first(
    toy: str, ann: Api, bob: Api, annals: Annals, nobody: Api, clock: Any
) -> None:
    resign_and_score(toy, bob, annals)
    made = []
    for _ in range(3):
        clock.ms += 1_000
        made.append(fork(ann, toy, 2)["id"])
    fold_lists(annals)
    page = nobody.get(f"{toy}/forks?limit=2")
    assert [match["id"] for match in page.json["matches"]] == made[:0:-1]
    assert page.json["matches"][0]["forked_from"]["version"] == 2
    following = page.headers["Link"].partition(">")[0].removeprefix("<")
    assert [match["id"] for match in nobody.get(following).json["matches"]] == made[:1]
    assert nobody.get(f"{toy}/forks?after=nonsense").json["code"] == "bad_cursor"


def test_a_repeated_request_opens_no_second_fork_whatever_the_state_of_the_match(
    toy: str, ann: Api, bob: Api, annals: Annals
) -> None:
    sent = {"version": 2}
    first = ann.post(f"{toy}/forks", sent, Idempotency_Key="once")
    resign_and_score(toy, bob, annals)
    again = ann.post(f"{toy}/forks", sent, Idempotency_Key="once")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json == first.json
    other = ann.post(f"{toy}/forks", {"version": 1}, Idempotency_Key="once")
    assert other.json["code"] == "key_reused"
    assert list_forks(ann, toy, annals) == [first.json["id"]]


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({}, "invalid"),
        ({"version": 0}, "invalid"),
        ({"version": 2, "game": "toy"}, "invalid"),
        ({"version": 99}, "not_found"),
        ({"version": 1}, "match_not_started"),
        ({"version": 2, "seats": [{"me": True}] * 3}, "bad_seats"),
        ({"version": 2, "seats": [{"me": True}, {"bot": "nobody"}]}, "unknown_level"),
        ({"version": 2, "substitute": "nobody"}, "unknown_level"),
        ({"version": 2, "visibility": "public"}, "fork_is_private"),
    ],
)
def test_what_cannot_be_forked_opens_nothing(
    sent: Any, code: str, toy: str, ann: Api, annals: Annals
) -> None:
    assert ann.post(f"{toy}/forks", sent).json["code"] == code
    assert list_forks(ann, toy, annals) == []


def test_where_the_game_is_over_nothing_begins(
    toy: str, ann: Api, bob: Api, annals: Annals
) -> None:
    version = play_on(toy, ann, bob)
    assert ann.get(toy).json["status"] == "ended"
    assert ann.post(f"{toy}/forks", {"version": version}).json["code"] == "game_over"


def test_a_fork_counts_as_a_table_of_its_host_and_for_no_rating(
    toy: str, ann: Api, bob: Api, cid: Api, annals: Annals
) -> None:
    resign_and_score(toy, bob, annals)
    few = replace(annals, settings=replace(annals.settings, max_tables=1))
    cid = Api(app_over(few), cid.token, cid.id)
    found = fork(cid, toy, 2, seats=[{"me": True}, {"me": True}])
    fold_lists(annals)
    assert cid.post(f"{toy}/forks", {"version": 2}).json["code"] == "too_many_tables"
    resign_and_score(found["path"], cid, annals)
    match = annals.matches.latest(found["id"])
    assert not ending.is_rateable(match)
    fold_lists(annals)
    assert cid.get(f"/v1/players/{cid.id}").json["record"] == {}
