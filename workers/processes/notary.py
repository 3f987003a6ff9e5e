"""The signer process: runs the checkpoint signer of the transparency log, and its witnesses."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from threading import Event
from urllib.parse import urlsplit

import structlog

from projections.core.scripts import with_single_connection
from service.accounts.house import House, HouseRecord
from service.matches.container import wall_clock
from service.runtime import metrics
from service.runtime.settings import BadSetting, Settings
from service.store.archive.reader import open_archive
from service.store.event_store import EventStore
from service.store.redis_client import connect
from service.tlog.checkpoint_signer import CheckpointSigner
from service.tlog.errors import LogBusy, LogInconsistent
from service.tlog.folder import Folder
from service.tlog.keys import Keys
from service.tlog.witnesses import Witness, read_witnesses, start_threads
from workers.dispatch.log_once import FailureLog

POLL_S = 1.0
RETRY_S = 2.0
"""How soon to retry after the log has stopped."""
NICE = 10
"""Niceness of the process: moves come before the log."""
PATH = "/v1/log"
log = structlog.get_logger()


def main(settings: Settings) -> None:
    """Run the signer until the process gets a signal."""
    assert settings.tlog_folder
    os.nice(NICE)
    stop, failures = Event(), FailureLog()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    folder = Folder(settings.tlog_folder)
    witnesses = read_witnesses(settings.tlog_witnesses)
    redis, archive = with_single_connection(connect(settings.events_url)), open_archive(settings)
    store = EventStore(redis, settings.partitions, archive)
    runner = LogRunner(settings, folder, store)
    while not stop.is_set():
        failures.run("run_tlog", lambda: runner.run(witnesses, stop))
        stop.wait(RETRY_S)


class LogRunner:
    """Runs the signer, and logs each reason to stop once."""

    def __init__(self, settings: Settings, folder: Folder, store: EventStore) -> None:
        self._settings, self._folder, self._store = settings, folder, store
        self._reported_reason = ""

    def run(self, witnesses: Sequence[Witness], stop: Event) -> None:
        """Run the signer until `stop` is set or the log stops.

        The folder then says why, unless another process has locked it.
        """
        try:
            with self._folder.lock():
                try:
                    self._run_signer(witnesses, stop)
                except (LogInconsistent, BadSetting) as reason:
                    self._folder.set_stop_reason(str(reason))
                    metrics.TLOG_STOPPED.set(1)
                    self._report_stopped("tlog_stopped", str(reason))
        except LogBusy as reason:
            self._report_stopped("tlog_busy", str(reason))

    def _run_signer(self, witnesses: Sequence[Witness], stop: Event) -> None:
        signer = open_signer(self._settings, self._folder, self._store)
        ended, more = Event(), True
        threads = start_threads(witnesses, signer, ended)
        try:
            while more or not stop.wait(POLL_S):
                if signer.state.may_take(find_origin(self._settings, self._store)):
                    return  # it is opened again
                more = signer.step(wall_clock()) and not stop.is_set()
                self._report_running(signer.state.size)
        finally:
            ended.set()
            for thread in threads:
                thread.join(1)

    def _report_running(self, size: int) -> None:
        metrics.TLOG_LEAVES.set(size)
        if self._reported_reason or self._folder.stop_reason:
            self._reported_reason = ""
            self._folder.set_stop_reason(None)
            log.info("tlog_resumed")
        metrics.TLOG_STOPPED.set(0)

    def _report_stopped(self, event: str, reason: str) -> None:
        if reason != self._reported_reason:
            self._reported_reason = reason
            log.critical(event, reason=reason)


def open_signer(settings: Settings, folder: Folder, store: EventStore) -> CheckpointSigner:
    """Return the signer of the log that the settings name."""
    keys = Keys(folder.path, settings.tlog_keys)
    origin = find_origin(settings, store)
    return CheckpointSigner(folder, store, keys, origin, bool(settings.tlog_origin))


def find_origin(settings: Settings, store: EventStore) -> str:
    """Return the origin of a new log: its URL without the scheme."""
    if settings.tlog_origin:
        return settings.tlog_origin
    house = House() if settings.public_url else HouseRecord(store.redis, 0).read()
    parts = urlsplit(house.public_url or settings.base_url)
    return f"{parts.netloc}{parts.path}{PATH}".replace("+", "-")
