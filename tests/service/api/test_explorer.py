"""What was chosen in a position is told to all who may see it, and nothing of what is hidden."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from urllib.parse import quote

import pytest

from domain.analysis.features import DEPTH
from domain.engine.codecs import json_codec
from domain.engine.game import Game
from domain.games import GAMES
from domain.match.log import read_move
from service.matches.container import Annals
from tests.projections.explored import Stored, fold, some_matches
from tests.service.api.conftest import Api, moves, opened

EXPLORER = "/v1/analytics/explorer"
EVERY = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def address(game: str, **wanted: Any) -> str:
    """Where this is asked."""
    texts = {k: v if isinstance(v, str) else json.dumps(v) for k, v in wanted.items()}
    return f"{EXPLORER}/{game}?" + "&".join(f"{k}={quote(v)}" for k, v in texts.items())


def asked(caller: Api, game: str, **wanted: Any) -> Any:
    """What the explorer answers."""
    answer = caller.get(address(game, **wanted))
    assert answer.status_code == 200, answer.text
    return answer.json


def refused(caller: Api, game: str, **wanted: Any) -> list[tuple[str, str]]:
    """What is wrong with the query."""
    answer = caller.get(address(game, **wanted))
    assert answer.status_code == 400, answer.text
    return [(fault["parameter"], fault["detail"]) for fault in answer.json["errors"]]


def made_at(match: Stored, version: int) -> Any:
    """The move that made a version."""
    return json_codec.as_read_back(read_move(match.game, match.entries[version - 1].move))


def told(found: Any) -> list[Any]:
    """All moves that were found."""
    return [move for one in found["moves"] for move in (one["move"], *one["alike"])]


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
            found = asked(nobody, game.key, match=match.match.id, version=version - 1)
            there = [one for one in found["recent"] if one["match"] == match.match.id]
            assert [one["version"] for one in there] == [version]
            assert found["position"]["decisions"] == number
            assert found["count"] == sum(one["count"] for one in found["moves"])
            assert made_at(match, version) in told(found)


@EVERY
def test_features_are_of_the_stage_that_a_match_has_come_to(
    game: Game[Any], annals: Annals, nobody: Api
) -> None:
    [match] = some_matches(annals.store, game, count=1)
    fold(annals.store)
    seen = 0
    for point in match.match.line:
        if not point.move:
            continue
        found = asked(nobody, game.key, match=match.match.id, version=point.version - 1, limit=200)
        features, number = found["features"], seen + 1
        assert features["stage"]["first"] <= number <= features["stage"]["last"]
        kind = made_at(match, point.version)["type"]
        assert kind in [one["kind"] for one in features["kinds"]]
        assert {one["kind"] for one in features["touches"]} <= {
            one["kind"] for one in features["kinds"]
        }
        seen += 1
        assert found["position"]["kept"] == (number <= DEPTH)


def test_moves_lead_where_a_match_leads(annals: Annals, nobody: Api) -> None:
    """Whoever began, and whatever hands were dealt."""
    for key in ("qin", "tigris_euphrates"):
        match = Stored(annals.store, GAMES[key], "ann ben", match=f"m-{key.replace('_', '-')}")
        match.by_chance(Random(1), moves=4)
        decided = [point.version for point in match.match.line if point.move]
        made = [made_at(match, version) for version in decided]
        first = made[0]["seat"]
        anonymous = [{k: v for k, v in move.items() if k != "seat"} for move in made]
        options = {"first_player": f"seat:{first}"}
        for count in range(3):
            there = asked(nobody, key, moves=anonymous[:count], options=options, seats=2)
            here = asked(nobody, key, match=match.match.id, version=decided[count] - 1)
            assert there["position"]["key"] == here["position"]["key"]
            by_lot = asked(nobody, key, moves=anonymous[:count])
            assert by_lot["position"]["key"] == here["position"]["key"]


def test_where_chance_decides_how_matches_begin_a_match_is_asked_for(nobody: Api) -> None:
    for key in ("chang_cheng", "great_wall", "hansa_teutonica"):
        assert asked(nobody, key)["position"] is None
        [(parameter, detail)] = refused(nobody, key, moves=[])
        assert parameter == "moves"
        assert "The beginning is left to chance. Name a `match`" in detail
    assert asked(nobody, "qin")["position"] is not None


def test_what_is_wrong_is_told_with_what_would_be_right(
    annals: Annals, nobody: Api, ann: Api, bob: Api
) -> None:
    path = opened(ann, bob, game="qin")
    match = path.rpartition("/")[2]
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"moves": "nonsense"}, "moves", "a JSON array of moves"),
        ({"moves": '[{"a":' + "[" * 2_000}, "moves", "a JSON array of moves"),
        ({"moves": '[{"seat":0,"seat":1}]'}, "moves", "a JSON array of moves"),
        ({"options": '{"a":' * 1_200 + "1" + "}" * 1_200}, "options", "a JSON object"),
        ({"moves": [{"type": "Fly"}]}, "moves", "Move 1: "),
        ({"moves": [{"type": "PlaceTile"}]}, "moves", "`PlaceTile`"),
        ({"moves": [{}] * (DEPTH + 1)}, "moves", f"the first {DEPTH} decisions"),
        ({"options": "[]"}, "options", "a JSON object"),
        ({"options": {"board": "owl"}}, "options", "bird"),
        ({"seats": 9}, "seats", "2 to 4"),
        ({"version": 2}, "version", "Name the `match`"),
        ({"match": match, "seats": 2}, "seats", "leave one of them out"),
        ({"limit": 0}, "limit", "1"),
        ({"depth": 1}, "depth", "`match`, `version`, `moves`, `options`, `seats`, `limit`"),
    ]
    for query, parameter, detail in wrong:
        [(named, why)] = refused(nobody, "qin", **query)
        assert named == parameter
        assert detail in why
    assert refused(nobody, "chang_cheng", match=match) == [("match", "It is a match of Qin.")]
    assert nobody.get(f"{EXPLORER}/chess").status_code == 404
    assert nobody.get(address("qin", match=match, version=99)).status_code == 404
    open_match = opened(ann, game="qin").rpartition("/")[2]
    assert nobody.get(address("qin", match=open_match)).json["code"] == "match_not_started"


def test_a_private_match_is_explored_by_those_who_may_see_it(ann: Api, bob: Api, cid: Api) -> None:
    seats = [{"me": True}, {"invite": "Bob"}]
    path = opened(ann, game="qin", visibility="private", seats=seats)
    assert bob.post(f"{path}/seats").status_code == 201
    match = path.rpartition("/")[2]
    assert asked(bob, "qin", match=match)["position"]["decisions"] == 0
    assert cid.get(address("qin", match=match)).status_code == 404


def test_players_are_told_no_more_than_spectators(
    annals: Annals, ann: Api, bob: Api, nobody: Api
) -> None:
    """Not what they can choose, either: that would tell what is in their hands."""
    some_matches(annals.store, GAMES["qin"], count=4)
    fold(annals.store)
    path = opened(ann, bob, game="qin")
    match = path.rpartition("/")[2]
    answers = [asked(caller, "qin", match=match) for caller in (ann, bob, nobody)]
    assert answers[0] == answers[1] == answers[2]
    menu = moves(ann, path) or moves(bob, path)
    assert not all(move in menu for move in told(answers[0]))
