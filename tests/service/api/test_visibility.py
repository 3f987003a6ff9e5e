"""No leaks: change what a caller may not know, and every channel answers the same bytes. That the
contract describes these is asked of one of the two answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from flask import Flask
from prometheus_client import generate_latest

from domain.engine.dice import Luck
from domain.engine.game import Game, seats_to_move
from domain.games import GAMES
from domain.match.visibility import hides_something
from service.matches.container import Annals
from tests.engine.table import new_game
from tests.games.record import is_start
from tests.service.api.alike import (
    Twins,
    everything,
    illegal_moves,
    in_the_middle,
    plain,
    read_lists,
    twins,
    without_ids,
)
from tests.service.api.conftest import BOTH, SEED, Api, moves, open_table, register
from tests.service.api.contract import contract, resolve

ONE = "/v1/matches/{match_id}"
SECRETIVE = [key for key, game in GAMES.items() if hides_something(game)]
VALUES = {
    "after": ["1"],
    "before": ["1"],
    "as": ["0", "1", "spectator"],
    "board": ["false"],
    "form": ["strip"],
    "language": ["zh-Hant"],
    "leaf": ["0"],
    "limit": ["1"],
    "match": ["abcdefghijkl"],
    "min_version": ["1"],
    "names": ["false"],
    "proof": ["true"],
    "sentences": ["true"],
    "shape": ["tall"],
    "theme": ["dark"],
    "touch": ["true"],
    "version": ["1", "2"],
    "wait": ["0"],
    "width": ["320"],
}
"""By parameter of a query, values to ask with."""
SEEDS = range(3)
DEALS = [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in SEEDS[1:])]


def two_matches(game: str, seed: int, ann: Api, bob: Api) -> tuple[str, str]:
    """Two matches that start with positions which seat 0 cannot distinguish."""
    rules = BOTH[game]
    state: Any = new_game(rules, 2, Luck(seed))
    other = rules.imagine(state, 0, Luck(seed + 100))
    one, two = rules.write_position(state), rules.write_position(other)
    assert one != two
    return (
        open_table(ann, bob, game=game, position=one),
        open_table(ann, bob, game=game, position=two),
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", ["qin", "toy"])
def test_the_hand_of_another_seat_is_seen_nowhere(
    game: str, seed: int, ann: Api, bob: Api, cid: Api, nobody: Api
) -> None:
    one, two = two_matches(game, seed, ann, bob)
    for caller in (ann, cid, nobody):
        assert list(everything(caller, one)) == list(everything(caller.unchecked(), two))
    assert list(everything(bob, one)) != list(everything(bob, two))


@pytest.mark.parametrize("game", SECRETIVE)
def test_no_address_of_a_match_shows_what_others_hold(
    game: str, ann: Api, bob: Api, cid: Api
) -> None:
    """Each address of the contract with each of its parameters, so that a new one is asked too. The
    routes know no game, so spectators ask in one; what they see of each, the checks of the game
    compare.
    """
    one, two = (
        open_table(ann, bob, game=game, position=position)
        for position in find_like_positions(GAMES[game])
    )
    for caller in (ann, cid) if game == SECRETIVE[0] else (ann,):
        asked = dict(ask_everywhere(caller, one))
        assert asked == dict(ask_everywhere(caller.unchecked(), two))
    assert bob.get(one).json["view"] != bob.get(two).json["view"]


def find_like_positions(game: Game[Any]) -> list[Any]:
    """Two positions some moves after the start in which seat 0 has to move, and cannot distinguish
    them.
    """
    setup = game.setup(game.options(), 2)
    for seed, length in product(range(20), range(2, 40)):
        state = in_the_middle(game, 2, seed, length)
        states = state, game.imagine(state.copy(), 0, Luck(seed))
        found = [game.write_position(one) for one in states]
        if (
            0 in seats_to_move(state)
            and found[0] != found[1]
            and all(is_start(game, setup, one, 2) for one in states)
        ):
            return found
    raise AssertionError("There are no such positions.")


def ask_everywhere(caller: Api, path: str) -> Iterator[tuple[str, object]]:
    """By address below a match, the answer to a caller, without ids and hashes."""
    for template, item in contract()["paths"].items():
        if not template.startswith(ONE) or "get" not in item or template.endswith("/stream"):
            continue
        names = [resolve(one) for one in item["get"]["parameters"]]
        queries = [
            f"?{one['name']}={value}"
            for one in names
            if one["in"] == "query"
            for value in VALUES[one["name"]]
        ]
        for query in ("", *queries):
            address = template.replace(ONE, path).replace("{room}", "players")
            answer = caller.get(address + query)
            text = without_ids(path, answer.data, answer.headers["X-Request-Id"])
            yield template + query, (answer.status_code, answer.headers.get("ETag"), text)


@pytest.mark.parametrize(
    ("game", "seats", "seed", "before"),
    [
        pytest.param("qin", 2, 26, 35, marks=pytest.mark.long),
        ("qin", 3, 18, 36),
        pytest.param("toy", 2, 1, 0, marks=pytest.mark.long),
        ("toy", 3, 1, 0),
    ],
)
def test_what_others_hold_and_draw_is_seen_nowhere_however_long_one_plays(
    game: str, seats: int, seed: int, before: int, ann: Api, bob: Api, app: Flask, annals: Annals
) -> None:
    players = [ann, bob, register(app, "Dan")][:seats]
    start = in_the_middle(BOTH[game], seats, seed, before)
    faults = illegal_moves(BOTH[game], start)
    assert len(faults) == (8 if game == "qin" else 0), "every rule about placing a tile"
    pair = twins(BOTH[game], start, players, seats + 2)
    viewers, eve = [ann, Api(app)], register(app, "Eve")
    for move in pair.moves:
        same_answers(pair, players[move.seat], "moves", {"move": plain(move)}, move.seat == 0)
    again = list(illegal_moves(BOTH[game], pair.ends[0]).values())
    nothing_differs(pair, [*viewers, eve], again, points=True)
    one, two = pair.paths
    assert list(everything(bob, one)) != list(everything(bob, two))
    same_answers(pair, ann, "undo", None)
    nothing_differs(pair, viewers, is_tried=False)  # the same table as before
    for other in players[1:]:
        same_answers(pair, other, "undo/answer", {"agree": True}, compared=False)
    nothing_differs(pair, viewers, is_tried=False)
    same_answers(pair, ann, "redo", None)
    same_answers(pair, bob, "undo/answer", {"agree": False}, compared=False)
    nothing_differs(pair, viewers, is_tried=False)  # likewise
    for caller in (*viewers, eve):
        assert list(read_lists(caller, one, annals)) == list(read_lists(caller, two, annals))
    metrics = generate_latest().decode()
    assert not any(path.rpartition("/")[2] in metrics for path in pair.paths)


def nothing_differs(
    pair: Twins,
    viewers: Sequence[Api],
    wrong: Sequence[Any] = (),
    points: bool = False,
    is_tried: bool = True,
) -> None:
    """No answer to these viewers differs between the two matches."""
    one, two = pair.paths
    for caller in viewers:
        mine = wrong if caller.id else ()
        first = list(everything(caller, one, mine, points, is_tried))
        assert first == list(everything(caller.unchecked(), two, mine, points, is_tried))


def same_answers(pair: Twins, player: Api, what: str, body: Any, compared: bool = True) -> None:
    """A player does the same in both matches, and gets the same answers."""
    answers = [player.post(f"{path}/{what}", body) for path in pair.paths]
    assert all(answer.status_code < 300 for answer in answers), answers[0].text
    if compared:
        one, two = (
            without_ids(path, answer.data) for path, answer in zip(pair.paths, answers, strict=True)
        )
        assert one == two


@pytest.mark.parametrize("seed", DEALS)
def test_a_sealed_choice_is_seen_nowhere(
    seed: int, ann: Api, bob: Api, cid: Api, nobody: Api
) -> None:
    one, two = two_matches("toy", seed, ann, bob)
    for path in (one, two):
        answer = bob.post(f"{path}/moves", {"move": moves(bob, path)[0]})
        assert answer.json["events"][0]["card"] is not None
    for caller in (ann, cid, nobody):
        assert list(everything(caller, one)) == list(everything(caller.unchecked(), two))
    assert ann.get(f"{one}/events?after=2").json["events"][0]["move"] is None


def test_no_answer_reveals_the_seed_before_the_end(qin: str, ann: Api, nobody: Api) -> None:
    for caller in (ann, nobody):
        assert all(SEED.encode() not in part for part in everything(caller, qin))
        assert caller.get(qin).json["seed"] is None


def test_a_player_with_both_seats_sees_as_the_one_that_decides(ann: Api) -> None:
    plan = {"game": "qin", "seats": [{"me": True}, {"me": True}]}
    path = f"/v1/matches/{ann.post('/v1/matches', plan).json['id']}"
    [seat] = [who["seat"] for who in ann.get(path).json["awaiting"]]
    assert ann.get(path).json["as"] == seat
    assert ann.get(f"{path}?as={1 - seat}").json["code"] == "not_your_view"
    assert ann.get(f"{path}?as={seat}").status_code == 200


def test_the_compared_positions_wait_for_a_seat() -> None:
    assert all(
        seats_to_move(new_game(game, 2, Luck(seed))) for game in BOTH.values() for seed in SEEDS
    )
