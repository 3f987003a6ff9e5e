"""Each size takes the memory and the processes that docs/hosting.md promises."""

from __future__ import annotations

import re
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from service.runtime.config.fields import CORES, SIZES
from service.runtime.settings import read_settings
from tests.support.patience import eventually
from tests.support.whole_service import ROOT, Service, cold_service, descendants

TOLERANCE = 0.1
KB_PER_MB = 1024
PARTS = ("smaps_rollup", "smaps")
ANONYMOUS = re.compile(r"^Pss_(?:Anon|Shmem):\s+(\d+) kB", re.MULTILINE)
FILE = re.compile(
    r"^\S+ (.* /(?!dev/).*)\n(?:[A-Z].*\n)*?Rss:\s+(\d+) kB\n"
    r"(?:[A-Z].*\n)*?Anonymous:\s+(\d+) kB",
    re.MULTILINE,
)
"""A mapped part of a file, its pages in memory, and those of them that the process has changed."""


def promised(what: str) -> dict[str, int]:
    """A row of the table of sizes, by size."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs/hosting.md").read_text().splitlines()
        if line.startswith("| ")
    ]
    [sizes] = [row for row in rows if "`small`" in row]
    [found] = [row for row in rows if row[0] == what]
    names = [re.findall(r"`(\w+)`", cell)[0] for cell in sizes[1:]]
    return {name: int(cell.split()[0]) for name, cell in zip(names, found[1:], strict=True) if cell}


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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts shared memory")
@pytest.mark.parametrize("size", ["small", "medium"])
def test_a_size_takes_the_memory_that_is_promised(tmp_path: Path, size: str) -> None:
    own = {"ANNALS_SIZE": size, "ANNALS_WEB_PROCESSES": "", "ANNALS_WARM_UP": ""}
    with cold_service(tmp_path, **own) as service:
        processes = promised("processes at rest, with Redis")[size]
        eventually(lambda: len(family(service)) == processes)
        used = used_mb(family(service))
    assert used == pytest.approx(promised("memory at rest (PSS), MB")[size], rel=TOLERANCE)


def test_the_table_has_the_defaults_of_each_size() -> None:
    rows = {
        "recent matches, in each process": "match_mb",
        "recent pictures, in each web process": "picture_mb",
        "facts for statistics, in each web process": "statistics_mb",
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
