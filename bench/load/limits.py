"""What this machine can do: additions, and writes that reach the disk."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles


def machine(folder: Path) -> dict[str, float]:
    """Calibration figures: compare two runs only if these are alike."""
    return {
        "300,000 additions, ms": 1000 * best_time(_additions, 5),
        "fdatasync of 4 kB, p50 ms": 1000 * median(fsyncs(folder)),
        "processors": os.cpu_count() or 0,
    }


def fsyncs(folder: Path, count: int = 200) -> list[float]:
    """The seconds of each of some small synchronous writes."""
    with (folder / "fsync").open("wb") as file:
        return [time_call(lambda: _write(file.fileno())) for _ in range(count)]


def time_call(action: Callable[[], object]) -> float:
    """The seconds that a call takes."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def best_time(action: Callable[[], object], times: int) -> float:
    """The seconds of the fastest of several runs."""
    return min(time_call(action) for _ in range(times))


def cpu_time(action: Callable[[], object], times: int) -> float:
    """The processor seconds of this process in the cheapest of several runs."""
    spent = []
    for _ in range(times):
        begin = time.process_time()
        action()
        spent.append(time.process_time() - begin)
    return min(spent)


def spread(name: str, seconds: list[float]) -> dict[str, float]:
    """The 50th and the 99th percentile of latencies, in milliseconds."""
    cuts = quantiles(seconds, n=100)
    return {f"{name}, p50 ms": 1000 * cuts[49], f"{name}, p99 ms": 1000 * cuts[98]}


def _additions() -> None:
    total = 0
    for number in range(300_000):
        total += number


def _write(file: int) -> None:
    os.pwrite(file, bytes(4096), 0)
    os.fdatasync(file)
