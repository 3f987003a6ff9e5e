"""What this machine can do at all: additions, and writes that reach the disk."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles


def machine(folder: Path) -> dict[str, float]:
    """Calibration: compare figures of two runs only next to these."""
    return {
        "300,000 additions, ms": 1000 * best(_additions, 5),
        "fdatasync of 4 kB, p50 ms": 1000 * median(fsyncs(folder)),
        "processors": os.cpu_count() or 0,
    }


def fsyncs(folder: Path, count: int = 200) -> list[float]:
    """Seconds that each of some small synchronous writes takes."""
    with (folder / "fsync").open("wb") as file:
        return [timed(lambda: _write(file.fileno())) for _ in range(count)]


def timed(action: Callable[[], object]) -> float:
    """Seconds that an action takes."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def best(action: Callable[[], object], times: int) -> float:
    """Seconds of the fastest of several runs: what the machine does when it is left alone."""
    return min(timed(action) for _ in range(times))


def cpu(action: Callable[[], object], times: int) -> float:
    """Seconds of this process's CPU in the cheapest of several runs."""
    spent = []
    for _ in range(times):
        begin = time.process_time()
        action()
        spent.append(time.process_time() - begin)
    return min(spent)


def spread(name: str, seconds: list[float]) -> dict[str, float]:
    """The middle and the slow end of latencies, in milliseconds."""
    cuts = quantiles(seconds, n=100)
    return {f"{name}, p50 ms": 1000 * cuts[49], f"{name}, p99 ms": 1000 * cuts[98]}


def _additions() -> None:
    total = 0
    for number in range(300_000):
        total += number


def _write(file: int) -> None:
    os.pwrite(file, bytes(4096), 0)
    os.fdatasync(file)
