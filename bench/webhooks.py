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

from bench.http import Answer, Script, request, run
from bench.limits import spread
from bench.loads import moves_load
from bench.matches import sign_up
from bench.servers import Server, apart, running, service
from tests.ports import free_port

MATCHES = 200
BESIDE = 10
PACE_S = 1.0
"""Seconds from a move to the next of each of the matches that many receivers are told of."""
RECEIVERS = 20
SLOW_S = 5.0
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
    with service(folder / "one", **SETTINGS) as server:
        before = apart(moves_load, server, MATCHES).rate
        with receiver() as port:
            add(server, [f"http://127.0.0.1:{port}/all"])
            during = apart(moves_load, server, MATCHES).rate
            told = arrived(port)["/all"]
        after = apart(moves_load, server, MATCHES).rate
    alone, among = beside(folder / "alone", ill=False), beside(folder / "among", ill=True)
    return {
        "messages per second": told.rate,
        **spread(f"from an entry to its message, {MATCHES} matches at full speed", told.lags),
        "moves per second, share lost": 1 - during / ((before + after) / 2),
        **spread(f"{RECEIVERS} healthy receivers", alone),
        **spread(f"{RECEIVERS - 2} healthy ones beside a dead and a slow one", among),
    }


def beside(folder: Path, ill: bool) -> list[float]:
    """The lags of healthy receivers, all of them or but for a dead and a slow one."""
    healthy = RECEIVERS - 2 if ill else RECEIVERS
    with service(folder, **SETTINGS) as server, receiver() as port:
        own = f"http://127.0.0.1:{port}"
        others = [f"{own}/slow", f"http://127.0.0.1:{free_port()}/"] if ill else []
        add(server, [*others, *(f"{own}/{number}" for number in range(healthy))])
        apart(moves_load, server, BESIDE, interval=PACE_S)
        told = arrived(port)
    return [lag for path, one in told.items() if path != "/slow" for lag in one.lags]


def add(server: Server, urls: Sequence[str]) -> None:
    """Have all moves told at these addresses."""
    token, answers = sign_up(server.port), list[Answer]()
    for url in urls:
        wanted = {"url": url, "types": ["move.made"], "filter": {"whose": "all"}}
        body = msgspec.json.encode(wanted)
        run(server.port, [_once(request("POST", "/v1/webhooks", token, body), answers)])
    assert all(code == 201 for code, _ in answers), answers


def arrived(port: int) -> dict[str, Arrived]:
    """What came to a receiver by path; once nothing more comes."""
    with urlopen(f"http://127.0.0.1:{port}/arrived") as answer:
        found: Any = msgspec.json.decode(answer.read())
    return {path: Arrived(**one) for path, one in found.items()}


@contextmanager
def receiver() -> Iterator[int]:
    """A receiver in a process of its own; gives its port."""
    port = free_port()
    program = [sys.executable, "-m", "bench.receiver", str(port)]
    with running(program, dict(os.environ), port):
        yield port


def _once(wire: bytes, answers: list[Answer]) -> Script:
    answers.append((yield wire))
