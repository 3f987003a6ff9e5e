"""The Redis of the queues is killed repeatedly with all its data: nothing is lost."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from redis import Redis

from service.runtime.settings import read_settings
from tests.support.patience import eventually
from tests.support.whole_service import Service, running_service

KILLS = 2
TABLES = 2


@pytest.mark.slow
def test_bots_continue_after_the_queues_are_wiped(tmp_path: Path) -> None:
    with running_service(tmp_path / "data") as service:
        service.sign_up("Ada")
        seats = [{"bot": "li_mu"}, {"bot": "sun_bin"}]
        matches = [
            service.insist("POST", "/v1/matches", {"game": "qin", "seats": seats})["id"]
            for _ in range(TABLES)
        ]
        for _ in range(KILLS):
            kill_queue(service)
        eventually(lambda: all(is_scored(service, match) for match in matches))
        said = service.command("verify", "--all", "--url", service.url)
        assert (said.returncode, said.stdout) == (0, f"{TABLES} matches checked, 0 faults found.\n")


def kill_queue(service: Service) -> None:
    """Kill the Redis of the queues; it restarts empty."""
    with Redis.from_url(read_settings(service.environ).queue_url) as queue:
        queue.set("known", 1)
        [process] = service.processes()["queue"]
        os.kill(process, signal.SIGKILL)
        eventually(lambda: queue.exists("known") == 0)


def is_scored(service: Service, match: str) -> bool:
    return bool(service.insist("GET", f"/v1/matches/{match}")["status"] == "scored")
