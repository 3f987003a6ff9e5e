"""The machine: its memory, and the processes of this run."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from service.runtime.process_memory import own_memory_mb
from service.runtime.settings import RUN_VARIABLE

MB = 1_000_000
PROCESSES = Path("/proc")
MEMINFO, GROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup")
TITLE = "annals "
"""What the titles of our processes begin with."""
PARENT, START = 1, 19
"""The places of the id of the parent and of the start in `/proc/PID/stat`, behind the name."""


class Memory(NamedTuple):
    """The memory of the machine, or of the container; 0 where it is unknown."""

    whole_mb: int
    free_mb: int


class Process(NamedTuple):
    """A process of this run: its age in seconds, and the memory that it shares with no other."""

    name: str
    age_s: int
    memory_mb: int


def read_memory() -> Memory:
    """Return how much memory there is, and how much of it is free."""
    known = {name: 1024 * number for name, number in _read_numbers(MEMINFO)}
    whole, free = known.get("MemTotal:", 0), known.get("MemAvailable:", 0)
    with suppress(OSError, ValueError):  # no group, or one without a limit
        limit, used = (int((GROUP / f"memory.{name}").read_text()) for name in ("max", "current"))
        whole, free = min(whole or limit, limit), min(free or limit, max(0, limit - used))
    return Memory(whole // MB, free // MB)


def find_processes() -> Iterator[Process]:
    """Yield the processes that `annals run` has forked; none if this process is not one of them, or
    the system is not Linux.
    """
    if RUN_VARIABLE not in os.environ:
        return
    now_s, ticks = time.clock_gettime(time.CLOCK_BOOTTIME), os.sysconf("SC_CLK_TCK")
    for folder in PROCESSES.glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            state = (folder / "stat").read_text().rpartition(") ")[2].split()
            if int(state[PARENT]) == os.getppid():
                age_s = int(now_s - int(state[START]) / ticks)
                yield Process(_name_of(folder), age_s, round(own_memory_mb(int(folder.name))))


def _name_of(folder: Path) -> str:
    """Return the title of our own process, and for a server of Redis the folder of its socket."""
    title = os.fsdecode((folder / "cmdline").read_bytes()).replace("\0", " ").strip()
    if title.startswith(TITLE):
        return title.removeprefix(TITLE)
    return "queue" if "/queue/" in title else "redis"


def _read_numbers(file: Path) -> Iterator[tuple[str, int]]:
    with suppress(OSError):
        for line in file.read_text().splitlines():
            name, number, *_ = line.split()
            yield name, int(number)
