"""No leaks: change what a caller may not know, and every channel answers the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from flask import Flask
from prometheus_client import generate_latest

from domain.engine.dice import Luck
from domain.engine.game import seats_to_move
from service.matches.container import Annals
from tests.engine.table import new_game
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


@pytest.mark.parametrize("seed", DEALS)
@pytest.mark.parametrize("game", ["qin", "toy"])
def test_the_hand_of_another_seat_is_seen_nowhere(
    game: str, seed: int, ann: Api, bob: Api, cid: Api, nobody: Api
) -> None:
    one, two = two_matches(game, seed, ann, bob)
    for caller in (ann, cid, nobody):
        assert list(everything(caller, one)) == list(everything(caller, two))
    assert list(everything(bob, one)) != list(everything(bob, two))


@pytest.mark.parametrize(
    ("game", "seats", "seed", "before"),
    [
        pytest.param("qin", 2, 26, 35, marks=pytest.mark.long),
        ("qin", 3, 18, 36),
        ("toy", 2, 1, 0),
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
    nothing_differs(pair, viewers, list(faults.values()))
    for move in pair.moves:
        same_answers(pair, players[move.seat], "moves", {"move": plain(move)}, move.seat == 0)
    again = list(illegal_moves(BOTH[game], pair.ends[0]).values())
    nothing_differs(pair, [*viewers, eve], again, points=True)
    one, two = pair.paths
    assert list(everything(bob, one)) != list(everything(bob, two))
    same_answers(pair, ann, "undo", None)
    nothing_differs(pair, viewers)
    for other in players[1:]:
        same_answers(pair, other, "undo/answer", {"agree": True}, compared=False)
    nothing_differs(pair, viewers)
    same_answers(pair, ann, "redo", None)
    same_answers(pair, bob, "undo/answer", {"agree": False}, compared=False)
    nothing_differs(pair, viewers)
    for caller in (*viewers, eve):
        assert list(read_lists(caller, one, annals)) == list(read_lists(caller, two, annals))
    metrics = generate_latest().decode()
    assert not any(path.rpartition("/")[2] in metrics for path in pair.paths)


def nothing_differs(
    pair: Twins, viewers: Sequence[Api], wrong: Sequence[Any] = (), points: bool = False
) -> None:
    """No answer to these viewers differs between the two matches."""
    one, two = pair.paths
    for caller in viewers:
        mine = wrong if caller.id else ()
        first = list(everything(caller, one, mine, points))
        assert first == list(everything(caller, two, mine, points))


def same_answers(pair: Twins, player: Api, what: str, body: Any, compared: bool = True) -> None:
    """A player does the same in both matches, and gets the same answers."""
    answers = [player.post(f"{path}/{what}", body) for path in pair.paths]
    assert all(answer.status_code < 300 for answer in answers), answers[0].text
    if compared:
        one, two = (
            without_ids(path, answer.data) for path, answer in zip(pair.paths, answers, strict=True)
        )
        assert one == two


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sealed_choice_is_seen_nowhere(
    seed: int, ann: Api, bob: Api, cid: Api, nobody: Api
) -> None:
    one, two = two_matches("toy", seed, ann, bob)
    for path in (one, two):
        answer = bob.post(f"{path}/moves", {"move": moves(bob, path)[0]})
        assert answer.json["events"][0]["card"] is not None
    for caller in (ann, cid, nobody):
        assert list(everything(caller, one)) == list(everything(caller, two))
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
