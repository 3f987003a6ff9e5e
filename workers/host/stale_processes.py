"""Ends processes that an earlier run on the same data folder has left, for example after a kill."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

RUN_VARIABLE = "ANNALS_RUN"
"""The environment variable that all processes of a run have: the data folder."""
STOP_SECONDS = 5
PROCESSES = Path("/proc")


def end_stale_processes(data: Path) -> Iterator[str]:
    """End every process of an earlier run on this folder, and yield a sentence for each.

    The caller must hold the lock of the folder, so that no run is active. Without /proc, as outside
    Linux, no process is found.
    """
    stale = dict(find_processes(data))
    for pid in stale:
        send_signal(pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    while any(find_processes(data)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid in dict(find_processes(data)):  # ids may have been reused
        send_signal(pid, signal.SIGKILL)
    for pid, name in stale.items():
        yield f"{name} (process {pid}) was left by an earlier run and has been stopped."


def find_processes(data: Path) -> Iterator[tuple[int, str]]:
    """Yield the id and the command of each other process that a run on this folder has started."""
    setting, own = f"{RUN_VARIABLE}={data}", str(os.getpid())
    for folder in PROCESSES.glob("[0-9]*"):
        if folder.name == own:
            continue
        with suppress(OSError):  # another user owns it, or it has just ended
            if setting in read_words(folder / "environ"):
                yield int(folder.name), " ".join(read_words(folder / "cmdline"))


def read_words(file: Path) -> list[str]:
    """Return the words of a kernel file, each of which ends with a zero byte."""
    return os.fsdecode(file.read_bytes()).split("\0")[:-1]


def send_signal(pid: int, number: signal.Signals) -> None:
    """Send a signal, unless the process has ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
