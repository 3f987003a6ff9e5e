"""How much memory a process takes."""

from __future__ import annotations

import re
from pathlib import Path

OWN_KB = re.compile(r"^(?:Private_Dirty|Swap):\s+(\d+) kB", re.MULTILINE)


def own_memory_mb(pid: int) -> float:
    """Return the memory that a process has written and shares with no other process, in millions of
    bytes, swapped or not. Returns 0 if the process has ended or the system is not Linux.
    """
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return sum(map(int, OWN_KB.findall(rollup))) * 1024 / 1_000_000
