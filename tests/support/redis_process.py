"""A separate Redis for tests that kill it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis

from tests.support.patience import eventually
from tests.support.ports import free_port
from workers.host.redis.server import engines


class RedisProcess:
    """A server on one data folder, which a test can kill and restart."""

    def __init__(self, folder: Path, *options: str, tcp: bool = False) -> None:
        self.folder = folder
        port = free_port() if tcp else 0
        self.url = f"redis://127.0.0.1:{port}" if tcp else f"unix://{folder}/redis.sock"
        listen = ["--port", str(port), "--bind", "127.0.0.1"]
        socket = [] if tcp else ["--unixsocket", f"{folder}/redis.sock"]
        keep = ["--dir", str(folder), "--appendonly", "yes", "--appendfsync", "always"]
        program = next(engines()).program
        self._command = [program, *listen, *socket, *keep, "--save", "", *options]
        self.start()

    def start(self) -> None:
        with (self.folder / "redis.log").open("ab") as log:
            self._server = subprocess.Popen(self._command, stdout=log, stderr=log)
        eventually(self._is_up)

    def kill(self) -> None:
        os.kill(self._server.pid, signal.SIGKILL)
        self._server.wait()

    @property
    def pid(self) -> int:
        return self._server.pid

    @property
    def is_running(self) -> bool:
        return self._server.poll() is None

    def client(self) -> Redis:
        return Redis.from_url(self.url, retry=None)

    def _is_up(self) -> bool:
        assert self._server.poll() is None, (self.folder / "redis.log").read_text()
        with self.client() as client:
            return bool(client.ping())


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A cluster of one server; yields its URL."""
    bus = str(free_port())
    server = RedisProcess(folder, "--cluster-enabled", "yes", "--cluster-port", bus, tcp=True)
    try:
        with server.client() as client:
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
            eventually(lambda: b"cluster_state:ok" in client.execute_command("CLUSTER", "INFO"))
        yield f"{server.url}?cluster=true"
    finally:
        server.kill()
