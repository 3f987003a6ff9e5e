"""The loads of the benchmarks, on the service and on the baseline."""

import json
import time
from collections import Counter

import pytest

from bench.attacks import attackers, by_players, listed
from bench.attacks.table import LONG_MATCH, MAIL, store_long_match
from bench.load.http import run
from bench.load.loads import baseline_load, moves_load, record_openings
from bench.load.matches import open_matches, playing_script, random_moves, sign_up
from bench.load.receiver import is_slow
from bench.load.servers import run_beside, run_service
from bench.load.usage import process_kinds, usage_per_move
from bench.service import lag, subscribers
from tests.support.mail_server import mail_server
from tests.support.patience import PATIENCE_S
from tests.support.ports import free_port
from workers.host.redis.server import run_redis

MATCHES, MOVES = 3, 4
KINDS = {"web", "projector", "worker", "redis", "queue"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The service as the benchmarks start it, which sends mail."""
    with mail_server() as (_, port):
        settings = {**MAIL, "ANNALS_SMTP_PORT": str(port), "ANNALS_WARM_UP": "0"}
        with run_service(tmp_path_factory.mktemp("bench"), **settings) as server:
            yield server


@pytest.fixture(scope="module")
def baseline(tmp_path_factory):
    """The baseline on the Redis of the service."""
    with (
        run_redis(tmp_path_factory.mktemp("baseline")) as url,
        run_beside("bench.compare.baseline", url) as baseline,
    ):
        yield baseline


def responses(server, match_id, token, moves):
    """The responses to the moves of a match."""
    found = []

    def script():
        playing, answer = playing_script(match_id, token, moves), None
        for wire in playing:
            answer = yield wire
            found.append((answer[0], json.loads(answer[1])))

    run(server.port, [script()])
    return found


def test_all_moves_of_a_load_are_counted_with_their_lags_and_usage(server):
    with lag.measure_lags(server.events_url) as lags:
        timed = moves_load(server, MATCHES, max_moves=MOVES)
        lag.wait_until_folded(server.events_url)
    assert len(lags) == MATCHES * (1 + MOVES)  # each match starts with one entry
    assert all(0 <= one < PATIENCE_S for one in lags)
    assert (len(timed.latencies), timed.failures) == (MATCHES * MOVES, [])
    assert usage_per_move(timed.usage, 1)["web, voluntary switches per move"] > 0
    assert usage_per_move(timed.usage, 1)["load, voluntary switches per move"] > 0
    found = Counter(kind for kind, _ in process_kinds(server.pid))
    assert found.keys() >= KINDS
    assert found["web"] == 2


@pytest.mark.long
def test_the_baseline_plays_the_same_moves_and_responds_like_the_service(server, baseline):
    timed = baseline_load(baseline, MATCHES, max_moves=MOVES)
    assert (len(timed.latencies), timed.failures) == (MATCHES * MOVES, [])
    token = sign_up(server.port)
    [match_id] = open_matches(server.port, token, 1)
    record_openings(baseline, [match_id])
    moves = random_moves(match_id, MOVES)
    service_says = responses(server, match_id, token, moves)
    floor_says = responses(baseline, match_id, "", moves)
    assert len(floor_says) == MOVES
    assert [comparable(*one) for one in floor_says] == [comparable(*one) for one in service_says]


def comparable(status, answer):
    """The parts of a response that do not depend on the player's name."""
    steps = [(one["seat"], one["step"]) for one in answer["awaiting"]]
    return status, answer["version"], answer["status"], answer["events"], steps


def test_all_subscribers_receive_each_move(server, monkeypatch):
    monkeypatch.setattr(subscribers, "CLOSING_S", 0)
    heard = subscribers.measure_subscribers(server, matches=2, each=2, events=2)
    assert heard.seconds > 0


@pytest.mark.long
def test_attacks_are_answered_and_end(server, monkeypatch):
    """Given the attacks of the table, then the service does not refuse what they request first, and
    those that write what players say, plan and keep, or read slowly, end in time.
    """
    monkeypatch.setattr(attackers, "SLOW_READERS", 5)
    monkeypatch.setattr(by_players, "ACCOUNTS", 2)
    for name in ("ACCOUNTS", "WEBHOOK_ACCOUNTS"):
        monkeypatch.setattr(listed, name, 2)
    store_long_match(server, 30)
    [match] = open_matches(server.port, sign_up(server.port), 1)
    attacks = listed.list_attacks(server.port, free_port(), LONG_MATCH, match)
    loads = {one.name: one.load for one in attacks}
    assert len(loads) == len(attacks)
    for name in ("messages at the innocent's match", "plans", "votes", "notes", "5 slow readers"):
        loads[name](server.port, attackers.ELSEWHERE, time.monotonic() + 0.05)


def test_slow_receivers_are_slow_at_each_of_their_addresses():
    assert [is_slow(path) for path in ("/slow", "/slow?1", "/quick?1")] == [True, True, False]
