"""The whole service as `annals run` starts it, on a free port and a separate data folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from http.client import HTTPException
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tests.support.patience import PATIENCE_S
from tests.support.ports import free_port
from tests.support.warm_start import Process, run_command, start_command, start_program

ROOT = Path(__file__).resolve().parents[2]
KINDS = {
    "web": "annals web",
    "projector": "annals projector",
    "worker": "annals worker",
    "deliveries": "annals deliveries",
    "analyst": "annals analyst",
    "notary": "annals notary",
    "discord-worker": "annals discord-worker",
    "keeper": "annals keeper",
    "redis": "redis/redis.sock",
    "queue": "queue/redis.sock",
    "painter": "annals painter",
}
"""The processes of the service, by a part of their titles or command lines.

Each web process has a painter; the process for answers serves only Discord.
"""
ONE_WEB_PROCESS = {"ANNALS_WARM_UP": "0", "ANNALS_WEB_PROCESSES": "1"}
"""Settings with which the web server starts with a quarter of the work."""
ALL_CALLERS_AT_ONE_ADDRESS = {"ANNALS_PROCESSOR_SECONDS": "0"}
"""A setting with which callers do not wait for each other, although all are on this machine."""
LEAN = {
    "ANNALS_METRICS": "off",
    "ANNALS_TLOG": "off",
    "ANNALS_WEBHOOKS": "0",
    "ANNALS_WORKERS": "1",
}
"""Settings of a service with the fewest processes that can play."""
BEFORE = ("Note: ", "Not ready yet", "Loading ", "Preparing ", "worker ")
"""Prefixes of lines that it may print before it prints its address."""


class Service:
    """A running service, and a player who uses it."""

    def __init__(self, process: Process, environ: dict[str, str]) -> None:
        self.process = process
        self.environ = environ
        self.data = Path(environ["ANNALS_DATA"])
        self.url = f"http://127.0.0.1:{environ['ANNALS_PORT']}"
        self.metrics_url = f"http://{environ['ANNALS_METRICS']}/metrics"
        self.token = ""
        self.answers = 0
        self.notes: list[str] = []
        self.said = ""  # on the terminal, after its first line, once it has stopped

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON of an answer; raises connection errors."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            data, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        try:
            with urlopen(Request(self.url + path, data, sent, method=method), timeout=60) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except HTTPError as error:
            return error.code, json.load(error)

    def insist(
        self, method: str, path: str, body: Any = None, *, but: Sequence[str] = (), **headers: str
    ) -> Any:
        """The answer; retries while the service is unavailable.

        It is the requested resource, or one of the problems in `but`.
        """
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(URLError, HTTPException, OSError, json.JSONDecodeError):
                status, answer = self.call(method, path, body, **headers)
                if status < 500:
                    assert status < 400 or answer["code"] in but, answer
                    self.answers += 1
                    return answer
            time.sleep(0.1)
        raise TimeoutError(f"no answer from {path}")

    def picture(self, path: str) -> bytes:
        """A picture; retries while it is unavailable."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(URLError, HTTPException, OSError), urlopen(self.url + path) as answer:
                drawn: bytes = answer.read()
                self.answers += 1
                return drawn
            time.sleep(0.1)
        raise TimeoutError(f"no picture from {path}")

    def sign_up(self, name: str) -> None:
        """Register a player."""
        self.token = self.call("POST", "/v1/players", {"name": name})[1]["token"]

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The output of an `annals` command about this service."""
        return run_command(words, self.environ)

    def processes(self) -> dict[str, list[int]]:
        """The ids of the processes under the supervisor, by kind."""
        found: dict[str, list[int]] = {kind: [] for kind in KINDS}
        for pid in descendants(self.process.pid):
            with suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_text()
                for kind, mark in KINDS.items():
                    if mark in words:
                        found[kind].append(pid)
        return found

    def titles(self) -> dict[int, str]:
        """The names that the service has given its processes, by their ids; those of Redis, which
        are other programs, have none.
        """
        found = {}
        for pid in descendants(self.process.pid):
            with suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_text().strip("\0 ").split(" ")
                if words[0] == "annals":
                    found[pid] = words[1]
        return found

    def kill_all(self) -> None:
        """Kill all processes under the supervisor, those of Redis too, without warning."""
        for pid in chain.from_iterable(self.processes().values()):
            with suppress(ProcessLookupError):  # it has ended with one that was killed before
                os.kill(pid, signal.SIGKILL)


def running_service(data: Path, **settings: str) -> AbstractContextManager[Service]:
    """A service with the processes that it takes to play, unless the settings say otherwise: many
    tests start one.
    """
    return whole_service(data, **{**LEAN, **settings})


def whole_service(data: Path, **settings: str) -> AbstractContextManager[Service]:
    """The service, until the end of the block; it then has to stop cleanly.

    It has the default settings, but only one web process, and warms nothing up, unless the settings
    say otherwise.
    """
    return started_service(start_command, data, settings)


def cold_service(data: Path, **settings: str) -> AbstractContextManager[Service]:
    """A whole service that starts as it does for an operator, which takes longer."""
    return started_service(start_program, data, settings)


@contextmanager
def started_service(
    start: Callable[[Sequence[str], dict[str, str]], Process], data: Path, settings: dict[str, str]
) -> Iterator[Service]:
    """A service that this function starts."""
    own = {"ANNALS_DATA": str(data), **ONE_WEB_PROCESS, **ALL_CALLERS_AT_ONE_ADDRESS}
    environ = {**os.environ, **fresh_addresses(), **own, **settings}
    environ.pop("REDIS_URL", None)
    with start(["run"], environ) as process:
        assert process.stdout
        service = Service(process, environ)
        try:
            while (first := process.stdout.readline().decode()).startswith(BEFORE):
                service.notes.append(first)
            assert first.startswith(f"Annals runs at {service.url}"), first
            yield service
        finally:
            process.terminate()
            service.said = process.stdout.read().decode()
    assert process.returncode == 0


def fresh_addresses() -> dict[str, str]:
    """Settings of a service with free ports, so that two services do not collide."""
    return {"ANNALS_PORT": str(free_port()), "ANNALS_METRICS": f"127.0.0.1:{free_port()}"}


def descendants(pid: int) -> list[int]:
    """The ids of all processes that a process and its children have started."""
    return _descendants(pid, _parents())


def _parents() -> dict[int, int]:
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    return parents


def _descendants(pid: int, parents: dict[int, int]) -> list[int]:
    children = [child for child, parent in parents.items() if parent == pid]
    return [one for child in children for one in (child, *_descendants(child, parents))]
