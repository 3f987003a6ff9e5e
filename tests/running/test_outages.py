"""The running service records that it is up, and returns the time in which it was not."""

from __future__ import annotations

import os
import signal
from contextlib import closing

from service.matches.container import wall_clock
from service.runtime.redis_urls import own_redis_url
from service.store.redis_client import connect
from service.store.uptime import Uptime
from tests.support.patience import eventually
from tests.support.whole_service import Service


def test_the_time_in_which_all_web_processes_are_paused_is_returned(service: Service) -> None:
    seats, clock = [{"me": True}, {"bot": "li_mu"}], {"bank_s": 300}
    plan = {"game": "qin", "seats": seats, "clock": clock, "options": {"first_player": "seat:0"}}
    match = service.insist("POST", "/v1/matches", plan)["id"]
    with closing(connect(own_redis_url(service.data))) as redis:
        before = Uptime(redis).record(wall_clock())
        paused = service.processes()["web"]
        for pid in paused:
            os.kill(pid, signal.SIGSTOP)
        eventually(lambda: Uptime(redis).is_silent(wall_clock()))
        for pid in paused:
            os.kill(pid, signal.SIGCONT)
        eventually(lambda: Uptime(redis).record(wall_clock()).outages)
        [outage] = Uptime(redis).record(wall_clock()).outages
    assert outage.start >= before.at
    eventually(lambda: "TimeReturned" in kinds(service, match))


def kinds(service: Service, match: str) -> list[str]:
    found = service.insist("GET", f"/v1/matches/{match}/events")["events"]
    return [entry["kind"] for entry in found]
