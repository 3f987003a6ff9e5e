"""Webhooks: rate and lag of messages, the cost for moves, and whether receivers slow each other
down.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import msgspec

from bench.load.http import Response, Script, request, run
from bench.load.limits import spread
from bench.load.loads import moves_load
from bench.load.matches import sign_up
from bench.load.servers import Server, run_apart, run_program, run_service
from tests.support.ports import free_port

MATCHES, MOVES = 200, 20
WARM_UP = 20
BESIDE_MATCHES, BESIDE_MOVES = 10, 12
PACE_S = 1.0
"""Seconds between two moves of each match that many receivers follow."""
RECEIVERS = 20
SLOW_S = 9.5
TURNS = (False, True, True, False)
"""The order of runs with and without the compared thing: A B B A."""
SETTINGS: dict[str, Any] = {"ANNALS_WEBHOOKS": "1000", "ANNALS_WEBHOOKS_LOOPBACK": "1"}


@dataclass(frozen=True)
class Arrivals:
    """What a receiver received: messages per second, and seconds from each entry to its message."""

    rate: float
    lags: list[float]


def figures(folder: Path) -> dict[str, float]:
    """Messages per second and their lag with 200 matches at full speed, and the lost share of moves
    per second; the lag of healthy receivers, with and without a dead and a slow one.
    """
    return {**at_full_speed(folder / "one"), **measure_healthy(folder / "many")}


def at_full_speed(folder: Path) -> dict[str, float]:
    """One receiver that subscribes to everything, beside matches at full speed."""
    rates: dict[bool, list[float]] = {False: [], True: []}
    arrivals: list[Arrivals] = []
    with run_service(folder, **SETTINGS) as server, run_receiver() as port:
        hooks = Webhooks(server, [f"http://127.0.0.1:{port}/all"])
        run_apart(moves_load, server, WARM_UP)
        for turn in TURNS:
            hooks.set_active(turn)
            rates[turn].append(run_apart(moves_load, server, MATCHES, max_moves=MOVES).rate)
            arrivals += read_arrivals(port).values()
    lags = [lag for one in arrivals for lag in one.lags]
    return {
        "messages per second": sum(one.rate for one in arrivals) / len(arrivals),
        **spread(f"from an entry to its message, {MATCHES} matches at full speed", lags),
        "moves per second without a subscriber": sum(rates[False]) / 2,
        "share of moves per second lost": 1 - sum(rates[True]) / sum(rates[False]),
    }


def measure_healthy(folder: Path) -> dict[str, float]:
    """The lags of healthy receivers, with a dead and a slow one beside them and without."""
    lags: dict[bool, list[float]] = {False: [], True: []}
    with run_service(folder, **SETTINGS) as server, run_receiver() as port:
        base, dead = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{free_port()}/"
        Webhooks(server, [f"{base}/{number}" for number in range(RECEIVERS - 2)]).set_active(True)
        failing = Webhooks(server, [f"{base}/slow", dead])
        run_apart(moves_load, server, WARM_UP, max_moves=1)
        read_arrivals(port)
        for turn in TURNS:
            failing.set_active(turn)
            run_apart(moves_load, server, BESIDE_MATCHES, interval=PACE_S, max_moves=BESIDE_MOVES)
            lags[turn] += [
                lag
                for path, one in read_arrivals(port).items()
                if path != "/slow"
                for lag in one.lags
            ]
    return {
        **spread(f"{RECEIVERS - 2} healthy receivers", lags[False]),
        **spread("the same beside a dead and a slow receiver", lags[True]),
    }


class Webhooks:
    """Webhooks for all moves at these addresses; disabled at first."""

    def __init__(self, server: Server, urls: Sequence[str]) -> None:
        self._port, self._token = server.port, sign_up(server.port)
        wanted = {"types": ["move.made"], "filter": {"whose": "all"}}
        made = [self._ask("POST", "/v1/webhooks", {"url": url, **wanted}) for url in urls]
        self._paths = [f"/v1/webhooks/{one['id']}" for one in made]
        self.set_active(False)

    def set_active(self, on: bool) -> None:
        """Enable or disable them."""
        for path in self._paths:
            self._ask("PATCH", path, {"active": on})

    def _ask(self, method: str, path: str, body: object) -> dict[str, Any]:
        answers = list[Response]()
        wire = request(method, path, self._token, msgspec.json.encode(body))
        run(self._port, [_once(wire, answers)])
        [(status, text)] = answers
        assert status < 400, text
        return msgspec.json.decode(text, type=dict[str, Any])


def read_arrivals(port: int) -> dict[str, Arrivals]:
    """The measurements of a receiver by path since the last call, once no more messages arrive."""
    with urlopen(f"http://127.0.0.1:{port}/arrived") as answer:
        found: Any = msgspec.json.decode(answer.read())
    return {path: Arrivals(**one) for path, one in found.items()}


@contextmanager
def run_receiver() -> Iterator[int]:
    """Run a receiver in a separate process; yields its port."""
    port = free_port()
    program = [sys.executable, "-m", "bench.load.receiver", str(port)]
    with run_program(program, dict(os.environ), port):
        yield port


def _once(wire: bytes, answers: list[Response]) -> Script:
    answers.append((yield wire))
