"""Whether forced moves play themselves, over REST: for all matches and for one, and that no other
caller learns of it.
"""

from __future__ import annotations

from itertools import islice

import pytest
from flask import Flask

from service.accounts.forced_moves import CHANGES_PER_ADDRESS, CHANGES_PER_MINUTE, count_plan_change
from service.channels.account_deletion import remaining_data
from service.matches.container import Annals
from service.store.planning.plans import Plans
from tests.service.api.conftest import Api, fold_lists
from tests.service.api.seated import Table, table
from workers.jobs.plans import follow_plans

GAME = "hansa_teutonica"
HERE = "/v1/me/forced-moves"


@pytest.fixture
def at(app: Flask) -> Table:
    return table(app, GAME, 3)


def works(annals: Annals, at: Table) -> None:
    """A worker looks at the plans."""
    follow_plans(annals, annals.matches.latest(at.path.rpartition("/")[2]))


def use_actions(at: Table) -> Api:
    """Make moves until the turn can only end; the player whose turn it is."""
    while True:
        [(player, _)] = at.menus()
        moves = player.get(f"{at.path}/legal-moves").json["moves"]
        if len(moves) == 1:
            return player
        move = next(one for one in moves if one["type"] == "PlacePiece")
        assert player.post(f"{at.path}/moves", {"move": move}).status_code == 201


def test_it_is_off_until_a_player_turns_it_on(annals: Annals, at: Table) -> None:
    mover = use_actions(at)
    assert mover.get(HERE).json == {"automatic": False}
    assert mover.get(f"{at.path}/forced-moves").json == {"automatic": False, "choice": None}
    fold_lists(annals)
    before = at.version
    assert mover.put(HERE, {"automatic": True}).json == {"automatic": True}
    assert mover.get(f"{at.path}/forced-moves").json == {"automatic": True, "choice": None}
    works(annals, at)
    [last] = mover.get(f"{at.path}/events?after={before}&sentences=true").json["events"]
    assert (last["kind"], last["actor"]) == ("Moved", mover.id)
    assert last["events"][-1]["type"] == "ForcedMovePlayed"
    assert "played itself" in last["sentences"][-1]["text"]


def test_a_match_can_differ_from_the_account(annals: Annals, at: Table) -> None:
    mover = use_actions(at)
    mover.put(HERE, {"automatic": True})
    chosen = mover.put(f"{at.path}/forced-moves", {"automatic": False})
    assert chosen.json == {"automatic": False, "choice": False}
    before = at.version
    works(annals, at)
    assert at.version == before
    back = mover.put(f"{at.path}/forced-moves", {"automatic": None})
    assert back.json == {"automatic": True, "choice": None}
    works(annals, at)
    assert at.version == before + 1


def test_only_a_seated_player_chooses_and_only_until_the_end(
    annals: Annals, at: Table, cid: Api, nobody: Api
) -> None:
    path = f"{at.path}/forced-moves"
    assert cid.get(path).json["code"] == cid.put(path, {"automatic": True}).json["code"]
    assert cid.get(path).json["code"] == "not_seated"
    assert nobody.get(path).json["code"] == nobody.get(HERE).json["code"] == "unauthorized"
    for wrong in {}, {"automatic": "yes"}, {"automatic": 1}, {"automatic": True, "more": 1}:
        assert at.players[0].put(path, wrong).status_code == 400
        assert at.players[0].put(HERE, wrong).status_code == 400
    assert at.players[0].put(HERE, {"automatic": None}).status_code == 400
    at.end(annals)
    assert at.players[0].put(path, {"automatic": True}).json["code"] == "game_over"


def test_nobody_else_learns_what_a_player_has_chosen(annals: Annals, at: Table, cid: Api) -> None:
    """Every answer to others is the same, byte by byte, while no move plays itself."""
    fold_lists(annals)
    [(mover, [move, *_])] = at.menus()
    planner, *others = *(one for one in at.players if one is not mover), mover, cid
    paths = [
        at.path, f"{at.path}/events", f"{at.path}/export", f"{at.path}/lines", f"{at.path}/audit",
        f"{at.path}/stream?after=0", "/v1/matches", "/v1/me/turns", "/v1/me/stream?after=0",
        f"/v1/players/{planner.id}", f"{HERE}", f"{at.path}/plan",
    ]  # fmt: skip

    def answers() -> list[tuple[str, bytes]]:
        return [(path, read(one, path)) for one in others for path in paths]

    before = answers()
    planner.put(HERE, {"automatic": True})
    planner.put(f"{at.path}/forced-moves", {"automatic": True})
    planned = {"move": {**move, "seat": at.players.index(planner)}, "unchanged": ["/cities"]}
    assert planner.put(f"{at.path}/plan", {"moves": [planned]}).status_code == 200
    works(annals, at)
    fold_lists(annals)
    assert answers() == before


def read(who: Api, path: str) -> bytes:
    """An answer; of a stream, what follows its first beat, which has the time; of a refusal, which
    has the id of the request, its code.
    """
    with who.get(path) as answer:
        if answer.status_code >= 400:
            return str(answer.json["code"]).encode()
        if answer.mimetype != "text/event-stream":
            return answer.data
        [_, first] = islice(answer.response, 2)
        return first  # type: ignore[return-value]


def test_an_erased_account_has_no_plans(annals: Annals, at: Table) -> None:
    mover = use_actions(at)
    fold_lists(annals)
    mover.put(HERE, {"automatic": True})
    match = at.path.rpartition("/")[2]
    assert mover.id in Plans(annals.store).of_match(match)
    assert remaining_data(annals, mover.id)["matches with plans"] == 1
    name = mover.get("/v1/me").json["name"]
    assert mover.delete(f"/v1/me?name={name}").status_code == 204
    assert mover.id not in Plans(annals.store).of_match(match)
    assert "matches with plans" not in remaining_data(annals, mover.id)


def test_changes_of_plans_are_limited_for_a_player_and_for_an_address(
    annals: Annals, at: Table
) -> None:
    """By every route that makes workers look; the time of tests stands still."""
    [(ann, [move, *_])] = at.menus()
    bob = next(one for one in at.players if one is not ann)
    puts = {
        HERE: {"automatic": True},
        f"{at.path}/forced-moves": {"automatic": False},
        f"{at.path}/plan": {"moves": [{"move": move}]},
    }
    for path, body in puts.items():
        assert ann.put(path, body).status_code == 200
    redis, now = annals.store.redis, annals.now()
    for _ in range(CHANGES_PER_MINUTE - len(puts)):
        count_plan_change(redis, ann.id, "elsewhere", now)
    for path, body in puts.items():
        refused = ann.put(path, body)
        assert (refused.status_code, refused.json["code"]) == (429, "too_many_requests")
        assert 0 < int(refused.headers["Retry-After"]) <= 60
    for number in range(CHANGES_PER_ADDRESS - len(puts)):
        count_plan_change(redis, f"other {number}", "127.0.0.1", now)
    assert bob.put(HERE, {"automatic": True}).status_code == 429
    assert ann.delete(f"{at.path}/plan").status_code == 204
