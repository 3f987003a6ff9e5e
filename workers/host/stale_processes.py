"""Ends processes that an earlier run on the same data folder has left, for example after a kill."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

RUN_FILE = "annals.run"
"""The file in the data folder that all processes of a run, and only they, have open."""
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


def open_run_file(data: Path, taken_over: int | None = None) -> IO[str]:
    """Open the file by which processes of a run are found; children inherit it. `taken_over` is its
    file descriptor, if this process has it open already.
    """
    file = (data / RUN_FILE).open("a") if taken_over is None else os.fdopen(taken_over, "a")
    os.set_inheritable(file.fileno(), True)
    return file


def find_processes(data: Path) -> Iterator[tuple[int, str]]:
    """Yield the id and the command of each other process of a run on this folder."""
    file, own = str(data / RUN_FILE), str(os.getpid())
    for folder in PROCESSES.glob("[0-9]*"):
        if folder.name == own:
            continue
        with suppress(OSError):  # another user owns it, or it has just ended
            if any(os.readlink(link) == file for link in (folder / "fd").iterdir()):
                yield int(folder.name), " ".join(read_words(folder / "cmdline")).strip()


def read_words(file: Path) -> list[str]:
    """Return the words of a kernel file, each of which ends with a zero byte."""
    return os.fsdecode(file.read_bytes()).split("\0")[:-1]


def send_signal(pid: int, number: signal.Signals) -> None:
    """Send a signal, unless the process has ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
