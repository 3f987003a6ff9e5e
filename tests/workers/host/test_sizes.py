"""Each size takes the memory and the processes that docs/hosting.md promises."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import mean
from threading import Event, Thread

import pytest

from service.runtime.config.server_fields import CORES, SIZES
from service.runtime.settings import read_settings
from tests.support.patience import eventually
from tests.support.whole_service import ROOT, Service, cold_service, descendants

TOLERANCE = 0.05
START_TOLERANCE = 0.2
STARTS = 4
"""How often a service starts at most: other work on the machine can only make a start longer."""
YARDSTICK = (
    "import asyncio, http.server, multiprocessing.managers, sqlite3, unittest.mock, xmlrpc.client"
)
"""A program that does the same kind of work as a start, whatever Annals does: it loads modules."""
YARDSTICK_S, YARDSTICK_PAUSE_S = 0.137, 0.25
"""Its processor time on the machine of the table while a service starts, and the pauses between."""
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
KB_PER_MB = 1024
PARTS = ("smaps_rollup", "smaps")
ANONYMOUS = re.compile(r"^Pss_(?:Anon|Shmem):\s+(\d+) kB", re.MULTILINE)
FILE = re.compile(
    r"^\S+ (.* /(?!dev/).*)\n(?:[A-Z].*\n)*?Rss:\s+(\d+) kB\n"
    r"(?:[A-Z].*\n)*?Anonymous:\s+(\d+) kB",
    re.MULTILINE,
)
"""A mapped part of a file, its pages in memory, and those of them that the process has changed."""


def promised(what: str) -> dict[str, float]:
    """A row of the table of sizes, by size, for the cores of this machine."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs/hosting.md").read_text().splitlines()
        if line.startswith("| ")
    ]
    [sizes] = [row for row in rows if "`small`" in row]
    [found] = [row for row in rows if row[0] == what]
    names = [re.findall(r"`(\w+)`", cell)[0] for cell in sizes[1:]]
    return {name: for_cores(cell) for name, cell in zip(names, found[1:], strict=True) if cell}


def for_cores(cell: str) -> float:
    """The number of a cell, such as `257 with two cores, 32 more for each further one`."""
    number, *more = map(float, re.findall(r"\d+(?:\.\d+)?", cell))
    return number + (CORES - 2) * sum(more)


def family(service: Service) -> list[int]:
    """The ids of all processes of a service."""
    return [service.process.pid, *descendants(service.process.pid)]


def used_mb(pids: list[int]) -> float:
    """The memory of processes if no other program ran on this machine.

    That is their proportional memory (PSS), but mapped files count as a whole: how much of them
    counts for a process otherwise depends on the other programs that map them.
    """
    anonymous_kb, files_kb = 0, Counter[str]()
    for pid in pids:
        with suppress(OSError):
            rollup, maps = (Path(f"/proc/{pid}/{name}").read_text() for name in PARTS)
            anonymous_kb += sum(map(int, ANONYMOUS.findall(rollup)))
            files_kb |= Counter(
                {part: int(rss) - int(changed) for part, rss, changed in FILE.findall(maps)}
            )
    return (anonymous_kb + files_kb.total()) / KB_PER_MB


def processor_s(pids: list[int]) -> float:
    """The processor time of processes so far, with that of their children which have ended."""
    ticks = 0
    for pid in pids:
        with suppress(OSError):
            words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, words[11:15]))
    return ticks / TICKS_PER_S


def yardstick_s() -> float:
    """The processor time of one run of the yardstick."""
    words = [sys.executable, "-I", "-c", YARDSTICK]
    _, status, used = os.wait4(os.posix_spawn(words[0], words, os.environ), 0)
    assert status == 0
    return used.ru_utime + used.ru_stime


class Yardsticks(Thread):
    """Runs the yardstick over and over: what slows down a start meanwhile slows it down, too."""

    def __init__(self) -> None:
        super().__init__()
        self._times: list[float] = []
        self._ended = Event()

    def run(self) -> None:
        while not self._ended.is_set():
            self._times.append(yardstick_s())
            self._ended.wait(YARDSTICK_PAUSE_S)

    def stop(self) -> float:
        """Return how long a run took on the average, as a ratio to the machine of the table."""
        self._ended.set()
        self.join()
        return mean(self._times) / YARDSTICK_S


@contextmanager
def service_of(size: str, folder: Path) -> Iterator[tuple[Service, float]]:
    """A service, and the processor time of its start on the machine of the table."""
    own = {"ANNALS_SIZE": size, "ANNALS_WEB_PROCESSES": "", "ANNALS_WARM_UP": ""}
    yardsticks = Yardsticks()
    yardsticks.start()
    try:
        with cold_service(folder, **own) as service:
            used = processor_s(family(service))
            yield service, used / yardsticks.stop()
    finally:
        yardsticks.stop()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts shared memory")
@pytest.mark.parametrize(
    "size", ["small", *(pytest.param(one, marks=pytest.mark.long) for one in ("medium", "large"))]
)
def test_a_size_takes_the_memory_and_processor_time_that_are_promised(
    tmp_path: Path, size: str
) -> None:
    with service_of(size, tmp_path / "0") as (service, start_s):
        processes = promised("processes at rest, with Redis")[size]
        eventually(lambda: len(family(service)) == processes)
        used = used_mb(family(service))
    assert used == pytest.approx(promised("memory at rest (PSS), MB")[size], rel=TOLERANCE)
    starts = [start_s]
    while min(starts) > promised("processor time until ready, s")[size] * (1 + START_TOLERANCE):
        assert len(starts) < STARTS, starts
        with service_of(size, tmp_path / f"{len(starts)}") as (_, start_s):
            starts.append(start_s)


def test_the_table_has_the_defaults_of_each_size() -> None:
    rows = {
        "recent matches, in each process": "match_mb",
        "recent pictures, in each web process": "picture_mb",
        "facts for statistics, in each web process": "statistics_mb",
        "recent exports and histories, in each web process": "history_mb",
        "names, tokens, addresses, summaries, in each process": "cache_mb",
        "most memory of its own, of each process": "process_mb",
    }
    for size in SIZES:
        settings = read_settings({"ANNALS_SIZE": size})
        for row, name in rows.items():
            assert promised(row)[size] == getattr(settings, name), (size, name)


def test_a_setting_counts_more_than_the_size() -> None:
    settings = read_settings({"ANNALS_SIZE": "small", "ANNALS_WORKERS": "3"})
    assert (settings.web_processes, settings.workers) == (1, 3)
    assert read_settings({"ANNALS_SIZE": "large"}).web_processes == CORES
