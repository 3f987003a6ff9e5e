"""The notary: continues the transparency log of the service, and has it witnessed."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from threading import Event
from urllib.parse import urlsplit

import structlog

from projections.scripts import for_one_thread
from service.annals import wall_clock
from service.metrics import instruments
from service.settings import BadSetting, Settings
from service.store import Store, connect
from service.tlog.errors import Contradiction
from service.tlog.folder import Folder
from service.tlog.keys import Keys
from service.tlog.notary import Notary
from service.tlog.witnesses import Witness, read_witnesses, start
from workers.trouble import Trouble

LOOK_S = 1.5
AGAIN_S = 5.0
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
    store = Store(for_one_thread(connect(settings.events_url)), settings.partitions)
    told = ""
    while not stop.is_set():
        trouble.tried("continue_log", lambda: attend(settings, folder, store, witnesses, stop))
        if (reason := folder.refused or "") != told:
            told = reason
            if reason:
                log.critical("log_stopped", why=reason)
        stop.wait(AGAIN_S)


def attend(
    settings: Settings, folder: Folder, store: Store, witnesses: Sequence[Witness], stop: Event
) -> None:
    """Continue the log until told to stop, or until it may not go on: then the folder says why."""
    with folder.held():
        try:
            _attend(settings, folder, store, witnesses, stop)
        except (Contradiction, BadSetting) as reason:
            folder.refuse(str(reason))
            instruments.TLOG_STOPPED.set(1)


def _attend(
    settings: Settings, folder: Folder, store: Store, witnesses: Sequence[Witness], stop: Event
) -> None:
    notary = open_notary(settings, folder, store)
    folder.refuse(None)
    instruments.TLOG_STOPPED.set(0)
    ended = Event()
    asking = start(witnesses, notary, ended)
    try:
        while not stop.is_set():
            more = notary.step(wall_clock())
            instruments.TLOG_LEAVES.set(notary.standing.size)
            if not more:
                stop.wait(LOOK_S)
    finally:
        ended.set()
        for thread in asking:
            thread.join(1)


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
