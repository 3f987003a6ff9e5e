"""A new player takes the seat of an absent one, in every game: who sees and may do what."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask

from domain.analysis.analysis import Analysis, TurningPoint
from domain.games import GAMES
from domain.match.decisions import absence
from projections.lists.reliability import Reliability, read_reliability
from service.accounts.invitations import invitation_to
from service.matches.container import Annals
from service.matches.turning_points import list_turning_points
from service.store.planning.plans import Plans
from tests.games.modes import seatings
from tests.service.api.alike import everything, without_ids
from tests.service.api.bundles import export_bundle, verdict
from tests.service.api.change_feed import LOBBY, listening, next_update
from tests.service.api.conftest import Api, Clock, fold_lists, register, system
from tests.service.api.seated import Table, rate, table
from tests.service.api.streams import read_stream
from tests.service.api.test_meeting import ask, routes, shown
from workers.tools.check.replay import describe_entries

DAY_MS = 86_400_000
REPLACEMENT = {"kind": "replacement"}
SEATINGS = [one for one in seatings(GAMES.values()) if one.seats > 1]
UNLIKE = ("/stream", ".png", "/notes/<int:version>", "/<int:number>")
"""Ends of routes whose answers have no end or are no text, that write a note, or delete what
the leaver has said.
"""
SMALLEST = list({(one.game.key, str(one.options)): one for one in reversed(SEATINGS)}.values())


@dataclass
class Seeking:
    """A match whose other players seek a new one for the seat of `leaver`."""

    at: Table
    leaver: Api
    seat: int

    @property
    def others(self) -> list[Api]:
        return [player for player in self.at.players if player is not self.leaver]

    @property
    def id(self) -> str:
        return self.at.path.rpartition("/")[2]


def seek(app: Flask, annals: Annals, clock: Clock, game: str, seats: int, **more: Any) -> Seeking:
    """Play some moves, wait for a player for too long, and vote for a new one."""
    if more.get("visibility") == "private":
        at = private_table(app, game, seats)
    else:
        at = table(app, game, seats, patience_days=7, **more)
    at.play(3)
    while len(awaited := at.players[0].get(at.path).json["awaiting"]) > 1:
        player = at.players[awaited[-1]["seat"]]
        move = player.get(f"{at.path}/legal-moves").json["moves"][0]
        assert player.post(f"{at.path}/moves", {"move": move}).status_code == 201
    clock.ms += 8 * DAY_MS
    system(annals, at.path, absence.end_patience)
    seeks = Seeking(at, at.players[awaited[0]["seat"]], awaited[0]["seat"])
    for player in seeks.others:
        assert player.post(f"{at.path}/proposal", REPLACEMENT).status_code == 200
    return seeks


def private_table(app: Flask, game: str, seats: int) -> Table:
    """A match of which only its players know, all of them invited."""
    host, *others = players = [register(app, f"Player {seat}") for seat in range(seats)]
    chairs = [{"me": True}, *({"invite": f"Player {seat}"} for seat in range(1, seats))]
    plan = {"game": game, "seats": chairs, "visibility": "private", "patience_days": 7}
    path = f"/v1/matches/{host.post('/v1/matches', plan).json['id']}"
    for other in others:
        assert other.post(f"{path}/seats").status_code == 201
    return Table(game, players, path)


def looks(caller: Api, seeks: Seeking) -> list[bytes]:
    """What a caller sees of the match, now, in the past, in its entries and as text."""
    past = seeks.at.version - 1
    asked = [f"?as={seeks.seat}", f"?version={past}", "/legal-moves", "/board.txt", "/export"]
    asked += ["", "/events?proof=true&sentences=true", f"/board.txt?version={past}"]
    answers = [caller.get(f"{seeks.at.path}{what}") for what in asked]
    return [without_ids(seeks.at.path, one.data, one.headers["X-Request-Id"]) for one in answers]


@pytest.mark.parametrize("one", SMALLEST, ids=str)
def test_a_hand_changes_hands_with_the_seat(
    one: Any, app: Flask, annals: Annals, clock: Clock, cid: Api
) -> None:
    """Before, strangers see the same as any spectator; after, the new player sees what the leaver
    saw, and the leaver what any spectator sees: now, in the past, in streams and in pictures.
    """
    seeks = seek(app, annals, clock, one.game.key, one.seats, options=one.options)
    path, newcomer = seeks.at.path, register(app, "Dan")
    assert looks(newcomer, seeks) == looks(cid, seeks)
    known = seeks.leaver.get(path).json
    assert known["seats"][seeks.seat]["replaceable"]
    taken = newcomer.post(f"{path}/seats", {"seat": seeks.seat})
    assert taken.status_code == 201
    assert [event["type"] for event in taken.json["events"]] == ["PlayerReplaced"]
    now = newcomer.get(path).json
    assert (now["as"], now["view"]) == (seeks.seat, known["view"])
    assert not now["seats"][seeks.seat]["replaceable"]
    assert looks(seeks.leaver, seeks) == looks(cid, seeks)
    if one.game.key == "qin":
        left, strange = (everything(who, path, is_tried=False) for who in (seeks.leaver, cid))
        assert list(left) == list(strange)
    move = newcomer.get(f"{path}/legal-moves").json["moves"][0]
    assert newcomer.post(f"{path}/moves", {"move": move}).status_code == 201
    Table(one.game.key, [newcomer, *seeks.others], path).end(annals)
    assert verdict(export_bundle(cid, path))["rules"].outcome == "ok"


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_no_route_knows_the_leaver_any_longer(
    app: Flask, annals: Annals, clock: Clock, cid: Api, visibility: str
) -> None:
    """Each route answers them as it answers a stranger, repeated requests included."""
    seeks = seek(app, annals, clock, "toy", 3, visibility=visibility)
    path, newcomer = seeks.at.path, register(app, "Dan")
    move = {"move": {"type": "Pass"}}
    leaver = seeks.leaver
    leaver.put(f"{path}/plan", {"moves": [{"move": move["move"]}]})
    invitation = invitation_to(annals.matches.latest(seeks.id))
    body = {"invitation": invitation} if visibility == "private" else {}
    assert newcomer.post(f"{path}/seats", body).status_code == 201
    assert Plans(annals.store).count([seeks.id], leaver.id) == 0
    fold_lists(annals)
    version, asked = annals.store.version(seeks.id), 0
    names: Any = ((), ())  # in answers that are about the caller
    if visibility == "private":
        names = (leaver.id, f"Player {seeks.seat}"), (cid.id, "Cid")
    for method, rule in routes(app, "match_id", "series"):
        given = {"match_id": seeks.id, "series": seeks.id}
        is_page = not rule.rule.startswith("/v1/")
        if rule.rule.endswith(UNLIKE) or (is_page and visibility == "public"):
            continue
        got = [ask(one, method, rule, **given) for one in (leaver, cid)]
        texts = [shown(one, *own) for one, own in zip(got, names, strict=True)]
        assert texts[0] == texts[1], (method, rule.rule)
        asked += 1
    assert asked > 30
    assert annals.store.version(seeks.id) == version


def test_open_streams_and_repeated_requests_of_the_leaver_show_no_hand(
    app: Flask, annals: Annals, clock: Clock, cid: Api
) -> None:
    seeks = seek(app, annals, clock, "qin", 2)
    path, newcomer, leaver = seeks.at.path, register(app, "Dan"), seeks.leaver
    opened = leaver.post(f"{path}/proposal", {"kind": "end"}, Idempotency_Key="once")
    assert opened.status_code == 200
    leaver.post(f"{path}/proposal", {"kind": "end", "agree": False})
    assert newcomer.post(f"{path}/seats").status_code == 201
    repeated = leaver.post(f"{path}/proposal", {"kind": "end"}, Idempotency_Key="once")
    assert (repeated.status_code, repeated.json["code"]) == (403, "not_seated")
    version = annals.store.version(seeks.id)
    own, strange = (
        read_stream(one, f"{path}/stream?after=0&sentences=true", version) for one in (leaver, cid)
    )
    assert list(own) == list(strange)


def test_the_lobby_and_its_stream_have_the_seat_for_those_who_may_meet_the_others(
    app: Flask, annals: Annals, clock: Clock, cid: Api, nobody: Api
) -> None:
    seeks = seek(app, annals, clock, "qin", 3)
    eve = register(app, "Eve")
    assert seeks.others[0].put(f"/v1/me/blocks/{eve.id}", None).status_code == 204
    fold_lists(annals)
    listed = [
        [one["id"] for one in who.get("/v1/matches?status=replacement&game=qin").json["matches"]]
        for who in (cid, nobody, eve)
    ]
    assert listed == [[seeks.id], [seeks.id], []]
    later = cid.post("/v1/matches", {"game": "qin", "seats": [{"me": True}, {"open": True}]}).json
    fold_lists(annals)
    with listening(cid, f"{LOBBY}?after=0") as lobby, listening(eve, f"{LOBBY}?after=0") as hers:
        assert {next_update(lobby)[2]["id"] for _ in range(2)} == {seeks.id, later["id"]}
        updates = [next_update(hers)[2]["id"]]
        cid.delete(f"/v1/matches/{later['id']}")
        fold_lists(annals)
        assert [*updates, next_update(hers)[2]["id"]] == [later["id"]] * 2
    assert eve.post(f"{seeks.at.path}/seats").json["code"] == "not_found"
    assert cid.post(f"{seeks.at.path}/seats", {"nonce": "00" * 32}).json["code"] == "match_started"
    assert seeks.leaver.post(f"{seeks.at.path}/seats").json["code"] == "already_seated"
    move = seeks.leaver.get(f"{seeks.at.path}/legal-moves").json["moves"][0]
    assert seeks.leaver.post(f"{seeks.at.path}/moves", {"move": move}).status_code == 201
    fold_lists(annals)
    assert cid.get("/v1/matches?status=replacement").json["matches"] == []
    assert cid.post(f"{seeks.at.path}/seats").json["code"] == "match_started"


def test_the_leaver_loses_and_the_newcomer_can_only_gain(
    app: Flask, annals: Annals, clock: Clock
) -> None:
    seeks = seek(app, annals, clock, "qin", 3, seed=None)
    path, newcomer = seeks.at.path, register(app, "Dan")
    assert newcomer.post(f"{path}/seats").status_code == 201
    move = newcomer.get(f"{path}/legal-moves").json["moves"][0]
    assert newcomer.post(f"{path}/moves", {"move": move}).status_code == 201
    for player in (newcomer, seeks.others[0]):
        assert player.post(f"{path}/resign").status_code == 200
    seeks.at.players = [*seeks.others]
    seeks.at.end(annals)
    rate(annals, path)
    fold_lists(annals)
    [rated] = [
        event
        for entry in newcomer.get(f"{path}/events.ndjson").text.splitlines()
        for event in json.loads(entry).get("events", [])
        if event["type"] == "Rated"
    ]
    moves = {one["competitor"]: one["after"][0] - one["before"][0] for one in rated["changes"]}
    assert moves[seeks.leaver.id] < 0
    assert moves.get(newcomer.id, 0) >= 0
    store = annals.store
    reliability = read_reliability(store.redis, store.partitions, seeks.leaver.id)
    assert reliability == Reliability(1, 0)
    assert read_reliability(store.redis, store.partitions, newcomer.id) == Reliability(1, 1)


def test_sentences_of_the_past_name_the_players_of_then(
    app: Flask, annals: Annals, clock: Clock, cid: Api
) -> None:
    seeks = seek(app, annals, clock, "qin", 2)
    newcomer, path = register(app, "Dan"), seeks.at.path
    before = cid.get(f"{path}/events?sentences=true").json["events"]
    [*_, moved] = [one for one in before if one["kind"] == "Moved" and one["seat"] == seeks.seat]
    newcomer.post(f"{path}/seats")
    after = cid.get(f"{path}/events?sentences=true").json["events"]
    assert after[: len(before)] == before
    [said] = after[-1]["sentences"]
    assert said["text"].startswith("Dan takes over seat")
    match = annals.matches.latest(seeks.id)
    told = describe_entries(annals, match, annals.store.read(seeks.id), None)
    assert [one["sentences"] for one in told] == [
        [said["text"] for said in one["sentences"]] for one in after
    ]
    turn = TurningPoint(moved["version"], seeks.seat, 0.5, is_error=False)
    analysis = Analysis(seeks.id, "qin", 1, 1, 0, (), (), (), (), (), (turn,))
    [point] = list_turning_points(annals, match, analysis, "en")
    assert [one.text for one in point.sentences] == [one["text"] for one in moved["sentences"]]
