"""One stream for all matches of a player, and one for the lobby: what is told to whom."""

from __future__ import annotations

import pytest
from flask import Flask

from domain.match.decisions import ending
from service.matches.container import Annals
from tests.service.api.conftest import Api, fold_lists, moves, opened, play_on, registered, system
from tests.service.api.news import LOBBY, MINE, changed, listed, listening, told


def mover(path: str, *players: Api) -> Api:
    """Who can move."""
    return next(player for player in players if moves(player, path))


def move(path: str, *players: Api) -> None:
    """Let whoever can make their first move."""
    player = mover(path, *players)
    player.post(f"{path}/moves", {"move": moves(player, path)[0]})


def test_whatever_happens_in_a_match_is_told_to_those_in_it(
    annals: Annals, ann: Api, bob: Api
) -> None:
    with listening(ann) as anns, listening(bob) as bobs:
        path = opened(ann, undo="consent")
        fold_lists(annals)
        assert changed(anns)["match"]["status"] == "open"
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
                match = changed(stream)["match"]
                assert match == listed(caller, match["id"])
        assert match["status"] == "scored"


def test_whose_turn_it_is_is_told(annals: Annals, qin: str, ann: Api, bob: Api) -> None:
    fold_lists(annals)
    with listening(ann, f"{MINE}?after=0") as anns, listening(bob, f"{MINE}?after=0") as bobs:
        for _ in range(3):
            rows = {ann.id: changed(anns), bob.id: changed(bobs)}
            mine = mover(qin, ann, bob)
            assert {who for who, row in rows.items() if row["awaits_you"]} == {mine.id}
            assert rows[mine.id]["your_turn"] == [rows[mine.id]["match"]["awaiting"][0]["seat"]]
            move(qin, mine)
            fold_lists(annals)


def test_who_is_asked_for_an_undo_is_told(annals: Annals, ann: Api, bob: Api) -> None:
    path = opened(ann, bob, game="qin", undo="consent")
    asker = mover(path, ann, bob)
    other = bob if asker is ann else ann
    move(path, asker)
    fold_lists(annals)
    with listening(asker) as askers, listening(other) as others:
        asker.post(f"{path}/undo")
        fold_lists(annals)
        row = changed(others)
        assert row["undo_asked"]
        assert row["awaits_you"]
        assert row["undo_request"]["player"] == asker.id
        assert row["undo_request"]["asked"] == [other.id]
        assert not changed(askers)["undo_asked"]
        other.post(f"{path}/undo/answer", {"agree": False})
        fold_lists(annals)
        assert changed(others)["undo_request"] is None


def test_who_is_invited_is_told_and_nobody_else_of_a_private_match(
    annals: Annals, ann: Api, bob: Api, cid: Api
) -> None:
    with listening(bob) as bobs, listening(cid) as cids, listening(cid, LOBBY) as lobby:
        seats = [{"me": True}, {"invite": "Bob"}, {"open": True}]
        plan = {"game": "qin", "seats": seats, "visibility": "private"}
        path = f"/v1/matches/{ann.post('/v1/matches', plan).json['id']}"
        fold_lists(annals)
        assert changed(bobs)["invited"]
        bob.post(f"{path}/seats")
        fold_lists(annals)
        row = changed(bobs)
        assert (row["invited"], row["match"]["seats"][1]["player"]) == (False, bob.id)
        public = opened(cid).rpartition("/")[2]
        fold_lists(annals)
        assert changed(cids)["match"]["id"] == public, "and nothing before"
        assert changed(lobby)["id"] == public, "and nothing before"


def test_who_leaves_a_table_hears_of_it_no_more(annals: Annals, ann: Api, bob: Api) -> None:
    with listening(bob) as bobs:
        path = opened(ann, visibility="public", seats=[{"me": True}] + 2 * [{"open": True}])
        bob.post(f"{path}/seats")
        fold_lists(annals)
        assert changed(bobs)["match"]["id"] == path.rpartition("/")[2]
        bob.delete(f"{path}/seats/1")
        fold_lists(annals)
        assert told(bobs)[1:] == ("gone", {"id": path.rpartition("/")[2]})
        ann.delete(path)
        opened(bob)
        fold_lists(annals)
        assert changed(bobs)["match"]["host"] == bob.id, "and not what became of the table"


def test_the_lobby_tells_of_tables_until_they_start_or_close(
    annals: Annals, ann: Api, bob: Api, nobody: Api
) -> None:
    with listening(nobody, LOBBY) as lobby:
        path = opened(ann, seats=[{"me": True}] + 2 * [{"open": True}])
        closed = opened(ann)
        for act in (
            lambda: bob.post(f"{path}/seats"),
            lambda: bob.delete(f"{path}/seats/1"),
            lambda: bob.post(f"{path}/seats"),
            lambda: ann.post(f"{path}/start", {"level": "easy"}),
        ):
            act()
            fold_lists(annals)
            row = changed(lobby)
            while row["id"] == closed.rpartition("/")[2]:
                row = changed(lobby)
            assert row == listed(nobody, row["id"])
        assert row["status"] == "active"
        move(path, ann, bob)
        ann.delete(closed)
        fold_lists(annals)
        assert changed(lobby)["status"] == "aborted", "and nothing of the move"


def test_the_lobby_of_one_game(annals: Annals, ann: Api, nobody: Api) -> None:
    with listening(nobody, f"{LOBBY}?game=qin") as qins, listening(nobody, LOBBY) as all_games:
        for game in ("toy", "qin"):
            opened(ann, game=game)
            fold_lists(annals)
        assert changed(qins)["game"] == "qin"
        assert {changed(all_games)["game"] for _ in range(2)} == {"toy", "qin"}
    assert nobody.get(f"{LOBBY}?game=chess").json["errors"][0]["parameter"] == "game"


def test_what_the_lists_do_not_know_yet_is_told_once_they_do(
    annals: Annals, ann: Api, bob: Api
) -> None:
    path = opened(ann, bob)
    with listening(ann) as anns:
        fold_lists(annals)
        assert changed(anns)["match"] == listed(ann, path.rpartition("/")[2])


def test_another_name_is_told_with_the_next_change(
    annals: Annals, app: Flask, ann: Api, bob: Api
) -> None:
    path = opened(ann, bob)
    fold_lists(annals)
    with listening(ann) as anns:
        bob.post("/v1/me/name", {"name": "Bert"})
        move(path, ann, bob)
        fold_lists(annals)
        assert [seat["name"] for seat in changed(anns)["match"]["seats"]] == ["Ann", "Bert"]
    bob.delete("/v1/me?name=Bert")
    fold_lists(annals)
    with listening(ann, f"{MINE}?after=0") as anns:
        row = changed(anns)
    assert row["match"]["seats"][1]["name"] == "deleted"
    assert not row["awaits_you"]
    assert registered(app, "Bert").get(MINE + "?after=1.2").status_code == 400


@pytest.mark.parametrize("path", [MINE, LOBBY])
def test_a_stream_that_nobody_may_hear(path: str, annals: Annals, app: Flask, ann: Api) -> None:
    _, token = annals.players.tokens.give_named(ann.id, "plays", ("play",), None, 0)
    for caller in (Api(app, token), Api(app, "annals_nonsense")):
        assert caller.get(path).status_code in (401, 403)
    refused = Api(app).get(f"{path}?access_token={token}")
    assert (refused.status_code, refused.json["code"]) == (403, "insufficient_scope")
    assert Api(app).get(MINE).status_code == 401
