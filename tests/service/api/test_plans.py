"""Moves planned ahead, over REST."""

from __future__ import annotations

import pytest
from flask import Flask

from service.http.schemas.plans import MAX_MOVE_BYTES, MAX_MOVES
from service.matches.container import Annals
from service.store.planning.plans import Plans
from tests.service.api.conftest import Api, fold_lists
from tests.service.api.seated import Table, table
from workers.jobs.plans import follow_plans

NONE = {"moves": [], "dropped": None}


@pytest.fixture
def at(app: Flask) -> Table:
    return table(app, "toy", 2)


@pytest.fixture
def path(at: Table) -> str:
    return f"{at.path}/plan"


def works(annals: Annals, at: Table) -> None:
    """A worker looks at the plans, until they have nothing to do."""
    version = 0
    while version != at.version:
        version = at.version
        follow_plans(annals, annals.matches.latest(at.path.rpartition("/")[2]))


def first_move(at: Table, player: Api) -> dict[str, object]:
    move: dict[str, object] = player.get(f"{at.path}/legal-moves").json["moves"][0]
    return move


def test_a_planned_move_is_made_and_is_an_entry_as_any_other(
    annals: Annals, at: Table, path: str
) -> None:
    ann = at.players[0]
    assert ann.get(path).json == NONE
    move, before = first_move(at, ann), at.version
    planned = {"moves": [{"move": move, "unchanged": ["/round", "/points/0"]}], "dropped": None}
    assert ann.put(path, {"moves": planned["moves"]}).json == ann.get(path).json == planned
    works(annals, at)
    [last] = ann.get(f"{at.path}/events?after={before}").json["events"]
    assert (last["kind"], last["actor"], last["move"]) == ("Moved", ann.id, move)
    assert ann.get(path).json == NONE


def test_a_plan_can_be_replaced_and_removed_and_forced_moves_stay(at: Table, path: str) -> None:
    ann, move = at.players[0], first_move(at, at.players[0])
    ann.put(f"{at.path}/forced-moves", {"automatic": True})
    ann.put(path, {"moves": [{"move": move}]})
    ann.put(path, {"moves": [{"move": move, "unchanged": ["/round"]}, {"move": move}]})
    assert [one["unchanged"] for one in ann.get(path).json["moves"]] == [["/round"], []]
    ann.put(f"{at.path}/forced-moves", {"automatic": None})
    assert len(ann.get(path).json["moves"]) == 2
    assert [ann.delete(path).status_code for _ in range(2)] == [204, 204]
    assert ann.get(path).json == NONE


def test_another_move_drops_a_plan_at_once(at: Table, path: str) -> None:
    ann = at.players[0]
    moves = ann.get(f"{at.path}/legal-moves").json["moves"]
    ann.put(path, {"moves": [{"move": moves[0]}]})
    ann.post(f"{at.path}/moves", {"move": moves[-1]})
    found = ann.get(path).json
    assert (found["moves"], found["dropped"]["reason"]) == ([], "moved")
    assert found["dropped"]["at"] == ann.get(at.path).json["updated_at"]


def test_what_cannot_be_planned_is_refused_and_says_where(at: Table, path: str) -> None:
    ann, move = at.players[0], first_move(at, at.players[0])
    long = {"move": move, "unchanged": ["/" + MAX_MOVE_BYTES * "a"]}
    wrong = {
        "#/moves/1/unchanged/1": [{"move": move}, {"move": move, "unchanged": ["", "/hand/0"]}],
        "#/moves/0/move/card": [{"move": {**move, "card": "x"}}],
        "#/moves/0": [long],
        "#/moves/0/unchanged": [{"move": move, "unchanged": ["/round"] * 21}],
        "#/moves": [{"move": move}] * (MAX_MOVES + 1),
    }
    for pointer, moves in wrong.items():
        answer = ann.put(path, {"moves": moves})
        found = [one["pointer"] for one in answer.json["errors"]]
        assert (answer.status_code, answer.json["code"], found) == (400, "invalid", [pointer])
    other = {"moves": [{"move": {**move, "seat": 1}}]}
    assert ann.put(path, other).json["code"] == "not_your_seat"
    assert ann.get(path).json == NONE
    stale = ann.put(path, {"moves": [{"move": move}]}, If_Match='"1"')
    assert (stale.status_code, stale.json["code"]) == (412, "stale_version")


def test_a_worker_looks_only_at_a_plan_with_a_move_to_make(
    annals: Annals, at: Table, path: str
) -> None:
    """The request finds out the rest, in the turn of its address, unless the match moves on."""
    (ann, bob), match = at.players, at.path.rpartition("/")[2]
    plans, move = Plans(annals.store), first_move(at, at.players[0])
    bob.put(path, {"moves": [{"move": {**move, "seat": 1}}]})
    ann.put(f"{at.path}/forced-moves", {"automatic": True})
    assert plans.due(match) is None
    wrong = ann.put(path, {"moves": [{"move": {**move, "card": 99}}]}).json
    assert (wrong["moves"], wrong["dropped"]["reason"]) == ([], "illegal")
    assert (plans.due(match), ann.get(path).json) == (None, wrong)
    plans.change(match, ann.id, lambda plan: plan, 7, at.version - 1)
    assert plans.due(match) == 7
    ann.put(path, {"moves": [{"move": move}]})
    assert plans.due(match) == annals.now()


def test_only_a_seated_player_plans_and_only_until_the_end(
    annals: Annals, at: Table, path: str, cid: Api, nobody: Api
) -> None:
    plan = {"moves": [{"move": first_move(at, at.players[0])}]}
    assert {cid.get(path).json["code"], cid.put(path, plan).json["code"]} == {"not_seated"}
    assert nobody.get(path).json["code"] == "unauthorized"
    assert at.players[0].put(path, plan).status_code == 200
    at.end(annals)
    works(annals, at)
    assert at.players[0].put(path, plan).json["code"] == "game_over"
    assert at.players[0].get(path).json == NONE


def test_an_erased_account_has_no_planned_moves(annals: Annals, at: Table, path: str) -> None:
    ann = at.players[0]
    ann.put(path, {"moves": [{"move": first_move(at, ann)}]})
    fold_lists(annals)
    assert ann.delete(f"/v1/me?name={ann.get('/v1/me').json['name']}").status_code == 204
    assert not [*annals.store.redis.scan_iter("*:plans:*")]
