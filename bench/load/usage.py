"""What the processes of a service use up: processor time, context switches, trips to Redis."""

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
SWITCHED = {"voluntary": "voluntary switches", "nonvoluntary": "involuntary switches"}
MARKS: Mapping[str, str] = {
    "cli\0web": "web",
    "bench.compare.bare_server": "web",
    "bench.compare.baseline": "web",
    "cli\0projector": "projector",
    "cli\0worker": "worker",
    "queue/redis.sock": "queue",
    "redis.sock": "redis",
    "service.drawing.pictures.painter": "painter",
}
"""What a process does, by a part of its command line; one without any does what the one does that
started it.
"""
REST, LOAD = "others", "load"


@contextmanager
def using(service: int, *urls: str) -> Iterator[Counter[str]]:
    """What the processes of a service, and this one as its load, use up within the block; filled in
    at its end.
    """
    spent: Counter[str] = Counter()
    before = used(service, *urls)
    yield spent
    spent.update(used(service, *urls))
    spent.subtract(before)


def used(service: int, *urls: str) -> Counter[str]:
    """What the process of a service, all under it and this one have used up so far: us of processor
    time and context switches of each kind of process, and how often each Redis read what it was
    sent; to be subtracted from what they have used up later.
    """
    total: Counter[str] = Counter()
    for kind, pid in [*processes(service), (LOAD, os.getpid())]:
        for what, count in _of_process(pid).items():
            total[f"{kind}, {what}"] += count
            if kind != LOAD:
                total[f"the service, {what}"] += count
    if urls:
        total["round trips to Redis"] = sum(map(_trips, sorted(set(urls))))
    return total


def processes(pid: int, kind: str = REST) -> Iterator[tuple[str, int]]:
    """This process and all under it: the kind of each, and its id."""
    words = _text(Path(f"/proc/{pid}/cmdline"))
    kind = next((known for mark, known in MARKS.items() if mark in words), kind)
    yield kind, pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in _text(children).split():
            yield from processes(int(child), kind)


def each(spent: Counter[str], moves: int) -> dict[str, float]:
    """What each of so many moves took, of whatever it took anything."""
    return {f"{name} a move": count / moves for name, count in sorted(spent.items()) if count > 0}


def memory(pid: int) -> int:
    """Bytes of memory that a process has to itself."""
    [kilobytes] = re.findall(r"^RssAnon:\s+(\d+)", _text(Path(f"/proc/{pid}/status")), re.MULTILINE)
    return 1024 * int(kilobytes)


def _of_process(pid: int) -> dict[str, int]:
    fields = _text(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12]) if fields else 0
    found = Counter({"us of processor time": 1_000_000 * ticks // TICKS})
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        for kind, count in SWITCHES.findall(_text(status)):
            found[SWITCHED[kind]] += int(count)
    return found


def _text(file: Path) -> str:
    with suppress(OSError):
        return file.read_text()
    return ""


def _trips(url: str) -> int:
    with Redis.from_url(url) as client:
        return int(cast(dict[str, Any], client.info("stats"))["total_reads_processed"])
