"""A folder for files that only one command needs, in the temporary folder of the system."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp

PREFIX = "annals-scratch-"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield an empty folder, and delete it after the block, and before it those that killed
    commands of this user have left.
    """
    for path in Path(gettempdir()).glob(f"{PREFIX}*"):
        _delete_abandoned(path)
    path, lock = _create_locked()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def _create_locked() -> tuple[Path, int]:
    """Return a new folder, and the descriptor that holds its lock until this process ends."""
    while True:
        path = Path(mkdtemp(prefix=PREFIX))
        with suppress(OSError):  # another command deletes it: it had no lock yet
            if (lock := _lock(path)) is not None:
                if path.exists():
                    return path, lock
                os.close(lock)


def _delete_abandoned(path: Path) -> None:
    """Delete a folder of this user that no process has locked."""
    with suppress(OSError):  # another user's, a link, or gone
        if path.lstat().st_uid == os.getuid() and (lock := _lock(path)) is not None:
            shutil.rmtree(path, ignore_errors=True)
            os.close(lock)


def _lock(path: Path) -> int | None:
    """Return the descriptor that holds the lock of a folder; None if another process has it."""
    found = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(found, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(found)
        return None
    return found
