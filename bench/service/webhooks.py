"""Webhooks: how many arrive and how late, what moves lose by them, and who waits for whom."""

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

from bench.load.http import Answer, Script, request, run
from bench.load.limits import spread
from bench.load.loads import moves_load
from bench.load.matches import sign_up
from bench.load.servers import Server, apart, running, service
from tests.support.ports import free_port

MATCHES, MOVES = 200, 20
WARM_UP = 20
BESIDE, BESIDE_MOVES = 10, 12
PACE_S = 1.0
"""Seconds from a move to the next of each of the matches that many receivers are told of."""
RECEIVERS = 20
SLOW_S = 5.0
TURNS = (False, True, True, False)
"""With what is to be compared, and without: A B B A."""
SETTINGS: dict[str, Any] = {"ANNALS_WEBHOOKS": "1000", "ANNALS_WEBHOOKS_LOOPBACK": "1"}


@dataclass(frozen=True)
class Arrived:
    """What came to a receiver: messages per second, and seconds from each entry to its message."""

    rate: float
    lags: list[float]


def figures(folder: Path) -> dict[str, float]:
    """Messages per second and their lag with 200 matches at full speed, and the moves per second
    lost meanwhile; the lag of healthy receivers with a dead and a slow one among them and without.
    """
    return {**at_full_speed(folder / "one"), **beside(folder / "many")}


def at_full_speed(folder: Path) -> dict[str, float]:
    """One receiver that is told everything, while others play as fast as they can."""
    rates: dict[bool, list[float]] = {False: [], True: []}
    told: list[Arrived] = []
    with service(folder, **SETTINGS) as server, receiver() as port:
        told_all = Hooks(server, [f"http://127.0.0.1:{port}/all"])
        apart(moves_load, server, WARM_UP)
        for turn in TURNS:
            told_all.turn(turn)
            rates[turn].append(apart(moves_load, server, MATCHES, most=MOVES).rate)
            told += arrived(port).values()
    lags = [lag for one in told for lag in one.lags]
    return {
        "messages per second": sum(one.rate for one in told) / len(told),
        **spread(f"from an entry to its message, {MATCHES} matches at full speed", lags),
        "moves per second, nobody is told": sum(rates[False]) / 2,
        "moves per second, share lost": 1 - sum(rates[True]) / sum(rates[False]),
    }


def beside(folder: Path) -> dict[str, float]:
    """The lags of receivers that work, with one that is dead and one that is slow beside them, and
    without these.
    """
    lags: dict[bool, list[float]] = {False: [], True: []}
    with service(folder, **SETTINGS) as server, receiver() as port:
        own, nobody = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{free_port()}/"
        Hooks(server, [f"{own}/{number}" for number in range(RECEIVERS - 2)]).turn(True)
        ill = Hooks(server, [f"{own}/slow", nobody])
        apart(moves_load, server, WARM_UP, most=1)
        arrived(port)
        for turn in TURNS:
            ill.turn(turn)
            apart(moves_load, server, BESIDE, interval=PACE_S, most=BESIDE_MOVES)
            lags[turn] += [
                lag for path, one in arrived(port).items() if path != "/slow" for lag in one.lags
            ]
    return {
        **spread(f"{RECEIVERS - 2} healthy receivers", lags[False]),
        **spread("the same beside a dead and a slow one", lags[True]),
    }


class Hooks:
    """Webhooks that are told all moves at these addresses, while they are on: not at first."""

    def __init__(self, server: Server, urls: Sequence[str]) -> None:
        self._port, self._token = server.port, sign_up(server.port)
        wanted = {"types": ["move.made"], "filter": {"whose": "all"}}
        made = [self._asked("POST", "/v1/webhooks", {"url": url, **wanted}) for url in urls]
        self._paths = [f"/v1/webhooks/{one['id']}" for one in made]
        self.turn(False)

    def turn(self, on: bool) -> None:
        """Turn them on or off."""
        for path in self._paths:
            self._asked("PATCH", path, {"active": on})

    def _asked(self, method: str, path: str, body: object) -> dict[str, Any]:
        answers = list[Answer]()
        wire = request(method, path, self._token, msgspec.json.encode(body))
        run(self._port, [_once(wire, answers)])
        [(status, text)] = answers
        assert status < 400, text
        return msgspec.json.decode(text, type=dict[str, Any])


def arrived(port: int) -> dict[str, Arrived]:
    """What came to a receiver by path since it was asked last; once nothing more comes."""
    with urlopen(f"http://127.0.0.1:{port}/arrived") as answer:
        found: Any = msgspec.json.decode(answer.read())
    return {path: Arrived(**one) for path, one in found.items()}


@contextmanager
def receiver() -> Iterator[int]:
    """A receiver in a process of its own; gives its port."""
    port = free_port()
    program = [sys.executable, "-m", "bench.load.receiver", str(port)]
    with running(program, dict(os.environ), port):
        yield port


def _once(wire: bytes, answers: list[Answer]) -> Script:
    answers.append((yield wire))
