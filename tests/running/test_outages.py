"""The running service records that it is up, and returns the time in which it was not."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from pathlib import Path

from redis import Redis

from domain.match.outages import Outage
from service.matches.container import wall_clock
from service.runtime.redis_urls import own_redis_url
from service.store.redis_client import connect
from service.store.uptime import Uptime
from tests.support.patience import eventually
from tests.support.whole_service import Service, running_service


def test_the_time_in_which_all_web_processes_are_paused_is_returned(service: Service) -> None:
    match = open_match(service)
    with closing(connect(own_redis_url(service.data))) as redis:
        before = Uptime(redis).record(wall_clock())
        paused = service.processes()["web"]
        for pid in paused:
            os.kill(pid, signal.SIGSTOP)
        eventually(lambda: Uptime(redis).is_silent(wall_clock()))
        for pid in paused:
            os.kill(pid, signal.SIGCONT)
        eventually(lambda: outages_since(redis, before.at))
    eventually(lambda: "TimeReturned" in kinds(service, match))


def outages_since(redis: Redis, at: int) -> list[Outage]:
    """The recorded outages since then; other tests stop the same service."""
    return [one for one in Uptime(redis).record(wall_clock()).outages if one.start >= at]


def test_the_time_between_two_runs_and_of_a_crash_is_returned(tmp_path: Path) -> None:
    """Given a match whose clock runs, when the service stops and starts, and when all its processes
    are killed at once, then the player has got the time back when they move next: an entry of its
    own returns a long outage, the move a short one.
    """
    with running_service(tmp_path) as service:
        service.sign_up("Ada")
        token, match = service.token, open_match(service)
    with running_service(tmp_path) as service:
        service.token = token
        assert move(service, match) == 1
        eventually(lambda: legal_moves(service, match))
        service.kill_all()
        assert move(service, match) == 2


def open_match(service: Service) -> str:
    """A match in which the clock of the player runs."""
    seats, clock = [{"me": True}, {"bot": "li_mu"}], {"bank_s": 300}
    plan = {"game": "qin", "seats": seats, "clock": clock, "options": {"first_player": "seat:0"}}
    match: str = service.insist("POST", "/v1/matches", plan)["id"]
    return match


def legal_moves(service: Service, match: str) -> list[object]:
    found: list[object] = service.insist("GET", f"/v1/matches/{match}/legal-moves")["moves"]
    return found


def move(service: Service, match: str) -> int:
    """Make a move; return how often time has been returned in the match."""
    made = {"move": legal_moves(service, match)[0]}
    service.insist("POST", f"/v1/matches/{match}/moves", made)
    entries = service.insist("GET", f"/v1/matches/{match}/events")["events"]
    types = [event["type"] for entry in entries for event in entry["events"]]
    return types.count("TimeReturned")


def kinds(service: Service, match: str) -> list[str]:
    found = service.insist("GET", f"/v1/matches/{match}/events")["events"]
    return [entry["kind"] for entry in found]
