"""Tables: the limit per host, closing them, and opening one twice with the same key."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from domain.match.decisions import ending, playing
from projections.lists.matches import count_bots_only, count_hosted
from service.accounts import client_networks
from service.accounts.client_networks import (
    delete_network,
    find_shared_networks,
    network_bucket,
    network_of,
    players_sharing_networks,
    record_shared_network,
)
from service.channels.account_deletion import (
    LEFT_UNTIL_THE_END,
    SHARED_NETWORKS,
    delete_account,
    remaining_data,
)
from service.matches.container import Annals
from tests.service.api.conftest import (
    SEED,
    Api,
    Clock,
    fold_lists,
    open_table,
    play_on,
    read_everything,
    register,
    system,
)
from tests.support.apps import app_over

PLAN: dict[str, Any] = {"game": "toy", "seats": [{"me": True}, {"open": True}]}


@pytest.fixture
def strict(annals: Annals) -> Flask:
    """The app with a limit of two tables per host."""
    return app_over(replace(annals, settings=replace(annals.settings, max_tables=2)))


def test_the_tables_of_a_host_are_limited(strict: Flask, annals: Annals) -> None:
    host, other = register(strict, "Host"), register(strict, "Other")
    paths = [open_table(host), open_table(host, other)]
    fold_lists(annals)
    before = list(read_everything(annals))
    refused = host.post("/v1/matches", PLAN)
    assert (refused.status_code, refused.json["code"]) == (409, "too_many_tables")
    assert list(read_everything(annals)) == before
    assert other.post("/v1/matches", PLAN).status_code == 201
    play_on(paths[1], host, other)
    fold_lists(annals)
    assert host.post("/v1/matches", PLAN).status_code == 201
    fold_lists(annals)
    assert host.delete(paths[0]).status_code == 200
    fold_lists(annals)
    assert host.post("/v1/matches", PLAN).status_code == 201


def test_matches_with_only_bots_are_limited_per_host(annals: Annals) -> None:
    few = replace(annals.settings, max_bot_tables=2)
    host = register(app_over(replace(annals, settings=few)), "Host")
    bots = {"game": "toy", "seats": [{"bot": "easy"}, {"bot": "easy"}]}
    with_me = {"game": "toy", "seats": [{"me": True}, {"bot": "easy"}]}
    host.post("/v1/matches", with_me)
    paths = [f"/v1/matches/{host.post('/v1/matches', bots).json['id']}" for _ in range(2)]
    fold_lists(annals)
    before = list(read_everything(annals))
    for plan in (bots, with_me):
        refused = host.post("/v1/matches", plan)
        assert (refused.status_code, refused.json["code"]) == (409, "too_many_bot_tables")
    assert list(read_everything(annals)) == before
    table = open_toy_match(host, {"seats": PLAN["seats"]})
    assert_no_start(host, table)
    assert host.delete(paths[0]).status_code == 200
    fold_lists(annals)
    assert host.post("/v1/matches", bots).status_code == 201
    fold_lists(annals)
    assert_no_start(host, table)
    assert host.delete(paths[1]).status_code == 200
    fold_lists(annals)
    assert host.post(f"{table}/start").status_code == 200


def assert_no_start(host: Api, table: str) -> None:
    """Check that the host cannot start this table, since bots would take its free seats."""
    refused = host.post(f"{table}/start")
    assert (refused.status_code, refused.json["code"]) == (409, "too_many_bot_tables")
    assert host.get(table).json["status"] == "open"


def test_tables_started_with_only_bots_are_limited(annals: Annals) -> None:
    few = replace(annals.settings, max_bot_tables=2)
    host = register(app_over(replace(annals, settings=few)), "Host")
    tables = [open_toy_match(host, {"seats": [{"open": True}] * 2}) for _ in range(4)]
    started = []
    for table in tables:
        started.append(host.post(f"{table}/start").status_code)
        fold_lists(annals)
    assert started == [200, 200, 409, 409]


def test_a_caller_who_may_not_start_a_table_learns_nothing_of_its_hosts_bots(
    annals: Annals,
) -> None:
    few = replace(annals.settings, max_bot_tables=1)
    app = app_over(replace(annals, settings=few))
    host, other = register(app, "Host"), register(app, "Other")
    open_toy_match(host, {"seats": [{"bot": "easy"}, {"bot": "easy"}]})
    table = open_toy_match(host, {"seats": PLAN["seats"]})
    fold_lists(annals)
    assert other.post(f"{table}/start").json["code"] == "not_the_host"


def test_a_match_that_bots_play_on_counts_as_theirs(ann: Api, annals: Annals, clock: Clock) -> None:
    plan = {"seats": [{"me": True}, {"bot": "easy"}], "clock": {"per_move_s": 1}}
    path = open_toy_match(ann, plan)
    fold_lists(annals)
    store = annals.store
    assert count_bots_only(store.redis, store.partitions, ann.id) == 0
    clock.ms += 1_000
    system(annals, path, playing.time_out)
    fold_lists(annals)
    assert count_bots_only(store.redis, store.partitions, ann.id) == 1
    assert ann.delete(path).json["code"] == "match_has_players"
    ann.post(f"{path}/resign")
    assert ann.get(path).json["status"] == "ended"
    fold_lists(annals)
    assert count_bots_only(store.redis, store.partitions, ann.id) == 0


def test_the_network_of_a_host_is_recorded_and_shown_to_no_caller(ann: Api, annals: Annals) -> None:
    redis = annals.store.redis
    open_table(ann)
    assert network_of(redis, ann.id) == network_bucket("127.0.0.1")
    assert 0 < redis.ttl(f"network:{ann.id}") <= 7 * 86_400
    assert {int(network_bucket(f"1.1.1.{n}")) for n in range(256)} < set(range(1 << 16))


def test_it_is_remembered_with_a_match_that_its_players_share_a_network(
    ann: Api, bob: Api, annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_networks, "_is_public", lambda address: address is not None)
    path = open_table(ann, bob)
    for player in (ann, bob):
        delete_network(annals.store.redis, player.id)  # as after a week
    match = annals.matches.latest(path.rpartition("/")[2])
    assert players_sharing_networks(annals.store.redis, match) == {ann.id, bob.id}
    assert find_shared_networks(annals.store.redis, [match.id, "other"]) == [match.id]
    system(annals, path, lambda match, now: ending.close(match, "abuse"))
    assert not find_shared_networks(annals.store.redis, [match.id])


def test_erasing_a_player_deletes_what_is_left_of_networks_in_their_finished_matches(
    ann: Api, bob: Api, annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_networks, "_is_public", lambda address: address is not None)
    paths = open_table(ann, bob), open_table(ann, bob)
    over, running = (annals.matches.latest(path.rpartition("/")[2]) for path in paths)
    system(annals, paths[0], lambda match, now: ending.close(match, "abuse"))
    record_shared_network(annals.store.redis, over)  # as an interrupted write leaves it
    fold_lists(annals)
    assert remaining_data(annals, ann.id)[SHARED_NETWORKS] == 2
    if player := annals.players.by_id(ann.id):
        delete_account(annals, player)
    assert remaining_data(annals, ann.id).keys() == LEFT_UNTIL_THE_END
    assert find_shared_networks(annals.store.redis, [over.id, running.id]) == [running.id]


def open_toy_match(host: Api, plan: dict[str, Any]) -> str:
    """The address of a match of the toy game."""
    return f"/v1/matches/{host.post('/v1/matches', {'game': 'toy', **plan}).json['id']}"


def test_a_repeated_opening_gets_its_table_though_the_host_is_at_the_limit(
    strict: Flask, annals: Annals
) -> None:
    host = register(strict, "Host")
    first = host.post("/v1/matches", PLAN, Idempotency_Key="k")
    open_table(host)
    fold_lists(annals)
    again = host.post("/v1/matches", PLAN, Idempotency_Key="k")
    assert (again.status_code, again.data) == (201, first.data)


def test_without_a_cap_tables_are_not_counted(annals: Annals) -> None:
    host = register(
        app_over(replace(annals, settings=replace(annals.settings, max_tables=0))), "Host"
    )
    for _ in range(3):
        open_table(host)
        fold_lists(annals)


def test_tables_are_counted_in_one_round_trip(ann: Api, bob: Api, annals: Annals) -> None:
    open_table(ann)
    path = open_table(ann, bob)
    fold_lists(annals)
    store = annals.store
    assert count_hosted(store.redis, store.partitions, ann.id) == 2
    assert count_hosted(store.redis, store.partitions, bob.id) == 0
    play_on(path, ann, bob)
    system(annals, path, lambda match, now: ending.score(match))
    fold_lists(annals)
    assert count_hosted(store.redis, store.partitions, ann.id) == 1


def test_the_host_closes_an_open_table_without_sitting_at_it(ann: Api, bob: Api) -> None:
    plan = {"game": "toy", "seats": [{"open": True}, {"open": True}]}
    path = f"/v1/matches/{ann.post('/v1/matches', plan).json['id']}"
    assert bob.delete(path).json["code"] == "not_the_host"
    closed = ann.delete(path, If_Match='"1"', Idempotency_Key="k")
    assert closed.status_code == 200
    assert closed.json["status"] == "aborted"
    [event] = closed.json["events"]
    seed = ann.get(path).json["seed"]
    assert event == {"type": "Aborted", "reason": "closed", "seed": seed, "note": None}
    assert ann.delete(path, Idempotency_Key="k").headers["Idempotency-Replayed"] == "true"
    assert ann.delete(path).json["code"] == "match_aborted"
    assert bob.post(f"{path}/seats").json["code"] == "match_aborted"


def test_a_match_in_play_is_not_closed(toy: str, ann: Api, nobody: Api) -> None:
    assert ann.delete(toy).json["code"] == "match_has_players"
    assert nobody.delete(toy).status_code == 401


def test_only_the_host_closes_a_match_of_bots(ann: Api, bob: Api) -> None:
    plan = {"game": "toy", "seats": [{"bot": "easy"}, {"bot": "crafty"}]}
    path = f"/v1/matches/{ann.post('/v1/matches', plan).json['id']}"
    assert ann.get(path).json["status"] == "active"
    assert bob.delete(path).json["code"] == "not_the_host"
    closed = ann.delete(path, Idempotency_Key="k")
    assert [event["reason"] for event in closed.json["events"]] == ["closed"]
    assert (ann.get(path).json["status"], ann.get(path).json["awaiting"]) == ("aborted", [])
    assert ann.delete(path, Idempotency_Key="k").headers["Idempotency-Replayed"] == "true"


def test_a_key_opens_one_table_for_ever(ann: Api, bob: Api, annals: Annals) -> None:
    first = ann.post("/v1/matches", PLAN, Idempotency_Key="k")
    bob.post(f"/v1/matches/{first.json['id']}/seats")
    before = list(read_everything(annals))
    again = ann.post("/v1/matches", PLAN, Idempotency_Key="k")
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    for change in ({"undo": "off"}, {"seed": SEED}, {"game": "qin"}, {"options": {"rounds": 1}}):
        other = ann.post("/v1/matches", {**PLAN, **change}, Idempotency_Key="k")
        assert (other.status_code, other.json["code"]) == (422, "key_reused")
    assert list(read_everything(annals)) == before


@pytest.mark.parametrize("seed", [SEED, "02" * 32])
def test_a_key_opens_the_table_with_the_seed_it_came_with(ann: Api, seed: str) -> None:
    ann.post("/v1/matches", {**PLAN, "seed": SEED}, Idempotency_Key="k")
    again = ann.post("/v1/matches", {**PLAN, "seed": seed}, Idempotency_Key="k")
    assert again.status_code == (201 if seed == SEED else 422)
