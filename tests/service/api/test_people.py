"""The lists of followed and blocked players: private, bounded, the same after a repeated request,
and erased with either account.
"""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from flask import Flask

from service.accounts.people import meeting
from service.channels.account_deletion import delete_account, remaining_data
from service.matches.container import Annals
from tests.service.api.conftest import Api, Clock, fold_lists, open_table, register

LISTS = ("follows", "blocks")


def put(caller: Api, name: str, other: str) -> Any:
    return caller.put(f"/v1/me/{name}/{other}", None)


def ids(caller: Api, name: str) -> list[str]:
    return [one["id"] for one in caller.get(f"/v1/me/{name}").json["players"]]


@pytest.mark.parametrize("name", LISTS)
def test_a_player_is_added_once_and_removed_once(
    ann: Api, bob: Api, cid: Api, clock: Clock, name: str
) -> None:
    assert put(ann, name, bob.id).status_code == 204
    first = ann.get(f"/v1/me/{name}").json
    clock.ms += 60_000
    assert put(ann, name, bob.id).status_code == 204
    assert ann.get(f"/v1/me/{name}").json == first
    assert first["players"][0] == {
        "id": bob.id, "name": "Bob", "since": "2023-11-14T22:13:20.000Z", "presence": None,
    }  # fmt: skip
    assert (first["count"], first["max"], first["next"]) == (1, 500, None)
    put(ann, name, cid.id)
    assert ids(ann, name) == [cid.id, bob.id]
    for _ in range(2):
        assert ann.delete(f"/v1/me/{name}/{bob.id}").status_code == 204
    assert ids(ann, name) == [cid.id]


@pytest.mark.parametrize("name", LISTS)
def test_nobody_else_reads_a_list(ann: Api, bob: Api, nobody: Api, name: str) -> None:
    before = [bob.get(path).data for path in ("/v1/me", f"/v1/players/{ann.id}")]
    put(ann, name, bob.id)
    assert ids(bob, name) == []
    assert nobody.get(f"/v1/me/{name}").json["code"] == "unauthorized"
    now = [bob.get(path).data for path in ("/v1/me", f"/v1/players/{ann.id}")]
    assert now[0] == before[0]
    assert (now[1] == before[1]) == (name == "follows")


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("other", ["bot:li_mu", "Bob", "u0", "me"])
def test_only_ids_of_other_players_are_taken(ann: Api, name: str, other: str) -> None:
    assert put(ann, name, ann.id if other == "me" else other).json["code"] == "not_found"
    assert ids(ann, name) == []


def test_only_players_who_can_be_found_are_followed(ann: Api, bob: Api) -> None:
    assert put(ann, "follows", "u0123456789abcdef").status_code == 404
    put(bob, "blocks", ann.id)
    assert put(ann, "follows", bob.id).status_code == 404
    assert ids(ann, "follows") == []


def test_a_block_ends_following_both_ways(ann: Api, bob: Api) -> None:
    put(ann, "follows", bob.id)
    put(bob, "follows", ann.id)
    put(bob, "blocks", ann.id)
    assert ids(ann, "follows") == ids(bob, "follows") == []


def test_a_block_during_a_request_to_follow_wins(
    ann: Api, bob: Api, annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of the two writes first."""
    redis = annals.store.redis
    add = meeting.PlayerList.add

    def add_then_block(self: Any, player: str, other: str, now: int) -> None:
        add(self, player, other, now)
        monkeypatch.undo()
        meeting.block(redis, bob.id, ann.id, 0)

    monkeypatch.setattr(meeting.PlayerList, "add", add_then_block)
    assert put(ann, "follows", bob.id).status_code == 404
    assert ids(ann, "follows") == []


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_bounded(ann: Api, bob: Api, cid: Api, annals: Annals, name: str) -> None:
    """A full list takes no other player; those in it stay and can be repeated."""
    people = getattr(meeting, f"{name}_in")(annals.store.redis)
    for number in range(people.max_players - 1):
        people.add(ann.id, f"u{number:016x}", number)
    assert put(ann, name, bob.id).status_code == 204
    refused = put(ann, name, cid.id)
    assert (refused.status_code, refused.json["code"]) == (409, "too_many_people")
    assert put(ann, name, bob.id).status_code == 204
    assert people.count(ann.id) == people.max_players
    assert people.count_reverse(cid.id) == 0


@pytest.mark.parametrize("name", LISTS)
def test_pages_have_every_player_once(ann: Api, annals: Annals, name: str) -> None:
    """Also those who were added in the same millisecond."""
    people = getattr(meeting, f"{name}_in")(annals.store.redis)
    for number in range(25):
        people.add(ann.id, f"u{number:016x}", number // 10)
    seen, after = list[str](), ""
    while True:
        page = ann.get(f"/v1/me/{name}?limit=10{after}").json
        seen += [one["id"] for one in page["players"]]
        if page["next"] is None:
            break
        people.remove(ann.id, seen[-1])  # the last one of a page may leave meanwhile
        after = f"&after={page['next']}"
    assert len(seen) == len(set(seen)) == 25
    assert ann.get(f"/v1/me/{name}?after=x").json["code"] == "bad_cursor"


@pytest.mark.parametrize("who", ["ann", "bob"])
def test_the_end_of_an_account_ends_both_sides(
    ann: Api, bob: Api, annals: Annals, who: str
) -> None:
    for name in LISTS:
        put(ann, name, bob.id)
    meeting.follows_in(annals.store.redis).add(ann.id, bob.id, 0)  # a block has removed it
    gone = {"ann": ann, "bob": bob}[who]
    known = [one for one in remaining_data(annals, gone.id) if "follow" in one or "block" in one]
    assert len(known) == 2
    player = annals.players.by_id(gone.id)
    assert player
    delete_account(annals, player, wait_s=0)
    assert not [
        key
        for name in ("follows", "followed-by", "blocks", "blocked-by")
        for key in annals.store.redis.scan_iter(f"player:*:{name}")
    ]
    assert remaining_data(annals, gone.id) == {}


def test_ten_thousand_who_block_one_player_cost_them_little(
    app: Flask, ann: Api, bob: Api, annals: Annals
) -> None:
    """The lobby asks about the players it shows, however many there are elsewhere."""
    redis = annals.store.redis
    with redis.pipeline(transaction=False) as pipe:
        for number in range(10_000):
            pipe.sadd(meeting.blocks_in(redis).reverse_key(ann.id), f"u{number:016x}")
            pipe.sadd(meeting.follows_in(redis).reverse_key(ann.id), f"u{number:016x}")
        pipe.execute()
    register(app, "Dan")

    def cost(caller: Api) -> float:
        begun = process_time()
        for _ in range(20):
            assert caller.get("/v1/matches?status=open").status_code == 200
        return process_time() - begun

    cost(ann), cost(bob)
    costs = sorted(cost(ann) / cost(bob) for _ in range(5))
    assert costs[2] < 3
    player = annals.players.by_id(ann.id)
    assert player
    delete_account(annals, player, wait_s=0)
    assert not redis.exists(meeting.blocks_in(redis).reverse_key(ann.id))


def test_followers_see_who_is_here_if_they_show_it(
    ann: Api, bob: Api, cid: Api, annals: Annals, clock: Clock
) -> None:
    def seen() -> Any:
        [one] = ann.get("/v1/me/follows").json["players"]
        return one["presence"] and one["presence"]["state"]

    put(ann, "follows", bob.id)
    assert bob.get("/v1/me/presence").json == {"shown": False}
    assert seen() is None
    assert bob.put("/v1/me/presence", {"shown": True}).json == {"shown": True}
    assert seen() == "online"
    alone = {"game": "qin", "seats": [{"me": True}, {"bot": "li_mu"}], "visibility": "private"}
    assert bob.post("/v1/matches", alone).json["status"] == "active"
    fold_lists(annals)
    assert seen() == "online", "a private match stays private"
    open_table(bob, cid)
    fold_lists(annals)
    assert seen() == "playing"
    clock.ms += 6 * 60_000
    assert seen() == "away"
    put(ann, "blocks", bob.id)
    assert ann.get("/v1/me/blocks").json["players"][0]["presence"] is None
    assert bob.put("/v1/me/presence", {"shown": False}).json == {"shown": False}
    assert not annals.store.redis.exists("presence")


def test_when_someone_was_here_is_erased_with_their_account(bob: Api, annals: Annals) -> None:
    bob.put("/v1/me/presence", {"shown": True})
    player = annals.players.by_id(bob.id)
    assert player
    assert "when they were last seen" in remaining_data(annals, bob.id)
    delete_account(annals, player, wait_s=0)
    assert not annals.store.redis.exists("presence")
