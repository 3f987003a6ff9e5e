"""The service as an operator runs it on several machines: events on a cluster of three masters with
a replica each, queues on a plain Redis, each process separate.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from itertools import cycle
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from tests.support.cluster_of_six import REPLICA_REQUIRED, Cluster, cluster_of_six
from tests.support.patience import PATIENCE_S, eventually
from tests.support.ports import free_port
from tests.support.redis_process import RedisProcess
from tests.support.warm_start import run_command, start_command

ROOT = Path(__file__).resolve().parents[2]
Mode = Literal["a", "b", "c"]
"""The durability of an acknowledged move, as in docs/operations.md."""
NODES: Mapping[Mode, Mapping[str, str]] = {"a": {}, "b": REPLICA_REQUIRED, "c": REPLICA_REQUIRED}
"""Further settings of the Redis servers."""
ACKNOWLEDGED_BY: Mapping[Mode, str] = {"a": "server", "b": "server", "c": "replica"}
HALVES = ("0-7", "8-15")
PROCESSES: Sequence[tuple[str, ...]] = (
    *(("projector", "--partitions", half) for half in HALVES),
    ("worker",),
    ("worker", "--quick"),
)
"""The processes beside the web servers."""
WEB_SERVERS = 2
SETTINGS = {
    "ANNALS_WARM_UP": "0",
    "ANNALS_LOG_LEVEL": "warning",
    "ANNALS_MAX_TABLES": "0",
    "ANNALS_METRICS": "off",
    "ANNALS_RATE": "0",
    "ANNALS_RATE_PER_ADDRESS": "0",
    "ANNALS_PROCESSOR_SECONDS": "0",
    "ANNALS_REGISTRATIONS": "0",
    "ANNALS_TLOG": "off",
    "ANNALS_WEB_PROCESSES": "1",
}
AWAY = (URLError, HTTPException, OSError, json.JSONDecodeError)


class Answer(NamedTuple):
    """The outcome of a request: status and JSON."""

    status: int
    content: Any


class Client:
    """A client that calls the web servers in turn, and retries while one fails."""

    def __init__(self, urls: Sequence[str], name: str) -> None:
        self._urls = cycle(urls)
        self._token = ""
        said = self.insist("POST", "/v1/players", {"name": name}).content
        self.id, self._token = said["player"]["id"], said["token"]

    def insist(self, method: str, path: str, body: Any = None, key: str = "") -> Answer:
        """The answer; retries while a part of the service is unavailable."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(*AWAY):
                answer = self._send(method, path, body, key)
                if answer.status != 503:
                    return answer
            time.sleep(0.05)
        raise TimeoutError(f"no answer from {path}")

    def get(self, path: str) -> Any:
        """The JSON of a resource."""
        answer = self.insist("GET", path)
        assert answer.status == 200, answer
        return answer.content

    def _send(self, method: str, path: str, body: Any, key: str) -> Answer:
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if key:
            headers["Idempotency-Key"] = key
        data = None if body is None else json.dumps(body).encode()
        request = Request(next(self._urls) + path, data, headers, method=method)
        try:
            with urlopen(request, timeout=60) as answer:
                return Answer(answer.status, json.loads(answer.read() or b"null"))
        except HTTPError as error:
            return Answer(error.code, json.load(error))


class Spread:
    """The running service."""

    def __init__(self, cluster: Cluster, environ: Mapping[str, str], ports: Sequence[int]) -> None:
        self.cluster = cluster
        self.environ = environ
        self.urls = [f"http://127.0.0.1:{port}" for port in ports]

    def annals(self) -> Annals:
        """The recorded matches, read by a separate client."""
        return open_annals(read_settings(self.environ))

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The output of an `annals` command about this service."""
        return run_command(words, self.environ)


@contextmanager
def spread_service(folder: Path, mode: Mode, **settings: str) -> Iterator[Spread]:
    """The service with all its processes running, until the end of the block."""
    queue_folder = folder / "queue"
    queue_folder.mkdir(parents=True)
    with ExitStack() as stack:
        six = stack.enter_context(cluster_of_six(folder / "six", NODES[mode]))
        queue = RedisProcess(queue_folder, "--appendonly", "no", tcp=True)
        stack.callback(queue.kill)
        environ = {
            **os.environ, **SETTINGS, **settings,
            "ANNALS_ACKNOWLEDGE": ACKNOWLEDGED_BY[mode],
            "ANNALS_DATA": str(folder / "data"),
            "EVENTS_REDIS_URL": six.url,
            "QUEUE_REDIS_URL": queue.url,
        }  # fmt: skip
        environ.pop("REDIS_URL", None)
        ports = [free_port() for _ in range(WEB_SERVERS)]
        for port in ports:
            stack.enter_context(_running(("web",), folder, {**environ, "ANNALS_PORT": str(port)}))
        for words in PROCESSES:
            stack.enter_context(_running(words, folder, environ))
        spread = Spread(six, environ, ports)
        for url in spread.urls:
            eventually(lambda url=url: urlopen(f"{url}/readyz", timeout=5))  # type: ignore[misc]
        yield spread


@contextmanager
def _running(words: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Iterator[None]:
    """A process of the service; it has to run until it is stopped."""
    with (folder / "log").open("ab") as log:
        process = start_command(words, environ, log.fileno(), log.fileno())
    try:
        yield
        assert process.poll() is None, f"annals {' '.join(words)} has ended"
    finally:
        process.terminate()
        process.wait()
