"""The notary: continues the transparency log of the service, and has it witnessed."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from threading import Event
from urllib.parse import urlsplit

import structlog

from projections.core.scripts import for_one_thread
from service.matches.container import wall_clock
from service.runtime import metrics
from service.runtime.settings import BadSetting, Settings
from service.store.archive.reader import archive_of
from service.store.event_store import Store
from service.store.redis_client import connect
from service.tlog.checkpoint_signer import Notary
from service.tlog.errors import Busy, Contradiction
from service.tlog.folder import Folder
from service.tlog.keys import Keys
from service.tlog.witnesses import Witness, read_witnesses, start
from workers.dispatch.log_once import Trouble

LOOK_S = 1.0
AGAIN_S = 2.0
"""How soon it is tried again to go on with a log that is not signed now."""
NICE = 10
"""The priority: moves do not wait for the log."""
PATH = "/v1/log"
log = structlog.get_logger()


def main(settings: Settings) -> None:
    """Continue the log until told to stop."""
    assert settings.tlog_folder
    os.nice(NICE)
    stop, trouble = Event(), Trouble()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    folder = Folder(settings.tlog_folder)
    witnesses = read_witnesses(settings.tlog_witnesses)
    redis, archive = for_one_thread(connect(settings.events_url)), archive_of(settings)
    store = Store(redis, settings.partitions, archive)
    attended = Attended(settings, folder, store)
    while not stop.is_set():
        trouble.tried("continue_log", lambda: attended.go_on(witnesses, stop))
        stop.wait(AGAIN_S)


class Attended:
    """A log, continued as far as it may be, and what was told of why it may not."""

    def __init__(self, settings: Settings, folder: Folder, store: Store) -> None:
        self._settings, self._folder, self._store = settings, folder, store
        self._told = ""

    def go_on(self, witnesses: Sequence[Witness], stop: Event) -> None:
        """Continue the log until told to stop, or until it may not go on: then the folder says why,
        unless it is somebody else's.
        """
        try:
            with self._folder.held():
                try:
                    self._go_on(witnesses, stop)
                except (Contradiction, BadSetting) as reason:
                    self._folder.refuse(str(reason))
                    metrics.TLOG_STOPPED.set(1)
                    self._tell("log_stopped", str(reason))
        except Busy as reason:
            self._tell("log_busy", str(reason))

    def _go_on(self, witnesses: Sequence[Witness], stop: Event) -> None:
        notary = open_notary(self._settings, self._folder, self._store)
        ended, more = Event(), True
        asking = start(witnesses, notary, ended)
        try:
            while more or not stop.wait(LOOK_S):
                more = notary.step(wall_clock()) and not stop.is_set()
                self._goes_on(notary.standing.size)
        finally:
            ended.set()
            for thread in asking:
                thread.join(1)

    def _goes_on(self, size: int) -> None:
        metrics.TLOG_LEAVES.set(size)
        if self._told or self._folder.refused:
            self._told = ""
            self._folder.refuse(None)
            log.info("log_goes_on")
        metrics.TLOG_STOPPED.set(0)

    def _tell(self, event: str, why: str) -> None:
        if why != self._told:
            self._told = why
            log.critical(event, why=why)


def open_notary(settings: Settings, folder: Folder, store: Store) -> Notary:
    """The notary of the log that the settings name."""
    keys = Keys(folder.path, settings.tlog_keys)
    return Notary(folder, store, keys, origin_of(settings), bool(settings.tlog_origin))


def origin_of(settings: Settings) -> str:
    """The origin of a log that begins: where it is found, without the scheme."""
    if settings.tlog_origin:
        return settings.tlog_origin
    parts = urlsplit(settings.own_url)
    return f"{parts.netloc}{parts.path}{PATH}".replace("+", "-")
