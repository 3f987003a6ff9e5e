"""Watches over a running service: announces its address, guards the disk, keeps the mark, serves
the metrics and keeps samples of them, and says on the console when the transparency log stops, or a
backup or a daily task fails.

It is a process, because the supervisor may have neither threads nor connections.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread

import msgspec
from redis import Redis

from service.accounts.look_index import LookReport, add_looks, has_all_looks
from service.accounts.operators import Operators
from service.admin.data_folder import describe_fault
from service.admin.error_log import last_failure
from service.admin.samples import keep_samples
from service.live.backlog import BacklogReader
from service.matches.container import open_annals
from service.runtime.errors import REDIS_ERRORS
from service.runtime.logs import end_with_threads, lasting_thread
from service.runtime.settings import RUN_VARIABLE, Settings
from service.store.backup_state import read_state
from service.store.redis_client import connect
from service.store.store_format import record_program
from service.tlog.folder import Folder
from workers.host.errors import say
from workers.host.redis.disk_guard import guard_disk
from workers.host.redis.high_water_mark import keep_mark
from workers.host.redis.truncated_tail import TruncatedTail
from workers.host.supervisor import UP

READY_SECONDS = 60
LOOK_INTERVAL_S = 2.0
"""How often the keeper looks for troubles."""
LOOKS_PAUSE_S = 60.0
"""How long a service runs before the keeper looks whether all names have the keys of their looks,
and how long it waits if Redis refuses.
"""
MAX_ALIKE = 10
"""How many names that look alike the console names."""
DAILY = {"archive": "archived", "export": "exported"}
"""The tasks that run once a day, with the event that they log when they are done."""


class Readiness(msgspec.Struct, frozen=True):
    """The part of an answer of `/readyz` that identifies a run, and counts the proxies between."""

    run: str | None = None
    forwarded: int | None = None


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
            lasting_thread(self._stop, guard_disk, *watched).start()
        else:
            self._disk_is_checked.set()
        if self._settings.metrics_address:
            Thread(target=self._serve_metrics, daemon=True).start()
        samples = (self._settings, self._stop, note_once("A sample of the metrics is missing"))
        lasting_thread(self._stop, keep_samples, *samples).start()
        lasting_thread(self._stop, self._announce).start()
        lasting_thread(self._stop, complete_looks, self._settings, self._stop).start()
        keep_mark(self._settings, self._stop, self._report)
        while not self._stop.is_set():  # a cluster has no mark
            self._stop.wait(3600)

    def _announce(self) -> None:
        """Print the address of the service once it answers; then follow what goes wrong."""
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
        note_program(self._settings)
        for sentence in self._tail.describe():
            say(f"Note: {sentence}")
        offer_setup(self._settings, url)
        say(f"Annals runs at {url} - docs at {url}/docs - Ctrl-C stops it")
        follow_troubles(self._settings, self._stop)

    def _serve_metrics(self) -> None:
        """Serve the metrics, whether the service is ready or not."""
        from workers.host.metrics import serve_metrics  # loaded while Redis starts

        note = note_once("The metrics have to wait")

        def report(error: Exception) -> None:
            if isinstance(error, OSError):
                note(error)

        serve_metrics(self._settings, self._stop, report)

    def _report(self, line: str) -> None:
        os.write(self._pipe, f"{line}\n".encode())
        os.kill(os.getppid(), signal.SIGUSR1)


def note_once(sentence: str) -> Callable[[Exception], None]:
    """Return a function that says this sentence with an error, unless it has said the same."""
    said: set[str] = set()

    def note(error: Exception) -> None:
        if str(error) not in said:
            said.add(str(error))
            say(f"Note: {sentence}: {error}")

    return note


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


def note_program(settings: Settings) -> None:
    """Record in the store that this program runs the service."""
    with suppress(*REDIS_ERRORS), closing(connect(settings.events_url)) as redis:
        record_program(redis)


def complete_looks(settings: Settings, stop: Event) -> None:
    """Once, give names that older versions took the keys of all their looks, and say which look
    alike.

    It waits before, since after a reload old processes still take names for a while.
    """
    is_done = False
    while not stop.wait(None if is_done else LOOKS_PAUSE_S):
        with suppress(*REDIS_ERRORS), closing(connect(settings.events_url)) as redis:
            for sentence in [] if has_all_looks(redis) else _add_looks(redis):
                say(f"Note: {sentence}")
            is_done = True


def _add_looks(redis: Redis) -> Iterator[str]:
    deque(add_looks(redis, report := LookReport()), maxlen=0)
    if added := report.describe_added():
        yield added
    yield from map(str, report.alike[:MAX_ALIKE])
    if (more := len(report.alike) - MAX_ALIKE) > 0:
        yield f"{more} more names look alike: `annals rebuild looks` names all."


def offer_setup(settings: Settings, url: str) -> None:
    """Print a link that makes its visitor the first operator, unless there is one; while an earlier
    link is valid, print how to get another. `url` is the address on this machine.
    """
    with suppress(*REDIS_ERRORS), closing(connect(settings.events_url)) as redis:
        operators = Operators(redis)
        if operators.ids():
            return
        if operators.has_link():
            say(
                "Note: There is no operator yet. Open the link that was printed before, or print"
                " another with `annals admin setup`."
            )
        else:
            link = operators.issue_link(settings.public_url.rstrip("/") or url)
            say(f"Note: There is no operator yet. To become one, open this link: {link}")


def describe_log(settings: Settings) -> str:
    """Return a sentence about why the transparency log stops; empty while it grows."""
    reason = Folder(settings.tlog_folder).stop_reason if settings.tlog_folder else None
    return f"The transparency log signs nothing: {reason}" if reason else ""


def describe_backups(settings: Settings) -> str:
    """Return a sentence about the last backup, if it failed."""
    return read_state(settings.data).describe_failure() if settings.backup else ""


def describe_backlog(settings: Settings, reader: BacklogReader) -> str | None:
    """Return a sentence about lists that are behind the matches, empty if they are not, or None
    while Redis does not answer.
    """
    backlog = reader.read()
    if backlog is None or not backlog.is_behind:
        return None if backlog is None else ""
    log = settings.data / "log" / "projector.log"
    return (
        f"The lists of matches, webhooks and ratings are behind: the projector does not work, or"
        f" has more work than it can do; see {log}."
    )


def describe_daily(settings: Settings, task: str) -> str:
    """Return a sentence about the last run of a daily task, if it failed."""
    log = settings.data / "log" / f"{task}-daily.log"
    failure = last_failure(log, (f"{task}_failed", f"{task}_refused"), DAILY[task])
    if failure is None:
        return ""
    return f"The daily {task} failed: {failure.detail.rstrip('.')}. It is tried again within a day."


def list_troubles(settings: Settings) -> Mapping[str, Callable[[], str | None]]:
    """Return how to describe each trouble, by the sentence that it is over."""
    backlog = BacklogReader(open_annals(settings))
    watched = settings.data, settings.disk_reserve_mb
    return {
        f"{settings.data} can be written again.": partial(describe_fault, *watched),
        "The transparency log continues.": partial(describe_log, settings),
        "Backups work again.": partial(describe_backups, settings),
        "The lists are up to date again.": partial(describe_backlog, settings, backlog),
        **{
            f"The daily {task} works again.": partial(describe_daily, settings, task)
            for task in DAILY
        },
    }


def follow_troubles(settings: Settings, stop: Event) -> None:
    """Say what is wrong, and when it is over, until `stop` is set."""
    troubles = list_troubles(settings)
    said = dict.fromkeys(troubles, "")
    while not stop.wait(LOOK_INTERVAL_S):
        for over, describe in troubles.items():
            trouble = describe()
            if trouble not in (None, said[over]):
                say(trouble or over)
                said[over] = trouble
