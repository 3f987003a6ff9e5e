"""Playing again over REST: one table for all who touch it, and nobody else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from domain.audit.replay_decisions import matches_decision
from domain.audit.texts import content_of
from domain.match.decisions import lobby, rematch
from domain.match.errors import Forbidden, TooEarly
from projections.lists.matches import find_invitations
from service.channels.account_deletion import delete_account
from service.matches import commands
from service.matches.commands import Metadata, execute
from service.matches.container import Annals
from tests.service.api.bundles import export_bundle, verdict, wrong_steps
from tests.service.api.conftest import Api, Clock, fold_lists, open_table, system
from tests.service.api.test_forks import resign_and_score
from tests.support.apps import app_over

DAY_MS = 86_400_000
NONCE = "ab" * 32


@pytest.fixture
def over(ann: Api, bob: Api, annals: Annals) -> str:
    """The address of a match that Bob has lost."""
    return finish(open_table(ann, bob, undo="off", clock={"per_move_s": 60}), bob, annals)


def finish(path: str, loser: Api, annals: Annals) -> str:
    """End a match and score it."""
    resign_and_score(path, loser, annals)
    return path


def again(player: Api, path: str, body: Any = None) -> Any:
    """The next match, after a player has touched "Play again"."""
    answer = player.post(f"{path}/rematch", body)
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"/v1/matches/{answer.json['id']}"
    return answer.json


def code(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


def kinds(annals: Annals, path: str) -> list[str]:
    return [entry.kind for entry in annals.store.read(path.rpartition("/")[2])]


def test_it_starts_when_both_have_agreed_and_the_matches_link_to_each_other(
    over: str, ann: Api, bob: Api, annals: Annals
) -> None:
    table = again(ann, over, {"nonce": NONCE})
    before = ann.get(over).json
    assert (table["status"], table["host"], table["previous_match"]) == (
        "open", ann.id, before["id"],
    )  # fmt: skip
    for term in ("options", "undo", "clock", "on_timeout", "visibility"):
        assert table[term] == before[term]
    assert [(seat["player"], seat["invited"]) for seat in table["seats"]] == [
        (None, bob.id), (ann.id, ann.id),
    ]  # fmt: skip
    fold_lists(annals)
    [listed] = bob.get("/v1/matches?status=open").json["matches"]
    assert (listed["id"], listed["previous_match"]) == (table["id"], before["id"])
    store = annals.store
    [invited] = find_invitations(store.redis, store.partitions, bob.id)
    assert invited.id == table["id"]
    started = again(bob, over)
    assert (started["id"], started["status"]) == (table["id"], "active")
    assert started["seats"][1]["nonce"] == NONCE
    assert ann.get(over).json["next_match"] == table["id"]
    assert again(ann, over)["id"] == again(bob, over)["id"] == table["id"]
    assert kinds(annals, over)[-2:] == ["RematchOffered", "Continued"]
    assert kinds(annals, table["id"]) == ["Created", "SeatTaken", "SeatTaken"]


def test_totals_show_in_each_match_after_the_first(
    over: str, ann: Api, bob: Api, annals: Annals
) -> None:
    assert ann.get(over).json["totals"] is None
    again(ann, over)
    path = f"/v1/matches/{again(bob, over)['id']}"
    assert ann.get(path).json["totals"] == {"played": 1, "won": [0, 1]}
    finish(path, ann, annals)
    assert ann.get(path).json["totals"] == {"played": 2, "won": [1, 1]}


def test_a_match_against_bots_starts_at_once(ann: Api, annals: Annals) -> None:
    seats = [{"me": True}, {"bot": "easy"}]
    path = f"/v1/matches/{ann.post('/v1/matches', {'game': 'toy', 'seats': seats}).json['id']}"
    table = again(ann, finish(path, ann, annals))
    assert (table["status"], table["totals"]) == ("active", {"played": 1, "won": [1, 0]})
    assert [seat["bot"] for seat in table["seats"]] == ["easy", None]


def test_a_table_that_a_player_declined_or_closed_gives_way_to_another(
    over: str, ann: Api, bob: Api
) -> None:
    first, second = again(ann, over)["id"], None
    assert bob.delete(f"/v1/matches/{first}/invitation").status_code == 200
    closed = bob.get(f"/v1/matches/{first}").json
    assert (closed["status"], closed["seats"][0]["declined"]) == ("aborted", bob.id)
    second = again(bob, over)["id"]
    assert second != first
    assert ann.post(f"/v1/matches/{second}/start").json["code"] == "not_the_host"
    assert code(bob.post(f"/v1/matches/{second}/start")) == (409, "waiting_for_players")
    assert bob.delete(f"/v1/matches/{second}").status_code == 200
    third = again(ann, over)["id"]
    assert ann.get(over).json["next_match"] == third
    ann.delete(f"/v1/matches/{third}")
    assert code(ann.post(f"{over}/rematch")) == (409, "no_rematch")


def test_it_waits_seven_days(over: str, ann: Api, bob: Api, clock: Clock, annals: Annals) -> None:
    path = f"/v1/matches/{again(ann, over)['id']}"
    clock.ms += 7 * DAY_MS - 1
    with pytest.raises(TooEarly):
        system(annals, path, lobby.abort)
    clock.ms += 1
    system(annals, path, lobby.abort)
    assert ann.get(path).json["status"] == "aborted"


def test_only_players_of_a_finished_match_can_play_it_again(
    over: str, toy: str, ann: Api, bob: Api, cid: Api, nobody: Api
) -> None:
    assert code(cid.post(f"{over}/rematch")) == (403, "not_seated")
    assert code(nobody.post(f"{over}/rematch")) == (401, "unauthorized")
    assert code(ann.post(f"{toy}/rematch")) == (409, "no_rematch")
    table = again(ann, over)["id"]
    assert code(cid.post(f"{over}/rematch")) == (403, "not_seated")
    assert code(cid.post(f"/v1/matches/{table}/seats")) == (409, "seat_taken")
    read = ann.post("/v1/me/tokens", {"name": "agrees", "scopes": ["read", "play"]}).json["token"]
    assert Api(ann.app, read).post(f"{over}/rematch").json["id"] == table
    ann.delete(f"/v1/matches/{table}")
    assert code(Api(ann.app, read).post(f"{over}/rematch")) == (403, "insufficient_scope")


def test_nobody_else_learns_of_a_private_one(ann: Api, bob: Api, cid: Api, annals: Annals) -> None:
    plan = {"game": "toy", "visibility": "private", "seats": [
        {"me": True}, {"invite": bob.get("/v1/me").json["name"]},
    ]}  # fmt: skip
    path = f"/v1/matches/{ann.post('/v1/matches', plan).json['id']}"
    bob.post(f"{path}/seats")
    table = again(bob, finish(path, bob, annals))
    assert (table["visibility"], table["unrated"]) == ("private", "private")
    for where in (path, f"/v1/matches/{table['id']}"):
        assert cid.get(where).status_code == 404
        assert cid.post(f"{where}/rematch").status_code == 404
    assert ann.get(f"/v1/matches/{table['id']}").status_code == 200


def test_who_is_banned_or_has_left_the_service_plays_no_more(
    over: str, ann: Api, bob: Api, annals: Annals
) -> None:
    annals.players.ban(bob.id, "abuse")
    assert code(ann.post(f"{over}/rematch")) == (409, "no_rematch")
    annals.players.ban(bob.id, None)
    table = f"/v1/matches/{again(ann, over)['id']}"
    fold_lists(annals)
    player = annals.players.by_id(bob.id)
    assert player
    delete_account(annals, player, wait_s=0)
    assert ann.get(table).json["status"] == "aborted"
    assert code(ann.post(f"{over}/rematch")) == (409, "no_rematch")
    assert kinds(annals, over).count("RematchOffered") == 1


def test_it_counts_as_a_table_of_its_host(over: str, ann: Api, bob: Api, annals: Annals) -> None:
    fold_lists(annals)
    few = app_over(replace(annals, settings=replace(annals.settings, max_tables=1)))
    host, guest = Api(few, ann.token), Api(few, bob.token)
    open_table(host)
    fold_lists(annals)
    assert code(host.post(f"{over}/rematch")) == (409, "too_many_tables")
    assert kinds(annals, over)[-1] == "Scored"
    table = again(guest, over)
    assert again(host, over)["id"] == table["id"], "to agree opens no table"


@pytest.mark.parametrize("killed", ["offered", "opened", "linked"])
def test_a_process_that_is_killed_leaves_one_table_for_all(
    killed: str, over: str, ann: Api, bob: Api, annals: Annals, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, by_ann = over.rpartition("/")[2], Metadata(ann.id)
    execute(annals, match, by_ann, lambda match, now: rematch.offer(match, ann.id, None))
    if killed == "opened":
        with monkeypatch.context() as patched:
            patched.setattr(commands, "execute", _die)
            with pytest.raises(SystemExit):
                commands.open_next(annals, match)
    if killed == "linked":
        commands.open_next(annals, match)
    table = again(bob, over)["id"]
    assert again(ann, over)["status"] == "active"
    assert ann.get(over).json["next_match"] == table
    assert kinds(annals, over)[-2:] == ["RematchOffered", "Continued"]
    commands.open_next(annals, match)
    assert kinds(annals, over)[-1] == "Continued"


def _die(*_: object) -> None:
    raise SystemExit


def test_of_two_who_offer_at_the_same_time_both_come_to_one_table(
    over: str, ann: Api, bob: Api, annals: Annals
) -> None:
    seen = annals.matches.latest(over.rpartition("/")[2])
    table = again(ann, over)["id"]
    late = commands._offer_rematch(annals, seen, Metadata(bob.id))
    assert late.id == table
    assert kinds(annals, over).count("RematchOffered") == 1


def test_an_auditor_decides_offers_and_links_again(
    ann: Api, bob: Api, over: str, annals: Annals
) -> None:
    table = f"/v1/matches/{again(ann, over)['id']}"
    again(bob, over)
    finish(table, ann, annals)
    for path in (over, table):
        assert wrong_steps(verdict(export_bundle(ann, path))) == set()
    match = annals.matches.latest(over.rpartition("/")[2])
    offered = annals.store.read(match.id)[-2]
    before, content = (
        annals.matches.at(match.id, match.version - 2),
        content_of(match.game, offered),
    )
    assert matches_decision(before, offered, content)
    with pytest.raises(Forbidden):
        matches_decision(before, msgspec.structs.replace(offered, actor="u0"), content)


def test_a_stale_version_offers_nothing(over: str, ann: Api, annals: Annals) -> None:
    assert code(ann.post(f"{over}/rematch", If_Match='"1"')) == (412, "stale_version")
    assert kinds(annals, over)[-1] == "Scored"
