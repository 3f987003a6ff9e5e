"""What an earlier run on the same data folder left behind, such as after a kill at a bad moment."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MARK = "ANNALS_RUN"
"""The variable in the environment of all processes of a run: the data folder."""
STOP_SECONDS = 5
PROCESSES = Path("/proc")


def end_leftovers(data: Path) -> Iterator[str]:
    """End every process of an earlier run on this folder; a sentence for each.

    Only for whoever holds the lock of the folder: then no run is going on, and none is begun.
    Where processes cannot be looked at as on Linux, none are found.
    """
    left = dict(of_run(data))
    for pid in left:
        send(pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    while any(of_run(data)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid in dict(of_run(data)):  # not whoever has one of their numbers by now
        send(pid, signal.SIGKILL)
    for pid, name in left.items():
        yield f"{name} (process {pid}) was left by an earlier run; it has been ended."


def of_run(data: Path) -> Iterator[tuple[int, str]]:
    """The number and the command of each other process that a run on this folder started."""
    mark, own = f"{MARK}={data}", str(os.getpid())
    for folder in PROCESSES.glob("[0-9]*"):
        if folder.name == own:
            continue
        with suppress(OSError):  # it is somebody else's, or has just ended
            if mark in words(folder / "environ"):
                yield int(folder.name), " ".join(words(folder / "cmdline"))


def words(file: Path) -> list[str]:
    """The words of a file of the kernel, each of which ends with a zero byte."""
    return os.fsdecode(file.read_bytes()).split("\0")[:-1]


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal, unless the process has ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
