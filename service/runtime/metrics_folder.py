"""The folder in which the processes on one data folder share their metrics."""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - only its owner may enter what we make there


def metrics_folder(data: Path) -> Path:
    """Return the folder for the processes on this data folder; create it, readable by its owner
    only.

    Counters are written to mapped memory, and a full disk would kill the process on a write. So the
    folder is in memory if there is a file system for that, else with the data.
    """
    if given := os.environ.get(FOLDER_VARIABLE):
        return Path(given)
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:24]
    for folder in memory_folders():
        with suppress(OSError):
            return private_folder(private_folder(folder) / name)
    return private_folder(data / "metrics")


def memory_folders() -> Iterator[Path]:
    """Yield parents for a folder in memory, the best first."""
    if given := os.environ.get("XDG_RUNTIME_DIR"):
        yield Path(given) / "annals"
    if SHARED_MEMORY.is_dir():
        yield SHARED_MEMORY / f"annals-{os.getuid()}"


def private_folder(folder: Path) -> Path:
    """Return the folder; create it if needed. Raises OSError if others can access it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"Other users can access {folder}.")
    return folder


def share_metrics(folder: Path) -> None:
    """Make this process write its metrics there. Call it before importing `prometheus_client`."""
    os.environ[FOLDER_VARIABLE] = str(folder)


def delete_dead_files(folder: Path) -> None:
    """Delete the files of processes that have ended."""
    for file in folder.glob("*.db"):
        if not is_running(int(file.stem.rpartition("_")[2])):
            with suppress(FileNotFoundError):
                file.unlink()


def is_running(pid: int) -> bool:
    """Return whether a process with this id exists."""
    try:
        os.kill(pid, 0)
    except OSError as error:
        return isinstance(error, PermissionError)  # it exists, but belongs to another user
    return True
