"""The folder in which processes on the same data share their metrics."""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
MEMORY = Path("/dev/shm")  # noqa: S108 - only its owner may enter what we make there


def metrics_folder(data: Path) -> Path:
    """The folder for the processes on this data folder; made, for its owner alone.

    Counts are written to mapped memory, and where the disk is full that kills the process. So they
    are kept in memory where there is a folder for that, and else with the data.
    """
    if given := os.environ.get(VARIABLE):
        return Path(given)
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:24]
    for place in places_in_memory():
        with suppress(OSError):
            return private(private(place) / name)
    return private(data / "metrics")


def places_in_memory() -> Iterator[Path]:
    """Where we may have a folder that is on no disk, the best first."""
    if given := os.environ.get("XDG_RUNTIME_DIR"):
        yield Path(given) / "annals"
    if MEMORY.is_dir():
        yield MEMORY / f"annals-{os.getuid()}"


def private(folder: Path) -> Path:
    """The folder, made if need be; OSError if it is not its owner's alone."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{folder} is open to others.")
    return folder


def share_metrics(folder: Path) -> None:
    """Let this process write its metrics there; before it loads what counts."""
    os.environ[VARIABLE] = str(folder)


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
