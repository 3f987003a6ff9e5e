"""One change feed for all matches of a player, and one for the lobby: who receives which event."""

from __future__ import annotations

import pytest
from flask import Flask

from domain.match.decisions import ending
from service.matches.container import Annals
from tests.service.api.change_feed import (
    LOBBY,
    MINE,
    find_in_lists,
    listening,
    next_change,
    next_update,
)
from tests.service.api.conftest import Api, fold_lists, moves, open_table, play_on, register, system


def mover(path: str, *players: Api) -> Api:
    """The player who can move."""
    return next(player for player in players if moves(player, path))


def move(path: str, *players: Api) -> None:
    """Let the player to move make their first legal move."""
    player = mover(path, *players)
    player.post(f"{path}/moves", {"move": moves(player, path)[0]})


def test_all_changes_of_a_match_reach_its_players(annals: Annals, ann: Api, bob: Api) -> None:
    with listening(ann) as anns, listening(bob) as bobs:
        path = open_table(ann, undo="consent")
        fold_lists(annals)
        assert next_change(anns)["match"]["status"] == "open"
        for act in (
            lambda: bob.post(f"{path}/seats"),
            lambda: move(path, ann, bob),
            lambda: play_on(path, ann, bob, until=5),
            lambda: bob.post(f"{path}/resign"),
            lambda: system(annals, path, lambda it, _: ending.score(it)),
        ):
            act()
            fold_lists(annals)
            for caller, stream in ((ann, anns), (bob, bobs)):
                match = next_change(stream)["match"]
                assert match == find_in_lists(caller, match["id"])
        assert match["status"] == "scored"


def test_the_stream_says_whose_turn_it_is(annals: Annals, qin: str, ann: Api, bob: Api) -> None:
    fold_lists(annals)
    with listening(ann, f"{MINE}?after=0") as anns, listening(bob, f"{MINE}?after=0") as bobs:
        for _ in range(3):
            rows = {ann.id: next_change(anns), bob.id: next_change(bobs)}
            mine = mover(qin, ann, bob)
            assert {who for who, row in rows.items() if row["needs_action"]} == {mine.id}
            assert rows[mine.id]["seats_to_move"] == [rows[mine.id]["match"]["awaiting"][0]["seat"]]
            move(qin, mine)
            fold_lists(annals)


def test_undo_requests_reach_the_players_who_must_answer(
    annals: Annals, ann: Api, bob: Api
) -> None:
    path = open_table(ann, bob, game="qin", undo="consent")
    asker = mover(path, ann, bob)
    other = bob if asker is ann else ann
    move(path, asker)
    fold_lists(annals)
    with listening(asker) as askers, listening(other) as others:
        asker.post(f"{path}/undo")
        fold_lists(annals)
        row = next_change(others)
        assert row["undo_vote_pending"]
        assert row["needs_action"]
        assert row["undo_request"]["player"] == asker.id
        assert row["undo_request"]["waiting_for"] == [other.id]
        assert not next_change(askers)["undo_vote_pending"]
        other.post(f"{path}/undo/answer", {"agree": False})
        fold_lists(annals)
        assert next_change(others)["undo_request"] is None


def test_an_invited_player_receives_a_private_match(
    annals: Annals, ann: Api, bob: Api, cid: Api
) -> None:
    with listening(bob) as bobs, listening(cid) as cids, listening(cid, LOBBY) as lobby:
        seats = [{"me": True}, {"invite": "Bob"}, {"open": True}]
        plan = {"game": "qin", "seats": seats, "visibility": "private"}
        path = f"/v1/matches/{ann.post('/v1/matches', plan).json['id']}"
        fold_lists(annals)
        assert next_change(bobs)["invited"]
        bob.post(f"{path}/seats")
        fold_lists(annals)
        row = next_change(bobs)
        assert (row["invited"], row["match"]["seats"][1]["player"]) == (False, bob.id)
        public = open_table(cid).rpartition("/")[2]
        fold_lists(annals)
        assert next_change(cids)["match"]["id"] == public, "and nothing before"
        assert next_change(lobby)["id"] == public, "and nothing before"


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_declined_invitation_reaches_the_host_and_the_player(
    annals: Annals, ann: Api, bob: Api, visibility: str
) -> None:
    seats = [{"me": True}, {"invite": "Bob"}]
    plan = {"game": "qin", "seats": seats, "visibility": visibility}
    path = f"/v1/matches/{ann.post('/v1/matches', plan).json['id']}"
    fold_lists(annals)
    with listening(ann) as anns, listening(bob) as bobs:
        answer = bob.delete(f"{path}/invitation")
        assert answer.json["events"] == [
            {"type": "InvitationDeclined", "seat": 1, "player": bob.id}
        ]
        again = bob.delete(f"{path}/invitation").json["code"]
        fold_lists(annals)
        seat = next_change(anns)["match"]["seats"][1]
        assert (seat["invited"], seat["declined"]) == (None, bob.id)
        assert ann.get(path).json["seats"][1]["declined"] == bob.id
        if visibility == "public":
            assert again == "not_invited"
        else:
            assert again == bob.get(path).json["code"] == "not_found"
        assert next_update(bobs)[1:] == ("gone", {"id": path.rpartition("/")[2]})


def test_a_player_who_left_a_table_receives_no_more_changes(
    annals: Annals, ann: Api, bob: Api
) -> None:
    with listening(bob) as bobs:
        path = open_table(ann, visibility="public", seats=[{"me": True}] + 2 * [{"open": True}])
        bob.post(f"{path}/seats")
        fold_lists(annals)
        assert next_change(bobs)["match"]["id"] == path.rpartition("/")[2]
        bob.delete(f"{path}/seats/1")
        fold_lists(annals)
        assert next_update(bobs)[1:] == ("gone", {"id": path.rpartition("/")[2]})
        ann.delete(path)
        open_table(bob)
        fold_lists(annals)
        assert next_change(bobs)["match"]["host"] == bob.id, "and not what became of the table"


def test_the_lobby_has_tables_until_they_start_or_close(
    annals: Annals, ann: Api, bob: Api, nobody: Api
) -> None:
    with listening(nobody, LOBBY) as lobby:
        path = open_table(ann, seats=[{"me": True}] + 2 * [{"open": True}])
        closed = open_table(ann)
        for act in (
            lambda: bob.post(f"{path}/seats"),
            lambda: bob.delete(f"{path}/seats/1"),
            lambda: bob.post(f"{path}/seats"),
            lambda: ann.post(f"{path}/start", {"level": "easy"}),
        ):
            act()
            fold_lists(annals)
            row = next_change(lobby)
            while row["id"] == closed.rpartition("/")[2]:
                row = next_change(lobby)
            assert row == find_in_lists(nobody, row["id"])
        assert row["status"] == "active"
        move(path, ann, bob)
        ann.delete(closed)
        fold_lists(annals)
        assert next_change(lobby)["status"] == "aborted", "and nothing of the move"


def test_the_lobby_of_one_game(annals: Annals, ann: Api, nobody: Api) -> None:
    with listening(nobody, f"{LOBBY}?game=qin") as qins, listening(nobody, LOBBY) as all_games:
        for game in ("toy", "qin"):
            open_table(ann, game=game)
            fold_lists(annals)
        assert next_change(qins)["game"] == "qin"
        assert {next_change(all_games)["game"] for _ in range(2)} == {"toy", "qin"}
    assert nobody.get(f"{LOBBY}?game=chess").json["errors"][0]["parameter"] == "game"


def test_a_change_is_sent_once_the_lists_have_it(annals: Annals, ann: Api, bob: Api) -> None:
    path = open_table(ann, bob)
    with listening(ann) as anns:
        fold_lists(annals)
        assert next_change(anns)["match"] == find_in_lists(ann, path.rpartition("/")[2])


def test_a_new_name_comes_with_the_next_change(
    annals: Annals, app: Flask, ann: Api, bob: Api
) -> None:
    path = open_table(ann, bob)
    fold_lists(annals)
    with listening(ann) as anns:
        bob.post("/v1/me/name", {"name": "Bert"})
        move(path, ann, bob)
        fold_lists(annals)
        assert [seat["name"] for seat in next_change(anns)["match"]["seats"]] == ["Ann", "Bert"]
    bob.delete("/v1/me?name=Bert")
    fold_lists(annals)
    with listening(ann, f"{MINE}?after=0") as anns:
        row = next_change(anns)
    assert row["match"]["seats"][1]["name"] == "deleted"
    assert not row["needs_action"]
    assert register(app, "Bert").get(MINE + "?after=1.2").status_code == 400


@pytest.mark.parametrize("path", [MINE, LOBBY])
def test_a_stream_without_permission_is_refused(
    path: str, annals: Annals, app: Flask, ann: Api
) -> None:
    _, token = annals.players.tokens.issue_named(ann.id, "plays", ("play",), None, 0)
    for caller in (Api(app, token), Api(app, "annals_nonsense")):
        assert caller.get(path).status_code in (401, 403)
    refused = Api(app).get(f"{path}?access_token={token}")
    assert (refused.status_code, refused.json["code"]) == (403, "insufficient_scope")
    assert Api(app).get(MINE).status_code == 401
