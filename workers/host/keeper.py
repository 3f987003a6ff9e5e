"""Watches over a running service: announces its address, guards the disk, keeps the mark, and
serves the metrics.

It is a process, because the supervisor may have neither threads nor connections.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread

from service.runtime.errors import StoreUnavailable
from service.runtime.settings import Settings
from workers.host.errors import say
from workers.host.redis.disk_guard import guard_disk
from workers.host.redis.high_water_mark import keep_mark
from workers.host.redis.truncated_tail import TruncatedTail
from workers.host.supervisor import UP

READY_SECONDS = 60
RETRY_S = 2.0
"""How long the metrics wait before they try again to listen at their address."""


class Keeper:
    """The keeper of a service. It reports to its parent through a pipe, followed by a signal."""

    def __init__(self, settings: Settings, tail: TruncatedTail, pipe: int) -> None:
        self._settings = settings
        self._tail = tail
        self._pipe = pipe
        self._stop, self._disk_is_checked = Event(), Event()

    def main(self) -> None:
        """Watch until a signal, and then until Redis has gone."""
        signal.signal(signal.SIGTERM, lambda *_: self._stop.set())
        if self._settings.owns_redis:
            watched = (self._settings, self._disk_is_checked, self._stop)
            Thread(target=guard_disk, args=watched, daemon=True).start()
        else:
            self._disk_is_checked.set()
        Thread(target=self._announce, daemon=True).start()
        keep_mark(self._settings, self._stop, self._report)
        while not self._stop.is_set():  # a cluster has no mark
            self._stop.wait(3600)

    def _announce(self) -> None:
        """Print the address of the service once it answers, and serve the metrics."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._settings.host, self._settings.host)  # noqa: S104 - no bind
        address = f"{f'[{host}]' if ':' in host else host}:{self._settings.port}"
        url = f"http://{address}"
        deadline = time.monotonic() + READY_SECONDS
        while not (self._disk_is_checked.is_set() and is_ready(address)):
            if self._stop.wait(0.1):
                return
            if time.monotonic() > deadline:
                say(f"Not ready yet; see the logs in {self._settings.data / 'log'}")
                deadline = float("inf")
        self._report(UP)
        problem = self._start_metrics()
        for sentence in (*self._tail.describe(), problem):
            if sentence:
                say(f"Note: {sentence}")
        say(f"Annals runs at {url} - docs at {url}/docs - Ctrl-C stops it")
        while problem and not self._stop.wait(RETRY_S):
            problem = self._start_metrics()

    def _start_metrics(self) -> str:
        """Start to serve the metrics, unless they are off; returns why it failed, if it did."""
        if self._settings.metrics_address:
            from workers.host.metrics import start_metrics  # loaded while Redis starts

            try:
                start_metrics(self._settings)
            except (OSError, StoreUnavailable) as error:
                return f"The metrics have to wait: {error}"
        return ""

    def _report(self, line: str) -> None:
        os.write(self._pipe, f"{line}\n".encode())
        os.kill(os.getppid(), signal.SIGUSR1)


def is_ready(address: str) -> bool:
    """Return whether the service at this host and port is ready."""
    try:
        with closing(HTTPConnection(address, timeout=2)) as connection:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
