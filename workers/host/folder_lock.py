"""The lock of a data folder: one service at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from workers.host.errors import CannotRun, writable

LOCK_FILE = "annals.lock"
"""Its content is the process id of the holder."""


class AlreadyRunning(CannotRun):
    """Another process holds the data folder."""


@contextmanager
def hold_folder(data: Path, taken_over: int | None = None) -> Iterator[IO[str]]:
    """Hold the lock of this data folder; yields its file. `taken_over` is the file descriptor of a
    lock that this process holds already.
    """
    with writable(data):
        (data / "log").mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (data / LOCK_FILE).open("a+") if taken_over is None else os.fdopen(taken_over, "a+")
    with lock:  # the system releases it when this process ends
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise AlreadyRunning(
                f"Annals is already running with the data in {data} (process {lock.read()})."
            ) from None
        os.set_inheritable(lock.fileno(), False)
        if taken_over is None:
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
        yield lock


def holder(data: Path) -> int | None:
    """Return the process id of the service that holds this data folder; None if there is none."""
    try:
        with (data / LOCK_FILE).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return None
    except BlockingIOError:
        return int((data / LOCK_FILE).read_text() or 0) or None
    return None
