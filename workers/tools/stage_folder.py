"""A folder for the unfinished files of a command, which one process at a time may use."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workers.host.errors import CannotRun


class StageInUse(CannotRun):
    """Another process does such a task now."""


@contextmanager
def hold_stage(folder: Path, task: str) -> Iterator[Path]:
    """Yield an empty folder for the stage of this kind of task, under a lock. Raises StageInUse if
    another process has it.

    Files of a killed process are deleted.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (folder / "lock").open("a")
    except OSError as error:
        raise CannotRun(f"Cannot write in {folder} ({error.strerror}).") from None
    with lock:  # released when the process ends
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StageInUse(
                f"Another {task} is writing there: wait until it has finished."
            ) from None
        files = folder / "files"
        shutil.rmtree(files, ignore_errors=True)
        files.mkdir()
        try:
            yield files
        finally:
            shutil.rmtree(files, ignore_errors=True)
