"""Watches over a running service: announces its address, guards the disk, keeps the mark, serves
the metrics, and says on the console when the transparency log stops.

It is a process, because the supervisor may have neither threads nor connections.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import closing, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread

import msgspec
from redis.exceptions import RedisError

from service.accounts.operators import Operators
from service.runtime.logs import end_with_threads
from service.runtime.settings import RUN_VARIABLE, Settings
from service.store.redis_client import connect
from service.tlog.folder import Folder
from workers.host.errors import say
from workers.host.redis.disk_guard import guard_disk
from workers.host.redis.high_water_mark import keep_mark
from workers.host.redis.truncated_tail import TruncatedTail
from workers.host.supervisor import UP

READY_SECONDS = 60
LOG_INTERVAL_S = 2.0
"""How often the keeper looks whether the transparency log has stopped."""
LOG_CONTINUES = "The transparency log continues."


class Readiness(msgspec.Struct, frozen=True):
    """The part of an answer of `/readyz` that identifies a run."""

    run: str | None = None


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
        end_with_threads(lambda info: sys.excepthook(*info))
        if self._settings.owns_redis:
            watched = (self._settings, self._disk_is_checked, self._stop)
            Thread(target=guard_disk, args=watched, daemon=True).start()
        else:
            self._disk_is_checked.set()
        if self._settings.metrics_address:
            Thread(target=self._serve_metrics, daemon=True).start()
        Thread(target=self._announce, daemon=True).start()
        keep_mark(self._settings, self._stop, self._report)
        while not self._stop.is_set():  # a cluster has no mark
            self._stop.wait(3600)

    def _announce(self) -> None:
        """Print the address of the service once it answers; then follow the transparency log."""
        address = address_here(self._settings)
        url = f"http://{address}"
        deadline = time.monotonic() + READY_SECONDS
        while not (self._disk_is_checked.is_set() and is_ready(address)):
            if self._stop.wait(0.1):
                return
            if time.monotonic() > deadline:
                say(f"Not ready yet; see the logs in {self._settings.data / 'log'}")
                deadline = float("inf")
        self._report(UP)
        for sentence in self._tail.describe():
            say(f"Note: {sentence}")
        offer_setup(self._settings, url)
        say(f"Annals runs at {url} - docs at {url}/docs - Ctrl-C stops it")
        if self._settings.tlog_folder:
            follow_log(Folder(self._settings.tlog_folder), self._stop)

    def _serve_metrics(self) -> None:
        """Serve the metrics, whether the service is ready or not."""
        from workers.host.metrics import serve_metrics  # loaded while Redis starts

        said = set()

        def report(error: Exception) -> None:
            if isinstance(error, OSError) and str(error) not in said:
                said.add(str(error))
                say(f"Note: The metrics have to wait: {error}")

        serve_metrics(self._settings, self._stop, report)

    def _report(self, line: str) -> None:
        os.write(self._pipe, f"{line}\n".encode())
        os.kill(os.getppid(), signal.SIGUSR1)


def address_here(settings: Settings) -> str:
    """Return host and port at which this machine reaches the service."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - no bind
    return f"{f'[{host}]' if ':' in host else host}:{settings.port}"


def is_ready(address: str) -> bool:
    """Return whether this run of the service answers at this host and port, and is ready."""
    try:
        with closing(HTTPConnection(address, timeout=2)) as connection:
            connection.request("GET", "/readyz")
            answer = connection.getresponse()
            found = msgspec.json.decode(answer.read(), type=Readiness)
            return answer.status == HTTPStatus.OK and found.run == os.environ.get(RUN_VARIABLE)
    except (OSError, HTTPException, msgspec.MsgspecError):
        return False


def offer_setup(settings: Settings, url: str) -> None:
    """Print a link that makes its visitor the first operator, unless there is one. `url` is the
    address on this machine.
    """
    with suppress(RedisError), closing(connect(settings.events_url)) as redis:
        operators = Operators(redis)
        if not operators.ids():
            link = operators.issue_link(settings.public_url.rstrip("/") or url)
            say(f"Note: There is no operator yet. To become one, open this link: {link}")


def follow_log(folder: Folder, stop: Event) -> None:
    """Say why the transparency log stops, and when it continues, until `stop` is set."""
    said = None
    while not stop.wait(LOG_INTERVAL_S):
        reason = folder.stop_reason
        if reason != said:
            say(f"The transparency log signs nothing: {reason}" if reason else LOG_CONTINUES)
            said = reason
