"""What the processes of a service use up: processor time, context switches, trips to Redis."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from redis import Redis

from tests.whole_service import Service

TICKS = os.sysconf("SC_CLK_TCK")
SWITCHES = re.compile(r"ctxt_switches:\s+(\d+)")


def used(service: Service, *urls: str) -> Counter[str]:
    """What the service has used up so far; to be subtracted from what it has used up later.

    ms of processor time and context switches of each kind of process, and how often each Redis
    read what was sent to it.
    """
    total: Counter[str] = Counter()
    for kind, pids in service.processes().items():
        total[f"{kind}, ms of processor time"] = sum(map(_milliseconds, pids))
        total[f"{kind}, context switches"] = sum(map(_switches, pids))
    total["round trips to Redis"] = sum(map(_trips, sorted(set(urls))))
    return total


def each(before: Counter[str], after: Counter[str], moves: int) -> Iterator[tuple[str, float]]:
    """What each of so many moves took, of whatever it took anything."""
    for name, count in after.items():
        if count > before[name]:
            yield f"{name} a move", (count - before[name]) / moves


def _milliseconds(pid: int) -> int:
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) // TICKS
    return 0


def _switches(pid: int) -> int:
    return sum(
        int(count)
        for status in Path(f"/proc/{pid}/task").glob("*/status")
        for count in SWITCHES.findall(_text(status))
    )


def _text(file: Path) -> str:
    with suppress(OSError):
        return file.read_text()
    return ""


def _trips(url: str) -> int:
    with Redis.from_url(url) as client:
        return int(cast(dict[str, Any], client.info("stats"))["total_reads_processed"])
