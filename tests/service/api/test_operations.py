"""Operation: health, metrics, logs, limits, other origins, the documentation page."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen
from threading import current_thread
from typing import Any

import pytest
from flask import Flask
from prometheus_client import generate_latest
from redis import Redis
from structlog.testing import capture_logs

from service.admin.health import HealthReader
from service.admin.samples import Sample, take_sample
from service.channels.discord.follow_up_jobs import FollowUpJob, FollowUpQueue
from service.http.middleware import NOT_ADMITTED_KEY
from service.live import backlog
from service.live.backlog import MAX_WAIT_S
from service.live.exposition import ProcessMetrics, RedisMetrics
from service.matches.container import Annals, open_annals
from service.runtime import event_loop
from service.runtime.errors import TooManyRequests
from service.runtime.settings import Settings
from service.store.redis_client import connect
from tests.service.api.conftest import Api, Clock, fold_lists, moves
from tests.service.api.contract import WRITTEN, resolve
from tests.support.apps import app_over
from workers.dispatch.delivery_work import DeliveryDispatcher


def change_settings(annals: Annals, **settings: Any) -> Annals:
    return replace(annals, settings=replace(annals.settings, **settings))


@pytest.fixture
def cache_clock(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which the backlog is cached, too."""
    monkeypatch.setattr(backlog, "monotonic", lambda: clock.ms / 1000)
    return clock


def test_it_lives_and_is_ready(toy: str, nobody: Api, annals: Annals, cache_clock: Clock) -> None:
    assert nobody.get("/healthz").json == {"status": "ok"}
    ready = nobody.get("/readyz")
    assert ready.json["projections"]["matches"]["lag"] == 2
    assert (ready.status_code, ready.json["waiting_s"], ready.json["forwarded"]) == (200, 0, 0)
    fold_lists(annals)
    cache_clock.ms += 1_000 * backlog.BACKLOG_CACHE_S - 1
    assert nobody.get("/readyz").json == ready.json
    cache_clock.ms += 1
    proxied = nobody.get("/readyz", **{"X-Forwarded-For": "203.0.113.7, 192.0.2.1"})
    assert proxied.json["projections"]["matches"]["lag"] == 0
    assert proxied.json["forwarded"] == 2


def test_it_is_behind_once_an_entry_has_waited_too_long(
    toy: str, nobody: Api, annals: Annals, cache_clock: Clock
) -> None:
    cache_clock.ms += 1_000 * MAX_WAIT_S
    assert nobody.get("/readyz").status_code == 200
    cache_clock.ms += 1_000
    late = nobody.get("/readyz")
    assert (late.status_code, late.json["status"]) == (503, "behind")
    assert late.json["waiting_s"] == MAX_WAIT_S + 1
    fold_lists(annals)
    cache_clock.ms += 1_000
    assert nobody.get("/readyz").json["status"] == "ok"


@pytest.mark.slow
def test_without_redis_it_says_so_and_asks_to_come_again(
    toy: str, ann: Api, annals: Annals
) -> None:
    gone = connect("unix:///nowhere/redis.sock")
    annals.store.redis = annals.store.rows._redis = gone
    assert ann.get("/healthz").status_code == 200
    assert (ann.get("/readyz").status_code, ann.get("/readyz").json["redis"]) == (503, False)
    for answer in (
        ann.get(toy),
        ann.get("/v1/matches"),
        ann.post(f"{toy}/resign"),
    ):
        assert (answer.status_code, answer.json["code"]) == (503, "store_unavailable")
        assert answer.headers["Retry-After"] == "1"


def test_metrics_for_prometheus(toy: str, ann: Api, annals: Annals, redis_client: Redis) -> None:
    redis_client.rpush("rq:queue:bots", "job")
    ann.get(toy)
    metrics = generate_latest(RedisMetrics(annals)).decode()
    assert 'annals_queue_length{queue="bots"} 1.0' in metrics
    assert 'annals_projection_lag{partition="0",projection="matches"}' in metrics
    metrics = generate_latest().decode()
    assert "annals_streams_open 0.0" in metrics
    route = 'route="/v1/matches/<match_id:match_id>"'
    assert f'annals_http_request_seconds_count{{method="GET",{route},status="200"}}' in metrics


def test_pending_deliveries_are_counted_as_long_as_they_wait(
    ann: Api, annals: Annals, redis_client: Redis
) -> None:
    hook = ann.post("/v1/webhooks", {"url": "https://example.com"}).json["id"]
    assert "annals_webhooks_due 0.0" in generate_latest(RedisMetrics(annals)).decode()
    ann.post(f"/v1/webhooks/{hook}/ping")
    DeliveryDispatcher(annals.store, redis_client).dispatch_due(annals.now())
    FollowUpQueue(redis_client).enqueue(FollowUpJob("m", "token"))
    metrics = generate_latest(RedisMetrics(annals)).decode()
    assert "annals_webhooks_due 1.0" in metrics
    for queue in ("webhooks", "discord"):
        assert f'annals_queue_length{{queue="{queue}"}} 1.0' in metrics


def test_recorded_and_refused_commands_are_counted(toy: str, ann: Api) -> None:
    before = read_counters()
    ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]})
    ann.post(f"{toy}/moves", {"move": {"type": "Seal", "card": 1}})
    after = read_counters()
    assert (
        after['annals_entries_total{kind="Moved"}']
        == before.get('annals_entries_total{kind="Moved"}', 0) + 1
    )
    refused = 'annals_refusals_total{code="not_your_turn"}'
    assert after[refused] == before.get(refused, 0) + 1


def test_decisions_made_again_are_counted(toy: str, ann: Api, bob: Api, annals: Annals) -> None:
    elsewhere = Api(app_over(replace(open_annals(annals.settings, annals.games))), bob.token)
    move = {"move": moves(bob, toy)[0]}  # both have version 2 now
    before = read_counters()
    ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]})
    elsewhere.get(toy)
    ann.post(f"{toy}/undo")
    assert elsewhere.post(f"{toy}/moves", move).status_code == 201
    assert (
        read_counters()["annals_version_conflicts_total"] > before["annals_version_conflicts_total"]
    )


def read_counters() -> dict[str, float]:
    """The counters of this process, by name and labels."""
    lines = generate_latest().decode().splitlines()
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in lines if not line.startswith("#"))
    }


def test_one_line_in_the_log_for_each_request(toy: str, ann: Api) -> None:
    with capture_logs() as lines:
        ann.post(f"{toy}/moves", {"move": moves(ann, toy)[0]}, X_Request_Id="mine")
        line = lines[-1]
        ann.get(f"{toy}/events?x={ann.token}")
    assert lines[-1]["status"] == 400
    assert line["id"] == "mine"
    assert (line["method"], line["status"]) == ("POST", 201)
    assert line["route"] == "/v1/matches/<match_id:match_id>/moves"
    assert line["player"] == ann.id
    assert str(ann.token) not in str(lines)
    assert "Seal" not in str(lines)


OPENS_A_STREAM = """
from service.runtime.metrics import STREAMS
STREAMS.inc()
print(flush=True)
input()
"""


@pytest.mark.slow
def test_streams_of_a_process_that_was_killed_are_not_counted(tmp_path: Path) -> None:
    environ = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    with Popen([sys.executable, "-c", OPENS_A_STREAM], env=environ, stdin=PIPE, stdout=PIPE) as web:
        assert web.stdout
        assert web.stdout.readline()
        assert open_streams(tmp_path) == 1.0
        web.kill()
    assert open_streams(tmp_path) == 0.0


def open_streams(folder: Path) -> float:
    """The number of open streams, as another process of the same service reports it."""
    metrics = generate_latest(ProcessMetrics(folder)).decode()
    found = re.search(r"^annals_streams_open (.*)$", metrics, re.MULTILINE)
    return float(found[1]) if found else 0.0


@pytest.mark.parametrize("given", ["a b", "x" * 65, "ä", "<script>"])
def test_a_request_id_that_is_not_sane_is_replaced(nobody: Api, given: str) -> None:
    answer = nobody.get("/v1/nonsense", X_Request_Id=given)
    assert answer.headers["X-Request-Id"] != given
    assert answer.json["instance"] == answer.headers["X-Request-Id"]


def test_a_fault_of_ours_appears_only_in_the_log(annals: Annals) -> None:
    broken = app_over(replace(annals, games=None))  # type: ignore[arg-type]  # this is the fault
    with capture_logs() as lines:
        answer = broken.test_client().get("/v1/games")
    assert (answer.status_code, answer.json["code"]) == (500, "internal")
    assert "NoneType" not in answer.text
    assert lines[-1]["event"] == "internal_error"


def test_requests_per_minute_are_limited(annals: Annals, ann: Api, bob: Api) -> None:
    app = app_over(change_settings(annals, rate=3))
    anns, bobs, nobodys = Api(app, ann.token), Api(app, bob.token), Api(app)
    left = [anns.get("/v1/me").headers["RateLimit"].partition(", ") for _ in range(3)]
    assert [one[0].partition(";t=")[0] for one in left] == [f'"default";r={n}' for n in (2, 1, 0)]
    assert left[2][2].startswith('"address";r=11997;t=')
    refused = anns.get("/v1/me")
    assert (refused.status_code, refused.json["code"]) == (429, "too_many_requests")
    assert refused.headers["RateLimit-Policy"] == '"default";q=3;w=60, "address";q=12000;w=60'
    assert refused.json["detail"].startswith("At most 3 requests per minute for one caller. Try")
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert refused.json["type"].endswith("#quota-exceeded")
    assert bobs.get("/v1/me").status_code == 200
    assert [nobodys.get("/v1/games").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert Api(app, "nonsense").get("/v1/games").status_code == 429
    assert anns.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("proxies", "first", "second"),
    [
        (0, "192.0.2.1", "192.0.2.2"),
        (1, "198.51.100.1, 192.0.2.1", "198.51.100.2, 192.0.2.1"),
        (2, "198.51.100.1, 192.0.2.1, 203.0.113.1", "198.51.100.2, 192.0.2.1, 203.0.113.2"),
    ],
)
def test_callers_of_one_address_share_a_limit_whatever_headers_they_send(
    annals: Annals, proxies: int, first: str, second: str
) -> None:
    caller = Api(app_over(change_settings(annals, rate=1, proxies=proxies)))
    assert caller.get("/v1/games", X_Forwarded_For=first).status_code == 200
    assert caller.get("/v1/games", X_Forwarded_For=second).status_code == 429


def test_behind_proxies_each_caller_has_a_separate_limit(annals: Annals) -> None:
    caller = Api(app_over(change_settings(annals, rate=1, proxies=2)))
    for address in ("192.0.2.1", "192.0.2.2"):
        asked = [caller.get("/v1/games", X_Forwarded_For=f"{address}, 10.0.0.1") for _ in "ab"]
        assert [answer.status_code for answer in asked] == [200, 429]


def test_more_accounts_get_an_address_no_further(annals: Annals, ann: Api, bob: Api) -> None:
    app = app_over(change_settings(annals, rate_per_address=3, proxies=1))
    asked = [Api(app, who.token) for who in (ann, bob, ann, bob)]
    near, far = {"X_Forwarded_For": "192.0.2.1"}, {"X_Forwarded_For": "192.0.2.2"}
    assert [one.get("/v1/me", **near).status_code for one in asked] == [200, 200, 200, 429]
    refused = Api(app, bob.token).get("/v1/me", **near)
    assert refused.json["violated-policies"] == ["address"]
    assert "3 requests per minute for one address" in refused.json["detail"]
    assert Api(app, bob.token).get("/v1/me", **far).status_code == 200


def test_an_address_registers_a_limited_number_of_players_in_an_hour(
    annals: Annals, clock: Clock
) -> None:
    limited = change_settings(annals, registrations=2, proxies=1)
    one, other = Api(app_over(limited)), Api(app_over(limited))
    home = {"X_Forwarded_For": "2001:db8:1:2::5"}
    next_door, elsewhere = "2001:db8:1:2:ffff::7", "2001:db8:1:3::5"
    assert one.post("/v1/players", {"name": "A"}, **home).status_code == 201
    assert other.post("/v1/players", {"name": "B"}, X_Forwarded_For=next_door).status_code == 201
    refused = one.post("/v1/players", {"name": "C"}, **home)
    assert (refused.status_code, refused.json["code"]) == (429, "too_many_requests")
    assert refused.json["violated-policies"] == ["registrations"]
    assert refused.json["detail"].startswith("At most 2 registrations per hour for one address.")
    assert 1 <= int(refused.headers["Retry-After"]) <= 3_600
    assert one.post("/v1/players", {"name": "C"}, X_Forwarded_For=elsewhere).status_code == 201
    clock.ms += int(refused.headers["Retry-After"]) * 1_000
    assert one.post("/v1/players", {"name": "D"}, **home).status_code == 201


def test_no_limit(annals: Annals) -> None:
    answer = Api(app_over(change_settings(annals, rate=0, rate_per_address=0))).get("/v1/games")
    assert "RateLimit" not in answer.headers


def test_other_origins_may_ask(nobody: Api, annals: Annals) -> None:
    assert nobody.get("/v1/games").headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in nobody.get("/v1/games").headers["Access-Control-Expose-Headers"]
    of_page = nobody.app.test_client().get("/page/any/match.css").headers
    assert of_page["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Expose-Headers" not in of_page
    strict = app_over(change_settings(annals, cors_origins=("https://a.example",))).test_client()
    theirs = strict.get("/v1/games", headers={"Origin": "https://a.example"})
    assert theirs.headers["Access-Control-Allow-Origin"] == "https://a.example"
    assert "Origin" in theirs.headers["Vary"]
    other = strict.get("/v1/games", headers={"Origin": "https://b.example"})
    assert "Access-Control-Allow-Origin" not in other.headers


def test_a_browser_asks_first(toy: str, nobody: Api) -> None:
    answer = nobody.app.test_client().options(
        f"{toy}/moves",
        headers={"Origin": "https://a.example", "Access-Control-Request-Method": "POST"},
    )
    assert answer.status_code == 204
    assert "Idempotency-Key" in answer.headers["Access-Control-Allow-Headers"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_other_pages_may_send_all_requests_of_the_contract(toy: str, nobody: Api) -> None:
    preflight = {"Origin": "https://a.example", "Access-Control-Request-Method": "PUT"}
    allowed = nobody.app.test_client().options(toy, headers=preflight).headers
    operations = [
        (verb.upper(), operation)
        for path, item in WRITTEN["paths"].items()
        if not path.startswith("/v1/discord/")  # Discord is no page
        for verb, operation in item.items()
    ]
    methods = {verb for verb, _ in operations}
    assert methods <= set(allowed["Access-Control-Allow-Methods"].split(", "))
    parameters = [resolve(one) for _, sent in operations for one in sent.get("parameters", ())]
    names = {one["name"] for one in parameters if one["in"] == "header"}
    assert "Idempotency-Key" in names
    assert names <= set(allowed["Access-Control-Allow-Headers"].split(", "))


def test_the_documentation_loads_nothing_from_other_hosts(nobody: Api) -> None:
    page = nobody.get("/docs")
    assert "http" not in page.text
    assert "connect-src 'self'" in page.headers["Content-Security-Policy"]
    for part in ("swagger-ui.css", "swagger-ui-bundle.js", "start.js", "favicon-32x32.png"):
        assert f'"./docs/{part}"' in page.text
        assert nobody.get(f"/docs/{part}").status_code == 200
    assert nobody.get("/docs/..%2Fsettings.py").status_code == 404
    assert nobody.get("/openapi.yaml").text.startswith("openapi: 3.1.0")


def test_the_index_leads_on(nobody: Api) -> None:
    for link in nobody.get("/").json["links"].values():
        assert nobody.get(link).status_code == 200


@pytest.mark.parametrize("path", ["/v1/games", "/rules/qin"])
def test_a_request_whose_address_used_its_processor_time_says_when_to_come_back(
    app: Flask, path: str
) -> None:
    refusal = TooManyRequests(7, "30 seconds of processor time per minute", "processor")
    refused = app.test_client().get(path, environ_overrides={NOT_ADMITTED_KEY: refusal})
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "7")


def test_health_is_read_beside_the_event_loop_once(
    app: Flask, annals: Annals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = []

    def note_reader(settings: Settings, now: int) -> Sample:
        readers.append(current_thread())
        return take_sample(settings, now)

    here = change_settings(annals, data=tmp_path)
    context = app.extensions["annals"]
    health = HealthReader(here, context.queue_redis, context.backlog)

    async def read_twice() -> list[Any]:
        return await asyncio.gather(*(event_loop.run(health.read) for _ in range(2)))

    monkeypatch.setattr("service.admin.health.take_sample", note_reader)
    first, second = asyncio.run(read_twice())
    assert first == second
    assert len(readers) == 1
    assert readers[0] is not current_thread()
