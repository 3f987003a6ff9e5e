"""Discord: how long a click waits for its first response, while matches are played."""

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

from bench.load.http import LoadResult, Script, request, run
from bench.load.limits import spread
from bench.load.loads import moves_load
from bench.load.servers import Server, run_apart, run_program, run_service
from service.matches.container import wall_clock
from service.store.event_store import EventStore
from service.store.redis_client import connect
from tests.support.ports import free_port

TABLES = 40
PACE_S = 0.5
"""Seconds between two clicks at a table."""
SECONDS = 5.0
MATCHES = 200
MOVES_PER_S = 600
"""Moves per second of the load, unless it plays at full speed."""
APP = "900"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
_numbers = count(randbits(60))
COMMAND, COMPONENT, COMPLETION = 2, 3, 4
BUTTON, MENU = 2, 3
SETTINGS: dict[str, Any] = {
    "ANNALS_DISCORD_APP": APP,
    "ANNALS_DISCORD_KEY": KEY.public_key().public_bytes_raw().hex(),
    "ANNALS_DISCORD_TOKEN": "bench",
    "ANNALS_DISCORD_RATE": "0",
}


def figures(folder: Path) -> dict[str, float]:
    """Latencies of interactions: without other load, beside moves at a fixed rate, and beside
    matches at full speed.
    """
    with discord() as api, run_service(folder, ANNALS_DISCORD_API=api, **SETTINGS) as server:
        quiet = run_apart(clicks_load, server)
        paced, some = _beside(server, MATCHES / MOVES_PER_S)
        full, many = _beside(server, 0.0)
    return {
        **spread(f"{TABLES} tables in Discord, first response", quiet.latencies),
        **spread(f"the same beside {MOVES_PER_S} moves per second", paced.latencies),
        "moves per second beside them": some.rate,
        **spread(f"the same beside {MATCHES} matches at full speed", full.latencies),
        "moves per second at full speed": many.rate,
        "clicks per second at full speed": full.rate,
        "requests that failed": sum(len(one.failures) for one in (quiet, paced, some, full, many)),
    }


def _beside(server: Server, interval: float) -> tuple[LoadResult, LoadResult]:
    """Clicks, and the moves of matches beside them, each with one move per interval (seconds)."""
    begun = _entries(server) + 2 * MATCHES  # each opening is an entry
    with ThreadPoolExecutor(1) as pool:
        loud = pool.submit(run_apart, moves_load, server, MATCHES, False, interval)
        return run_apart(clicks_load, server, begun), loud.result()


def clicks_load(server: Server, begun: int = 0) -> LoadResult:
    """Two players at each of some tables type, click and look at their hands in turn for a while,
    once the store has `begun` entries.
    """
    while _entries(server) < begun:
        time.sleep(0.05)
    until = time.monotonic() + SECONDS
    return run(server.port, [_table(number, until) for number in range(TABLES)], PACE_S)


def _entries(server: Server) -> int:
    store = EventStore(connect(server.events_url))
    return sum(map(store.feed_length, range(store.partitions)))


@contextmanager
def discord() -> Iterator[str]:
    """Run a server that accepts what the service sends to Discord; yields its address."""
    port = free_port()
    with run_program(
        [sys.executable, "-m", "bench.service.discord_api", str(port)], dict(os.environ), port
    ):
        yield f"http://127.0.0.1:{port}"


def _table(number: int, until: float) -> Script:
    """A match of two players: each requests moves, and makes the first one that fits."""
    people = [_User(f"{number}0{seat}", f"5{number}", until) for seat in range(2)]
    yield people[0].command("new", game="qin", seats=2)
    yield people[1].command("join")
    for person in cycle(people):
        if time.monotonic() > until:
            return
        yield from person.play_move()


class _User:
    """A user in a channel."""

    def __init__(self, user: str, channel: str, until: float) -> None:
        self._user = {"id": user, "username": f"user {user}"}
        self._channel = channel
        self._until = until

    def play_move(self) -> Script:
        """Autocomplete a move, make one step by step, and look at the hand."""
        yield self._interaction(COMPLETION, _command("move", {"move": "tile"}))
        _, answer = yield self.command("move")
        while (choice := next_choice(answer)) and time.monotonic() < self._until:
            _, answer = yield self._interaction(COMPONENT, choice)
        yield self.command("hand")

    def command(self, part: str, **filled: object) -> bytes:
        """A command of this user."""
        return self._interaction(COMMAND, _command(part, filled))

    def _interaction(self, kind: int, data: object) -> bytes:
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


def next_choice(answer: bytes) -> dict[str, Any] | None:
    """What a user sends who chooses the next part of a move: in the last menu of a response, or by
    the last button for it.
    """
    waiting: list[Any] = [msgspec.json.decode(answer).get("data", {})]
    while waiting:
        one = waiting.pop()
        mark = one.get("custom_id", "")
        if one.get("type") == MENU:
            first = one["options"][0]["value"]
            return {"custom_id": mark, "component_type": MENU, "values": [first]}
        if mark.startswith("pk|"):
            return {"custom_id": mark, "component_type": BUTTON}
        waiting += one.get("components", [])
    return None
