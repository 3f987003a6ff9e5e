"""The folder in which processes on the same data share their figures (`/metrics`)."""

from contextlib import suppress
from os import environ
from pathlib import Path

from service.processes import lives


def share_figures(folder: Path) -> None:
    """Let this process write its figures there; before it loads what counts."""
    folder.mkdir(parents=True, exist_ok=True)
    environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def forget_ended(folder: Path) -> None:
    """Delete what was counted by processes that have ended."""
    for file in folder.glob("*.db"):
        if not lives(int(file.stem.rpartition("_")[2])):
            with suppress(FileNotFoundError):
                file.unlink()
