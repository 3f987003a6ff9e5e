"""The loads of the benchmarks, on the service and on the floor."""

import json
from collections import Counter

import pytest

from bench.load.http import run
from bench.load.loads import floor_load, moves_load, record_openings
from bench.load.matches import moves_of, open_matches, playing_script, sign_up
from bench.load.servers import beside, service
from bench.load.usage import each, processes
from bench.service import lag
from bench.service.listeners import listened
from tests.support.patience import PATIENCE_S
from workers.host.redis_server import embedded_redis

MATCHES, MOVES = 3, 4
KINDS = {"web", "projector", "worker", "redis", "queue"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The service as the benchmarks start it."""
    with service(tmp_path_factory.mktemp("bench"), ANNALS_BEFOREHAND="0") as server:
        yield server


@pytest.fixture(scope="module")
def floor(tmp_path_factory):
    """The floor beside it."""
    with (
        embedded_redis(tmp_path_factory.mktemp("floor")) as url,
        beside("bench.compare.baseline", url) as floor,
    ):
        yield floor


def answers(server, match_id, token, moves):
    """What is answered to each move of a match."""
    found = []

    def script():
        playing, answer = playing_script(match_id, token, moves), None
        for wire in playing:
            answer = yield wire
            found.append((answer[0], json.loads(answer[1])))

    run(server.port, [script()])
    return found


def test_every_process_of_the_service_has_its_kind(server):
    found = Counter(kind for kind, _ in processes(server.pid))
    assert found.keys() >= KINDS
    assert found["web"] >= 3  # the one that starts the others, and two that serve


def test_of_each_entry_it_is_known_how_long_the_lists_took(server):
    with lag.watched(server.events_url) as lags:
        moves_load(server, MATCHES, most=MOVES)
        lag.settled(server.events_url)
    assert len(lags) == MATCHES * (1 + MOVES)  # a match begins with one entry
    assert all(0 <= one < PATIENCE_S for one in lags)


def test_the_moves_of_matches_are_played_and_counted(server):
    timed = moves_load(server, MATCHES, most=MOVES)
    assert (len(timed.latencies), timed.failures) == (MATCHES * MOVES, [])
    assert each(timed.spent, 1)["web, voluntary switches a move"] > 0
    assert each(timed.spent, 1)["load, voluntary switches a move"] > 0


def test_the_floor_plays_them_too(floor):
    timed = floor_load(floor, MATCHES, most=MOVES)
    assert (len(timed.latencies), timed.failures) == (MATCHES * MOVES, [])


def test_the_floor_answers_what_the_service_answers(server, floor):
    token = sign_up(server.port)
    [match_id] = open_matches(server.port, token, 1)
    record_openings(floor, [match_id])
    moves = moves_of(match_id, MOVES)
    service_says = answers(server, match_id, token, moves)
    floor_says = answers(floor, match_id, "", moves)
    assert len(floor_says) == MOVES
    assert [told(*one) for one in floor_says] == [told(*one) for one in service_says]


def told(status, answer):
    """What does not depend on the player's name."""
    steps = [(one["seat"], one["step"]) for one in answer["awaiting"]]
    return status, answer["version"], answer["status"], answer["events"], steps


@pytest.mark.parametrize(("matches", "each"), [(1, 3), (3, 1)])
def test_all_who_listen_hear_of_each_move(server, matches, each):
    heard = listened(server, matches, each, 2)
    assert heard.seconds > 0
