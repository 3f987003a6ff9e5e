"""The real web server: chunked bodies, and the metrics of all its processes."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from contextlib import closing, suppress
from http.client import HTTPConnection
from typing import Any
from urllib.request import urlopen

import pytest

from service.drawing.pictures import painter
from service.runtime.metrics_folder import metrics_folder
from tests.support.patience import PATIENCE_S, eventually
from tests.support.whole_service import Service
from workers.processes import deliveries, worker

MAX_BODY_BYTES = 65_536


@pytest.mark.parametrize(
    ("size", "chunk", "status"),
    [
        (100, 100, 201),
        (100, 7, 201),
        (MAX_BODY_BYTES, 1_000, 201),
        (MAX_BODY_BYTES + 1, MAX_BODY_BYTES + 1, 413),
        (MAX_BODY_BYTES + 1, 1_000, 413),
        (4 * MAX_BODY_BYTES, 10_000, 413),
    ],
)
def test_a_body_in_chunks_is_read_up_to_the_limit(
    service: Service, size: int, chunk: int, status: int
) -> None:
    name = json.dumps({"name": f"Player {size} {chunk}"}).encode()
    answered, answer = send_in_chunks(service, name.ljust(size), chunk)
    assert answered == status, answer
    assert answer.get("code") == {413: "too_large"}.get(status)


def test_the_metrics_of_all_processes_have_a_separate_address(service: Service) -> None:
    before = metrics_of(service)
    seats = [{"bot": "li_mu"}, {"bot": "li_mu"}]
    _, match = service.call("POST", "/v1/matches", {"game": "qin", "seats": seats})
    await_end(service, f"/v1/matches/{match['id']}")
    metrics = await_scoring(service, before)
    moves = metrics['annals_entries_total{kind="Moved"}']
    assert moves > 10
    assert 0 < metrics['annals_job_seconds_count{kind="bot"}'] <= moves
    assert metrics['annals_bot_seconds_count{game="qin",level="li_mu"}'] >= moves
    assert metrics['annals_entries_total{kind="Created"}'] == 1
    assert metrics_of(service)['annals_queue_length{queue="bots"}'] == 0


def test_what_may_wait_gives_way_to_requests(service: Service) -> None:
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    found = {
        kind: {os.getpriority(os.PRIO_PROCESS, pid) - ours for pid in some}
        for kind, some in service.processes().items()
    }
    assert found["web"] == found["projector"] == found["redis"] == {0}
    most = 19 - ours
    assert found["worker"] == {0, min(most, worker.NICE)}  # bots that do not search answer at once
    assert found["deliveries"] == {min(most, deliveries.NICE)}
    assert found["painter"] == {min(most, painter.NICENESS)}


def test_players_see_no_metrics_and_no_server_version(service: Service) -> None:
    assert service.call("GET", "/metrics")[0] == 404
    with urlopen(f"{service.url}/healthz", timeout=PATIENCE_S) as answer:
        assert not answer.headers.get("Server")


def test_files_are_private_to_their_owner_except_the_public_log(service: Service) -> None:
    folders = [service.data, metrics_folder(service.data)]
    files = [file for folder in folders for file in (folder, *folder.rglob("*"))]
    assert {"log", "redis.conf", "supervisor.log", "web-0.log", "appendonlydir"} <= {
        file.name for file in files
    }
    log = service.data / "tlog" / "public"  # these files are public
    ours = (file for file in files if log not in file.parents)
    assert [str(file) for file in ours if file.lstat().st_mode & 0o077] == []


def test_a_stalled_redis_blocks_no_caller_for_ever(service: Service) -> None:
    [redis] = service.processes()["redis"]
    os.kill(redis, signal.SIGSTOP)
    try:
        status, problem = service.call("GET", "/v1/matches")
        assert (status, problem["code"]) == (503, "store_unavailable")
        assert service.call("GET", "/healthz")[0] == 200
    finally:
        os.kill(redis, signal.SIGCONT)
    eventually(lambda: service.call("GET", "/v1/matches")[0] == 200)


def send_in_chunks(service: Service, body: bytes, size: int) -> tuple[int, Any]:
    """Register a player with a chunked body, whose length the server does not know in advance."""
    chunks = (body[start : start + size] for start in range(0, len(body), size))
    headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    with closing(
        HTTPConnection(service.url.removeprefix("http://"), timeout=PATIENCE_S)
    ) as connection:
        with suppress(ConnectionError):  # the server may answer before the client is done
            connection.request("POST", "/v1/players", chunks, headers, encode_chunked=True)
        with connection.getresponse() as answer:
            return answer.status, json.load(answer)


def await_end(service: Service, path: str) -> None:
    eventually(lambda: service.call("GET", path)[1]["status"] == "scored")


def await_scoring(service: Service, before: Counter[str]) -> Counter[str]:
    """The growth of the metrics once the scoring is counted, shortly after it is visible."""
    scorings = 'annals_job_seconds_count{kind="score"}'
    eventually(lambda: metrics_of(service)[scorings] > before[scorings])
    return metrics_of(service) - before


def metrics_of(service: Service) -> Counter[str]:
    """All metrics by name and labels."""
    with urlopen(service.metrics_url, timeout=PATIENCE_S) as answer:
        lines = answer.read().decode().splitlines()
    split = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return Counter({name: round(float(value)) for name, _, value in split})
