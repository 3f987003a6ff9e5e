"""How much memory a process takes."""

from __future__ import annotations

import re
from pathlib import Path

RESIDENT_KB = re.compile(r"^(?:VmRSS|VmSwap):\s+(\d+) kB", re.MULTILINE)
OWN_KB = re.compile(r"^(?:Private_Dirty|Swap):\s+(\d+) kB", re.MULTILINE)


def own_memory_mb(pid: int) -> float:
    """Return the memory that a process has written and shares with no other process, in millions of
    bytes, swapped or not. Returns 0 if the process has ended or the system is not Linux.

    This takes the kernel some 2 ms.
    """
    return _sum_of(OWN_KB, Path(f"/proc/{pid}/smaps_rollup"))


def memory_above_mb(pid: int, limit_mb: float) -> float:
    """Return the memory of a process as `own_memory_mb` does, if it exceeds this limit; else 0.

    It asks first for what costs nothing, the memory with all that it shares.
    """
    if _sum_of(RESIDENT_KB, Path(f"/proc/{pid}/status")) <= limit_mb:
        return 0.0
    used = own_memory_mb(pid)
    return used if used > limit_mb else 0.0


def _sum_of(lines: re.Pattern[str], file: Path) -> float:
    """Return the sum of lines of a kernel file, in millions of bytes; 0 if there is no file."""
    try:
        content = file.read_text()
    except OSError:
        return 0.0
    return sum(map(int, lines.findall(content))) * 1024 / 1_000_000
