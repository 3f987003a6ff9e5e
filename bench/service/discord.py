"""Discord: how long somebody who clicks waits for the first answer, while matches are played."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count, cycle
from pathlib import Path
from secrets import randbits
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.load.http import Script, Timed, request, run
from bench.load.limits import spread
from bench.load.loads import moves_load
from bench.load.servers import Server, apart, running, service
from service.matches.container import wall_clock
from service.store.event_store import Store
from service.store.redis_client import connect
from tests.support.ports import free_port

TABLES = 40
PACE_S = 0.5
"""Seconds from a click at a table to the next one there."""
SECONDS = 5.0
MATCHES = 200
PACE = 600
"""Moves offered in a second, where they are not played at full speed."""
APP = "900"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
_numbers = count(randbits(60))
COMMAND, COMPONENT, COMPLETION = 2, 3, 4
SETTINGS: dict[str, Any] = {
    "ANNALS_DISCORD_APP": APP,
    "ANNALS_DISCORD_KEY": KEY.public_key().public_bytes_raw().hex(),
    "ANNALS_DISCORD_TOKEN": "bench",
    "ANNALS_DISCORD_RATE": "0",
}


def figures(folder: Path) -> dict[str, float]:
    """From what somebody does in Discord to its first answer: with nothing else to do, while moves
    are offered beside it, and beside matches that are played at full speed.
    """
    with discord() as api, service(folder, ANNALS_DISCORD_API=api, **SETTINGS) as server:
        quiet = apart(clicks_load, server)
        paced, some = _beside(server, MATCHES / PACE)
        full, many = _beside(server, 0.0)
    return {
        **spread(f"{TABLES} tables in Discord, a first answer", quiet.latencies),
        **spread(f"the same beside {PACE} moves per second offered", paced.latencies),
        "moves per second then": some.rate,
        **spread(f"the same beside {MATCHES} matches at full speed", full.latencies),
        "moves per second meanwhile": many.rate,
        "clicks per second meanwhile": full.rate,
        "requests that failed": sum(len(one.failures) for one in (quiet, paced, some, full, many)),
    }


def _beside(server: Server, interval: float) -> tuple[Timed, Timed]:
    """Clicks, and the moves of matches beside them: of each one in an interval (seconds)."""
    begun = _entries(server) + 2 * MATCHES  # one entry each to open them
    with ThreadPoolExecutor(1) as pool:
        loud = pool.submit(apart, moves_load, server, MATCHES, False, interval)
        return apart(clicks_load, server, begun), loud.result()


def clicks_load(server: Server, begun: int = 0) -> Timed:
    """Two people at each of some tables type, click, and look at their hands in turns, for a while,
    from the moment on at which there are so many entries.
    """
    while _entries(server) < begun:
        time.sleep(0.05)
    until = time.monotonic() + SECONDS
    return run(server.port, [_table(number, until) for number in range(TABLES)], PACE_S)


def _entries(server: Server) -> int:
    store = Store(connect(server.events_url))
    return sum(map(store.feed_length, range(store.partitions)))


@contextmanager
def discord() -> Iterator[str]:
    """Where something takes whatever the service sends to Discord."""
    port = free_port()
    with running(
        [sys.executable, "-m", "bench.service.discord_api", str(port)], dict(os.environ), port
    ):
        yield f"http://127.0.0.1:{port}"


def _table(number: int, until: float) -> Script:
    """A match of two: they offer each other moves, and make the first that fits."""
    people = [_Person(f"{number}0{seat}", f"5{number}", until) for seat in range(2)]
    yield people[0].says("new", game="qin", seats=2)
    yield people[1].says("join")
    for person in cycle(people):
        if time.monotonic() > until:
            return
        yield from person.moves()


class _Person:
    """Somebody in a channel."""

    def __init__(self, user: str, channel: str, until: float) -> None:
        self._user = {"id": user, "username": f"user {user}"}
        self._channel = channel
        self._until = until

    def moves(self) -> Script:
        """Think of a move, then make one step by step, and look at the hand."""
        yield self._sent(COMPLETION, _command("move", {"move": "tile"}))
        _, answer = yield self.says("move")
        while (menu := _menu(answer)) and time.monotonic() < self._until:
            mark, value = menu
            data = {"custom_id": mark, "component_type": 3, "values": [value]}
            _, answer = yield self._sent(COMPONENT, data)
        yield self.says("hand")

    def says(self, part: str, **filled: object) -> bytes:
        """Use a command."""
        return self._sent(COMMAND, _command(part, filled))

    def _sent(self, kind: int, data: object) -> bytes:
        number = str(next(_numbers))
        asked = {
            "id": number, "application_id": APP, "type": kind, "token": f"t{number}", "data": data,
            "channel_id": self._channel, "member": {"user": self._user},
        }  # fmt: skip
        body = msgspec.json.encode(asked)
        at = str(wall_clock() // 1000)
        signed = KEY.sign(at.encode() + body).hex()
        headers = {"X-Signature-Ed25519": signed, "X-Signature-Timestamp": at}
        return request("POST", "/v1/discord/interactions", body=body, headers=headers)


def _command(part: str, filled: dict[str, object]) -> object:
    options = [
        {"name": name, "value": value, "focused": name == "move"} for name, value in filled.items()
    ]
    return {"name": "annals", "options": [{"name": part, "type": 1, "options": options}]}


def _menu(answer: bytes) -> tuple[str, str] | None:
    """The mark of the menu in an answer, and the first choice of it."""
    waiting: list[Any] = [msgspec.json.decode(answer).get("data", {})]
    while waiting:
        one = waiting.pop()
        if one.get("type") == 3:
            return one["custom_id"], one["options"][0]["value"]
        waiting += one.get("components", [])
    return None
