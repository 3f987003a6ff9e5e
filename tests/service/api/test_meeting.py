"""Who may meet: a block cannot be found out over any route that names a player or a table, and no
other place brings the two together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from domain.match.decisions import lobby
from domain.notices import Notice
from service.accounts.invitations import invitation_to
from service.accounts.people import meeting
from service.channels.webhooks.messages.bodies import load_context
from service.live.broadcast import Viewer
from service.live.match_stream import EntryBatch
from service.matches.commands import Metadata, execute
from service.matches.container import Annals, open_annals
from service.runtime.errors import NotFound
from tests.service.api.change_feed import LOBBY, MINE, listening, next_update
from tests.service.api.conftest import BOTH, Api, fold_lists, open_table, register
from tests.service.api.test_admin import browser_of
from tests.service.api.test_forks import resign_and_score

NO_MATCH, NO_PLAYER = "aaaaaaaaaaaa", "u0123456789abcdef"
OTHERS = {
    "game": "toy", "seat": "0", "version": "1", "name": "x", "webhook": "x", "delivery": "x",
    "token": "x", "form": "svg", "room": "players", "number": "1", "report": "x",
}  # fmt: skip
"""Values of the parameters of routes beside those that name a match or a player."""
OPERATORS = "/v1/admin/"
BODIES: dict[str, Any] = {
    "moves": {"move": {"type": "Seal", "card": 1}},
    "preview": {"move": {"type": "Seal", "card": 1}},
    "preview.svg": {"move": {"type": "Seal", "card": 1}},
    "nonce": {"nonce": "00" * 32},
    "proposal": {"kind": "pause"},
    "answer": {"agree": True},
    "forks": {"version": 1},
    "<int:version>": {"text": "x"},
    "analysis": None,
}
"""Bodies by the last part of a path; an empty one for all others."""
QUERIES = {"position": "?version=1", "better.svg": "?version=1"}
OF_A_LIST = re.compile(r"/v1/me/(follows|blocks|mutes)/")


@pytest.fixture
def eve(app: Flask) -> Api:
    """A player whom Ann blocks."""
    return register(app, "Eve")


@pytest.fixture(autouse=True)
def blocked(ann: Api, eve: Api) -> None:
    assert ann.put(f"/v1/me/blocks/{eve.id}", None).status_code == 204


def shown(answer: TestResponse, *ids: str) -> tuple[int, dict[str, str], str]:
    """A whole response without what differs between any two: ids asked for, and the request."""
    headers = {
        name: text
        for name, text in answer.headers.items()
        if name not in ("X-Request-Id", "RateLimit") and not name.startswith("X-RateLimit")
    }
    text = answer.text
    for one in ids:
        text = text.replace(one, "ID")
        headers = {name: value.replace(one, "ID") for name, value in headers.items()}
    headers.pop("Content-Length", None)
    return answer.status_code, headers, re.sub(r'"(request_id|instance)":"[^"]*"', "", text)


def routes(app: Flask, *parameters: str) -> Iterator[tuple[str, Any]]:
    """Each method and rule that has one of these parameters."""
    for rule in app.url_map.iter_rules():
        if rule.arguments & set(parameters) and not rule.rule.startswith(OPERATORS):
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield method, rule


def ask(caller: Api, method: str, rule: Any, **values: str) -> TestResponse:
    known = {name: {**OTHERS, **values}.get(name, "x") for name in rule.arguments}
    path = caller.app.url_map.bind("here").build(rule.endpoint, known, method)
    last = rule.rule.rpartition("/")[2]
    if not rule.rule.startswith("/v1/"):
        return visit(caller, path)
    body = BODIES.get(last, {}) if method in ("POST", "PUT", "PATCH") else None
    return caller(method, path + QUERIES.get(last, ""), body)


def visit(caller: Api, path: str) -> TestResponse:
    """A page, as a browser with a session of the caller gets it."""
    annals: Annals = caller.app.extensions["annals"].annals
    return browser_of(caller.app, annals, caller).get(path, headers={"Accept": "text/html"})


@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("blocker_asks", [False, True])
def test_a_table_is_not_found_over_any_route(
    app: Flask, annals: Annals, ann: Api, eve: Api, visibility: str, blocker_asks: bool
) -> None:
    """As with an id that no match has: status, headers and body. It works both ways."""
    host, caller = (eve, ann) if blocker_asks else (ann, eve)
    match = open_table(host, visibility=visibility).rpartition("/")[2]
    invitation = f"?invite={invitation_to(annals.matches.latest(match))}"
    fold_lists(annals)
    found, before = 0, annals.store.version(match)
    for method, rule in routes(app, "match_id", "series"):
        hidden = ask(caller, method, rule, match_id=match, series=match)
        absent = ask(caller, method, rule, match_id=NO_MATCH, series=NO_MATCH)
        assert shown(hidden, match) == shown(absent, NO_MATCH), (method, rule.rule)
        found += hidden.status_code == 404
        hidden.close()
    assert found >= 45
    page = visit(caller, f"/matches/{match}{invitation}")
    absent = visit(caller, f"/matches/{NO_MATCH}{invitation}")
    assert shown(page, match) == shown(absent, NO_MATCH)
    assert annals.store.version(match) == before


def test_a_player_is_not_found_over_any_route(
    app: Flask, annals: Annals, ann: Api, bob: Api, eve: Api
) -> None:
    """Whoever is blocked gets what they get for an id that no player has."""
    open_table(ann, register(app, "Cid"))
    fold_lists(annals)
    asked = list(routes(app, "player", "other"))
    assert len(asked) > 15
    for method, rule in asked:
        pairs = [
            ask(eve, method, rule, player=one, other=two)
            for one, two in ((ann.id, bob.id), (NO_PLAYER, bob.id))
        ]
        hidden, absent = (shown(one, ann.id, NO_PLAYER) for one in pairs)
        assert hidden == absent, (method, rule.rule)
        if not OF_A_LIST.match(rule.rule):
            assert hidden[0] in (400, 404), rule.rule
    for path in ("/v1/players?name={}", "/v1/matches?player={}"):
        name, nothing = ("Ann", "Nobody") if "name" in path else (ann.id, NO_PLAYER)
        answers = eve.get(path.format(name)), eve.get(path.format(nothing))
        assert shown(answers[0]) == shown(answers[1]), path


def test_an_invitation_by_name_says_that_there_is_no_such_player(ann: Api, eve: Api) -> None:
    def invite(host: Api, name: str) -> TestResponse:
        seats = [{"me": True}, {"invite": name}]
        return host.post("/v1/matches", {"game": "toy", "seats": seats})

    assert shown(invite(eve, "Ann")) == shown(invite(eve, "Nobody"))
    assert shown(invite(ann, "Eve")) == shown(invite(ann, "Nobody"))
    assert invite(eve, "Ann").status_code == 400


def test_a_list_of_own_blocks_does_not_say_who_blocks_back(ann: Api, eve: Api) -> None:
    """An id that blocks back is listed like one that no player has."""
    for one in (ann.id, NO_PLAYER):
        assert eve.put(f"/v1/me/blocks/{one}", None).status_code == 204
    listed = eve.get("/v1/me/blocks").json
    assert [one["name"] for one in listed["players"]] == [None, None]
    assert ann.get("/v1/me/blocks").json["players"][0]["name"] is None  # Eve blocks back


def test_who_blocks_still_finds_whom_they_block(ann: Api, eve: Api) -> None:
    assert ann.get(f"/v1/players/{eve.id}").json["name"] == "Eve"
    assert ann.get("/v1/players?name=Eve").json["players"][0]["id"] == eve.id
    assert ann.get("/v1/me/blocks").json["players"][0]["name"] == "Eve"


def test_lists_are_as_long_as_if_the_tables_were_not_there(
    app: Flask, annals: Annals, ann: Api, eve: Api, bob: Api
) -> None:
    """Pages are full, their cursors go on, and nobody else misses anything."""
    mixed = [open_table(host) for host in (bob, ann, ann, bob, ann, bob, ann)]
    fold_lists(annals)
    bobs = [
        path.rpartition("/")[2] for path in reversed(mixed) if bob.get(path).json["host"] == bob.id
    ]
    assert len(bob.get("/v1/matches?status=open").json["matches"]) == 7
    seen, after = list[str](), ""
    while True:
        page = eve.get(f"/v1/matches?status=open&limit=2{after}").json
        seen += [one["id"] for one in page["matches"]]
        if page["next"] is None:
            break
        assert len(page["matches"]) == 2
        after = f"&after={page['next']}"
    assert sorted(seen) == sorted(bobs)
    shown_page = visit(eve, "/?status=open").text
    assert [
        one for one in re.findall(r"/matches/([a-z0-9]{12})", shown_page) if one not in bobs
    ] == []


def test_a_page_that_reads_no_further_misses_no_table(
    annals: Annals, ann: Api, eve: Api, bob: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind many hidden tables a page is short, and the next one goes on where it has ended."""
    monkeypatch.setattr("service.accounts.people.visible_lists.MAX_READS", 2)
    hosts = (bob, ann, ann, bob, ann, ann, bob, ann, ann, ann)
    tables = [open_table(host).rpartition("/")[2] for host in hosts]
    fold_lists(annals)
    seen, after = list[str](), ""
    while True:
        page = eve.get(f"/v1/matches?status=open&limit=1{after}").json
        seen += [one["id"] for one in page["matches"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    expected = [table for table, host in zip(tables, hosts, strict=True) if host is bob]
    assert sorted(seen) == sorted(expected)


def test_an_invitation_from_before_is_not_found(annals: Annals, ann: Api, bob: Api) -> None:
    seats = [{"me": True}, {"invite": "Bob"}]
    path = ann.post("/v1/matches", {"game": "toy", "seats": seats}).headers["Location"]
    fold_lists(annals)
    assert path in visit(bob, "/turns").text.replace("matches/", "/v1/matches/")
    bob.put(f"/v1/me/blocks/{ann.id}", None)
    assert bob.post(f"{path}/seats").status_code == 404
    assert bob.delete(f"{path}/invitation").status_code == 404
    assert path.rpartition("/")[2] not in visit(bob, "/turns").text
    bob.delete(f"/v1/me/blocks/{ann.id}")
    assert bob.post(f"{path}/seats").status_code == 201


def test_a_match_in_play_goes_on_and_nothing_of_it_changes(
    annals: Annals, ann: Api, bob: Api, nobody: Api
) -> None:
    path = open_table(ann, bob)
    seen = [path, f"{path}/events", f"{path}/export", f"/v1/players/{ann.id}", "/v1/matches"]
    before = [nobody.get(one).data for one in seen]
    assert bob.put(f"/v1/me/blocks/{ann.id}", None).status_code == 204
    assert [nobody.get(one).data for one in seen] == before
    for player in (ann, bob):
        assert player.get(path).status_code == 200
    mover = next(one for one in (ann, bob) if one.get(f"{path}/legal-moves").json["moves"])
    move = mover.get(f"{path}/legal-moves").json["moves"][0]
    assert mover.post(f"{path}/moves", {"move": move}).status_code == 201
    assert ann.post(f"{path}/proposal", {"kind": "end"}).status_code == 200
    agreed = bob.post(f"{path}/proposal", {"kind": "end", "agree": True})
    assert agreed.json["status"] == "aborted"


def test_a_table_where_both_sit_already_goes_on(ann: Api, bob: Api, cid: Api) -> None:
    path = f"/v1/matches/{_table(ann, 3)}"
    assert bob.post(f"{path}/seats").status_code == 201
    bob.put(f"/v1/me/blocks/{ann.id}", None)
    assert bob.get(path).status_code == 200
    assert cid.post(f"{path}/seats").json["status"] == "active"


def test_who_sits_there_counts_and_not_only_the_host(ann: Api, eve: Api, bob: Api) -> None:
    """Ann leaves again, and the table is there again."""
    path = f"/v1/matches/{_table(bob, 3)}"
    assert eve.get(path).status_code == 200
    ann.post(f"{path}/seats")
    assert eve.get(path).status_code == 404
    assert eve.post(f"{path}/seats").status_code == 404
    ann.delete(f"{path}/seats/1")
    assert eve.post(f"{path}/seats").status_code == 201


def test_a_block_between_reading_and_joining_is_seen(
    ann: Api, bob: Api, cid: Api, annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each attempt to append asks again; here another writer is faster than the first one."""
    table = _table(ann, 4)
    path, other = f"/v1/matches/{table}", open_annals(annals.settings, BOTH)
    cid.post(f"{path}/seats")
    append, blocks = annals.store.append, meeting.blocks_in(annals.store.redis)

    def block_first(*given: Any, **more: Any) -> Any:
        monkeypatch.undo()
        blocks.add(ann.id, bob.id, 0)
        execute(other, table, Metadata(), lambda match, _: lobby.leave_seat(match, cid.id, 1))
        return append(*given, **more)

    monkeypatch.setattr(annals.store, "append", block_first)
    answer = bob.post(f"{path}/seats")
    assert answer.status_code == 404
    assert bob.id not in {seat["player"] for seat in ann.get(path).json["seats"]}


def test_the_lobby_stream_does_not_show_the_tables(
    annals: Annals, ann: Api, eve: Api, bob: Api
) -> None:
    with listening(eve, LOBBY) as lobby, listening(bob, LOBBY) as everything:
        tables = [open_table(host).rpartition("/")[2] for host in (ann, bob)]
        fold_lists(annals)
        assert {next_update(everything)[2]["id"] for _ in tables} == {*tables}
        assert next_update(lobby)[2]["id"] == tables[1]
        later = open_table(bob).rpartition("/")[2]
        fold_lists(annals)
        assert next_update(lobby)[2]["id"] == later


def test_the_stream_of_a_table_ends_when_it_is_hidden(
    annals: Annals, ann: Api, eve: Api, bob: Api
) -> None:
    table = _table(bob, 3)
    for is_hidden in (False, True):
        match = annals.matches.latest(table)
        batch = EntryBatch(annals, 0, match, annals.matches.entries(match, 0, 100))
        assert batch.frame(Viewer(bob.id)) == batch.frame(Viewer(None))
        if is_hidden:
            with pytest.raises(NotFound):
                batch.frame(Viewer(eve.id))
        else:
            assert batch.frame(Viewer(eve.id)) == batch.frame(Viewer(None))
            ann.post(f"/v1/matches/{table}/seats")


def test_the_feed_of_own_matches_does_not_show_an_invitation(
    annals: Annals, ann: Api, bob: Api
) -> None:
    with listening(bob, MINE) as feed:
        bob.put(f"/v1/me/blocks/{ann.id}", None)
        seats = [{"me": True}, {"open": True}]
        path = ann.post("/v1/matches", {"game": "toy", "seats": seats}).headers["Location"]
        own = open_table(bob).rpartition("/")[2]
        fold_lists(annals)
        assert path
        assert next_update(feed)[2]["match"]["id"] == own


def test_webhooks_do_not_tell_of_the_tables(annals: Annals, ann: Api, eve: Api, bob: Api) -> None:
    table = open_table(ann).rpartition("/")[2]
    notice = Notice(1, 0, "match.created")
    assert load_context(annals, bob.id, table, notice).match.id == table
    with pytest.raises(NotFound):
        load_context(annals, eve.id, table, notice)


def test_each_of_two_players_decides_for_both(annals: Annals, ann: Api, eve: Api, bob: Api) -> None:
    redis = annals.store.redis
    assert not meeting.may_meet(redis, ann.id, eve.id)
    assert not meeting.may_meet(redis, eve.id, ann.id)
    assert meeting.may_meet(redis, ann.id, bob.id)
    assert meeting.may_meet(redis, ann.id, ann.id)


def test_a_rematch_is_refused_as_if_the_other_had_left(
    annals: Annals, ann: Api, bob: Api, app: Flask
) -> None:
    other = register(app, "Gone")
    matches = [open_table(ann, who) for who in (bob, other)]
    for path, who in zip(matches, (bob, other), strict=True):
        resign_and_score(path, who, annals)
    bob.put(f"/v1/me/blocks/{ann.id}", None)
    assert other.delete("/v1/me?name=Gone").status_code == 204
    blocked, gone = (ann.post(f"{path}/rematch") for path in matches)
    assert shown(blocked) == shown(gone)
    assert blocked.json["code"] == "no_rematch"


def test_an_offer_from_before_is_refused_too(annals: Annals, ann: Api, bob: Api) -> None:
    path = open_table(ann, bob)
    resign_and_score(path, bob, annals)
    assert ann.post(f"{path}/rematch").status_code == 201
    ann.put(f"/v1/me/blocks/{bob.id}", None)
    assert bob.post(f"{path}/rematch").json["code"] == "no_rematch"
    assert visit(bob, f"/matches/{path.rpartition('/')[2]}").status_code == 200


def _table(host: Api, seats: int) -> str:
    body = {"game": "qin", "seats": [{"me": True}, *({"open": True} for _ in range(seats - 1))]}
    found: str = host.post("/v1/matches", body).json["id"]
    return found
