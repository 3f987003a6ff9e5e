"""The folder in which processes on the same data share their metrics (`/metrics`)."""

import os
from contextlib import suppress
from pathlib import Path


def share_metrics(folder: Path) -> None:
    """Let this process write its metrics there; before it loads what counts."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def forget_ended(folder: Path) -> None:
    """Delete what was counted by processes that have ended."""
    for file in folder.glob("*.db"):
        if not lives(int(file.stem.rpartition("_")[2])):
            with suppress(FileNotFoundError):
                file.unlink()


def lives(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except OSError as error:
        return isinstance(error, PermissionError)  # it lives, and is somebody else's
    return True
