"""The lock of a data folder, for one service at a time, and whether this user can use its files."""

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
READ, WRITE = os.R_OK, os.R_OK | os.W_OK
NEEDED = {"redis": WRITE, "redis/appendonlydir": WRITE, "queue": WRITE, "log": WRITE, "tlog": READ}
"""The folders of the data in which the service writes, and what it needs to do with their files:
those of the log are replaced.
"""


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


def find_foreign(data: Path) -> Path | None:
    """Return a file or folder of the data that this user can't use; None if there is none."""
    if not os.access(data, WRITE | os.X_OK):
        return data
    for name, rights in NEEDED.items():
        folder = data / name
        if not folder.is_dir():
            continue
        if not os.access(folder, WRITE | os.X_OK):
            return folder
        for path in sorted(folder.iterdir()):
            if path.is_file() and not os.access(path, rights):
                return path
    return None


def describe_foreign(path: Path) -> str:
    """Return that this user can't use a file or folder."""
    return f"This user can't read and write {path}."


def cure_foreign(data: Path) -> str:
    """Return how this user gets the right to use all files of the data."""
    user = os.getuid()
    return f"Run Annals as the owner of {data}, or give it to this user: chown -R {user} {data}"


def refuse_foreign(data: Path) -> None:
    """Raise CannotRun if this user can't use all files of the data."""
    if path := find_foreign(data):
        raise CannotRun(f"{describe_foreign(path)} {cure_foreign(data)}")
