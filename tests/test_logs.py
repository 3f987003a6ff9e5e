"""What processes log: JSON, at the chosen level, without secrets; and logging breaks nothing."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import pytest
from redis import Redis

from domain.match.log import Entry
from domain.match.scheduled_work import DUE_NOW
from service.runtime.redis_urls import own_redis_url
from service.store.event_store import EventStore
from tests.discord.people import Person, StandIn, stand_in
from tests.discord.state import BOT_TOKEN
from tests.support.patience import eventually
from tests.support.warm_start import Process, start_command
from tests.support.whole_service import (
    ONE_WEB_PROCESS,
    Service,
    fresh_addresses,
    running_service,
    whole_service,
)

pytestmark = pytest.mark.slow
SEED = "5eed" * 16
HAND = "a-hand-that-nobody-may-know"
LOGGING = {"analyst", "deliveries", "notary", "projector", "supervisor", "web", "worker"}
BOTS = {"game": "qin", "seats": [{"bot": "li_mu"}, {"bot": "li_mu"}]}
TABLE = {"game": "qin", "seats": [{"me": True}, {"open": True}]}


def store_of(service: Service) -> EventStore:
    return EventStore(Redis.from_url(own_redis_url(service.data)))


def break_match(service: Service, match: str) -> None:
    """Record an entry that makes the match impossible to fold, and due work for it."""
    store = store_of(service)
    events = msgspec.msgpack.encode([[HAND, HAND]])
    entry = Entry(store.version(match) + 1, "Moved", "u", 1, b"", events, 1, b"broken")
    store.append(match, entry, {"bot": DUE_NOW, "score": DUE_NOW})


def logs(service: Service) -> dict[str, str]:
    """The log of each process, except both Redis servers, which use their own format."""
    files = (service.data / "log").glob("*.log")
    return {
        file.stem.partition("-")[0]: file.read_text()
        for file in files
        if file.stem not in {"redis", "queue"}
    }


def test_no_failure_logs_a_secret_and_all_log_json(tmp_path: Path) -> None:
    own = {"ANNALS_LOG_LEVEL": "debug", "ANNALS_WORKERS": "1", "ANNALS_WEBHOOKS_LOOPBACK": "1"}
    with (
        stand_in() as discord,
        whole_service(tmp_path, **own, **discord.settings) as service,
    ):
        service.sign_up("Ada")
        received = {*fail_webhook(service), BOT_TOKEN, fail_interaction(service, discord)}
        match = service.call("POST", "/v1/matches", {**TABLE, "seed": SEED})[1]["id"]
        break_match(service, match)
        assert service.call("GET", f"/v1/matches/{match}")[1]["code"] == "corrupt"
        assert service.call("GET", f"/v1/matches/{match}?token={service.token}")[0] >= 400
        eventually(lambda: "entry_corrupt" in logs(service)["worker"])
        show = service.command("show", match, "--as", "Ada")
        said = f"{show.stdout}{show.stderr}".replace(HAND, "")  # the operator sees what is wrong
        os.kill(service.processes()["worker"][0], signal.SIGKILL)
        eventually(lambda: "exited: worker" in logs(service)["supervisor"])
    found = logs(service)
    assert set(found) == {*LOGGING, "discord"}
    for text in (*found.values(), said):
        assert not [secret for secret in (SEED, HAND, service.token, *received) if secret in text]
    for line in "".join(found.values()).splitlines():
        assert {"event", "level", "timestamp"} <= json.loads(line).keys()


def fail_webhook(service: Service) -> Iterator[str]:
    """What identifies a webhook with an unreachable receiver: its secret, address and headers."""
    path, key = "path-that-is-a-secret", "key-that-is-a-secret"
    wanted = {"url": f"http://127.0.0.1:9/{path}", "headers": {"X-Key": key}}
    hook = service.insist("POST", "/v1/webhooks", wanted)
    service.insist("POST", "/v1/matches", TABLE)
    shown = f"/v1/webhooks/{hook['id']}"
    eventually(lambda: service.insist("GET", shown)["last_error"])
    yield from (hook["secret"], path, key)


def fail_interaction(service: Service, discord: StandIn) -> str:
    """The token of a Discord interaction that could not be answered."""
    discord.ask("service", service.url)
    discord.ask("too_many", [60.0])
    ben = Person(discord, "101", "Ben")
    token = ben.uses(2, ben._command("new", {"game": "qin"}))["token"]
    eventually(lambda: "discord_failed" in logs(service)["discord"])
    return str(token)


def test_every_process_logs_only_at_the_chosen_level(tmp_path: Path) -> None:
    with running_service(tmp_path, ANNALS_LOG_LEVEL="error") as service:
        play_bots(service)
        assert set(logs(service).values()) == {""}
        match = service.insist("POST", "/v1/matches", TABLE)["id"]  # the service never stores it
        break_match(service, match)
        status, answer = service.call("GET", f"/v1/matches/{match}")
        assert (status, answer["code"]) == (500, "corrupt")
        eventually(lambda: all(logs(service)[who] for who in ("projector", "web", "worker")))
    lines = [json.loads(line) for text in logs(service).values() for line in text.splitlines()]
    assert {line["level"] for line in lines} <= {"error", "critical"}


def play_bots(service: Service) -> str:
    """Let bots play a match until it is scored; returns its id."""
    service.insist("GET", "/readyz")
    service.sign_up("Ada")
    match = str(service.insist("POST", "/v1/matches", BOTS)["id"])
    eventually(lambda: service.call("GET", f"/v1/matches/{match}")[1]["status"] == "scored")
    return match


@contextmanager
def without_reader() -> Iterator[int]:
    """A pipe whose reader has closed it."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        yield writer
    finally:
        os.close(writer)


@contextmanager
def full_disk() -> Iterator[int]:
    """A file on a full device."""
    with Path("/dev/full").open("wb", buffering=0) as file:
        yield file.fileno()


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /dev/full")
def test_a_log_that_cannot_be_written_spoils_nothing(
    tmp_path: Path, redis_url: str, redis_client: Redis
) -> None:
    addresses = fresh_addresses()
    place = {"REDIS_URL": redis_url, "ANNALS_DATA": str(tmp_path)}
    environ = {**os.environ, **addresses, **place, **ONE_WEB_PROCESS}
    with full_disk() as full, without_reader() as closed, ExitStack() as stack:
        started = [
            stack.enter_context(process(command, environ, file))
            for command, file in (("web", full), ("projector", closed), ("worker", full))
        ]
        play_bots(Service(started[0], environ))
        assert [one.poll() for one in started] == [None, None, None]


@contextmanager
def process(command: str, environ: dict[str, str], log: int) -> Iterator[Process]:
    """A process of the service that logs to this file."""
    with start_command([command], environ, log, log) as started:
        try:
            yield started
        finally:
            started.terminate()
