"""What the processes of a service use: processor time, context switches, round trips to Redis."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from redis import Redis

TICKS = os.sysconf("SC_CLK_TCK")
SWITCHES = re.compile(r"^(\w+)_ctxt_switches:\s+(\d+)", re.MULTILINE)
SWITCH_NAMES = {"voluntary": "voluntary switches", "nonvoluntary": "involuntary switches"}
KIND_BY_COMMAND: Mapping[str, str] = {
    "annals web": "web",
    "cli\0web": "web",
    "bench.compare.bare_server": "web",
    "bench.compare.baseline": "web",
    "annals projector": "projector",
    "cli\0projector": "projector",
    "annals worker": "worker",
    "cli\0worker": "worker",
    "queue/redis.sock": "queue",
    "redis.sock": "redis",
    "annals painter": "painter",
}
"""The kind of a process, by a part of its command line; other processes have the kind of their
parent.
"""
OTHERS, LOAD = "others", "load"


@contextmanager
def measure_usage(service: int, *urls: str) -> Iterator[Counter[str]]:
    """What the processes of a service, and this one as its load, use within the block; complete at
    its end.
    """
    spent: Counter[str] = Counter()
    before = read_usage(service, *urls)
    yield spent
    spent.update(read_usage(service, *urls))
    spent.subtract(before)


def read_usage(service: int, *urls: str) -> Counter[str]:
    """What the process of a service, its descendants and this process have used so far:
    microseconds of processor time and context switches by kind of process, and how often each Redis
    has read.
    """
    total: Counter[str] = Counter()
    for kind, pid in [*process_kinds(service), (LOAD, os.getpid())]:
        for what, count in _of_process(pid).items():
            total[f"{kind}, {what}"] += count
            if kind != LOAD:
                total[f"the service, {what}"] += count
    if urls:
        total["round trips to Redis"] = sum(map(_trips, sorted(set(urls))))
    return total


def process_kinds(pid: int, kind: str = OTHERS) -> Iterator[tuple[str, int]]:
    """This process and its descendants: the kind of each, and its id."""
    words = _text(Path(f"/proc/{pid}/cmdline"))
    kind = next((known for mark, known in KIND_BY_COMMAND.items() if mark in words), kind)
    yield kind, pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in _text(children).split():
            yield from process_kinds(int(child), kind)


def usage_per_move(spent: Counter[str], moves: int) -> dict[str, float]:
    """The use per move, without zeros."""
    return {f"{name} per move": count / moves for name, count in sorted(spent.items()) if count > 0}


def private_memory(pid: int) -> int:
    """The bytes of private memory of a process."""
    [kilobytes] = re.findall(r"^RssAnon:\s+(\d+)", _text(Path(f"/proc/{pid}/status")), re.MULTILINE)
    return 1024 * int(kilobytes)


def _of_process(pid: int) -> dict[str, int]:
    fields = _text(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12]) if fields else 0
    found = Counter({"us of processor time": 1_000_000 * ticks // TICKS})
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        for kind, count in SWITCHES.findall(_text(status)):
            found[SWITCH_NAMES[kind]] += int(count)
    return found


def _text(file: Path) -> str:
    with suppress(OSError):
        return file.read_text()
    return ""


def _trips(url: str) -> int:
    with Redis.from_url(url) as client:
        return int(cast(dict[str, Any], client.info("stats"))["total_reads_processed"])
