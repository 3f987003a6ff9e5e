"""The explorer shows the choices in a position to all who may see it, and nothing hidden."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from urllib.parse import quote

import pytest

from domain.analysis.features import MAX_KEYED_DECISIONS
from domain.engine.codecs import json_codec
from domain.engine.game import Game
from domain.games import GAMES
from domain.match.log import read_move
from service.matches.container import Annals
from tests.projections.explored import StoredMatch, fold, some_matches
from tests.service.api.conftest import Api, moves, open_table

EXPLORER = "/v1/analytics/explorer"
EVERY = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def address(game: str, **wanted: Any) -> str:
    """The address of this query."""
    texts = {k: v if isinstance(v, str) else json.dumps(v) for k, v in wanted.items()}
    return f"{EXPLORER}/{game}?" + "&".join(f"{k}={quote(v)}" for k, v in texts.items())


def explore(caller: Api, game: str, **wanted: Any) -> Any:
    """The answer of the explorer."""
    answer = caller.get(address(game, **wanted))
    assert answer.status_code == 200, answer.text
    return answer.json


def explore_errors(caller: Api, game: str, **wanted: Any) -> list[tuple[str, str]]:
    """The errors of the query."""
    answer = caller.get(address(game, **wanted))
    assert answer.status_code == 400, answer.text
    return [(fault["parameter"], fault["detail"]) for fault in answer.json["errors"]]


def move_at(match: StoredMatch, version: int) -> Any:
    """The move that made a version."""
    return json_codec.json_round_trip(read_move(match.game, match.entries[version - 1].move))


def all_moves(found: Any) -> list[Any]:
    """All moves that the explorer found."""
    return [move for one in found["moves"] for move in (one["move"], *one["equivalent"])]


@EVERY
def test_each_decision_of_a_match_is_found_again(
    game: Game[Any], annals: Annals, nobody: Api
) -> None:
    matches = some_matches(annals.store, game, count=3)
    fold(annals.store)
    for match in matches:
        first = next(point.version for point in match.match.line if point.move)
        for number in range(3):
            version = first + number
            found = explore(nobody, game.key, match=match.match.id, version=version - 1)
            there = [one for one in found["recent"] if one["match"] == match.match.id]
            assert [one["version"] for one in there] == [version]
            assert found["position"]["decisions"] == number
            assert found["count"] == sum(one["count"] for one in found["moves"])
            assert move_at(match, version) in all_moves(found)


@EVERY
def test_features_belong_to_the_stage_of_the_match(
    game: Game[Any], annals: Annals, nobody: Api
) -> None:
    [match] = some_matches(annals.store, game, count=1)
    fold(annals.store)
    seen = 0
    for point in match.match.line:
        if not point.move:
            continue
        found = explore(
            nobody, game.key, match=match.match.id, version=point.version - 1, limit=200
        )
        features, number = found["features"], seen + 1
        assert features["stage"]["first"] <= number <= features["stage"]["last"]
        kind = move_at(match, point.version)["type"]
        assert kind in [one["kind"] for one in features["kinds"]]
        assert {one["kind"] for one in features["touches"]} <= {
            one["kind"] for one in features["kinds"]
        }
        seen += 1
        assert found["position"]["recorded"] == (number <= MAX_KEYED_DECISIONS)


def test_moves_lead_where_a_match_leads(annals: Annals, nobody: Api) -> None:
    """The hands and the starting player do not matter."""
    for key in ("qin", "tigris_euphrates"):
        match = StoredMatch(annals.store, GAMES[key], "ann ben", match=f"m-{key.replace('_', '-')}")
        match.by_chance(Random(1), moves=4)
        decided = [point.version for point in match.match.line if point.move]
        made = [move_at(match, version) for version in decided]
        first = made[0]["seat"]
        anonymous = [{k: v for k, v in move.items() if k != "seat"} for move in made]
        options = {"first_player": f"seat:{first}"}
        for count in range(3):
            there = explore(nobody, key, moves=anonymous[:count], options=options, seats=2)
            here = explore(nobody, key, match=match.match.id, version=decided[count] - 1)
            assert there["position"]["key"] == here["position"]["key"]
            by_lot = explore(nobody, key, moves=anonymous[:count])
            assert by_lot["position"]["key"] == here["position"]["key"]


def test_games_with_random_starts_need_a_match(nobody: Api) -> None:
    for key in ("chang_cheng", "great_wall", "hansa_teutonica"):
        assert explore(nobody, key)["position"] is None
        [(parameter, detail)] = explore_errors(nobody, key, moves=[])
        assert parameter == "moves"
        assert "The start of the game depends on chance. Name a `match`" in detail
    assert explore(nobody, "qin")["position"] is not None


def test_an_invalid_query_lists_the_valid_values(
    annals: Annals, nobody: Api, ann: Api, bob: Api
) -> None:
    path = open_table(ann, bob, game="qin")
    match = path.rpartition("/")[2]
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"moves": "nonsense"}, "moves", "a JSON array of moves"),
        ({"moves": '[{"a":' + "[" * 2_000}, "moves", "a JSON array of moves"),
        ({"moves": '[{"seat":0,"seat":1}]'}, "moves", "a JSON array of moves"),
        ({"options": '{"a":' * 1_200 + "1" + "}" * 1_200}, "options", "a JSON object"),
        ({"moves": [{"type": "Fly"}]}, "moves", "Move 1: "),
        ({"moves": [{"type": "PlaceTile"}]}, "moves", "`PlaceTile`"),
        (
            {"moves": [{}] * (MAX_KEYED_DECISIONS + 1)},
            "moves",
            f"the first {MAX_KEYED_DECISIONS} decisions",
        ),
        ({"options": "[]"}, "options", "a JSON object"),
        ({"options": {"board": "owl"}}, "options", "bird"),
        ({"seats": 9}, "seats", "2 to 4"),
        ({"version": 2}, "version", "`version` needs `match`"),
        ({"match": match, "seats": 2}, "seats", "not both"),
        ({"limit": 0}, "limit", "1"),
        ({"depth": 1}, "depth", "`match`, `version`, `moves`, `options`, `seats`, `limit`"),
    ]
    for query, parameter, detail in wrong:
        [(named, why)] = explore_errors(nobody, "qin", **query)
        assert named == parameter
        assert detail in why
    assert explore_errors(nobody, "chang_cheng", match=match) == [
        ("match", "This is a match of Qin.")
    ]
    assert nobody.get(f"{EXPLORER}/chess").status_code == 404
    assert nobody.get(address("qin", match=match, version=99)).status_code == 404
    open_match = open_table(ann, game="qin").rpartition("/")[2]
    assert nobody.get(address("qin", match=open_match)).json["code"] == "match_not_started"


def test_only_its_players_explore_a_private_match(ann: Api, bob: Api, cid: Api) -> None:
    seats = [{"me": True}, {"invite": "Bob"}]
    path = open_table(ann, game="qin", visibility="private", seats=seats)
    assert bob.post(f"{path}/seats").status_code == 201
    match = path.rpartition("/")[2]
    assert explore(bob, "qin", match=match)["position"]["decisions"] == 0
    assert cid.get(address("qin", match=match)).status_code == 404


def test_players_see_no_more_than_spectators(
    annals: Annals, ann: Api, bob: Api, nobody: Api
) -> None:
    """Nor does it list their legal moves, which would reveal their hands."""
    some_matches(annals.store, GAMES["qin"], count=4)
    fold(annals.store)
    path = open_table(ann, bob, game="qin")
    match = path.rpartition("/")[2]
    answers = [explore(caller, "qin", match=match) for caller in (ann, bob, nobody)]
    assert answers[0] == answers[1] == answers[2]
    menu = moves(ann, path) or moves(bob, path)
    assert not all(move in menu for move in all_moves(answers[0]))
