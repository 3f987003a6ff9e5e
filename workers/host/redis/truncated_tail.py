"""Finds out what the embedded Redis has dropped from the end of its data at startup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

TRUNCATION = re.compile(rb"Truncating the AOF (?:(?P<name>\S+) )?at offset (?P<offset>\d+)")


class TruncatedTail:
    """Compares the files before the start of Redis with the log that it writes at startup."""

    def __init__(self, folder: Path, log: Path) -> None:
        self._sizes = {path.name: path.stat().st_size for path in folder.glob("**/*.aof")}
        self._log = log
        self._start = log.stat().st_size if log.is_file() else 0

    def describe(self) -> Iterator[str]:
        """Yield a sentence for each file whose end was dropped, once Redis is up."""
        output = self._log.read_bytes()[self._start :] if self._log.is_file() else b""
        for match in TRUNCATION.finditer(output):
            name = (match["name"] or b"appendonly.aof").decode()
            dropped = self._sizes.get(name, 0) - int(match["offset"])
            yield (
                f"Redis dropped the last {dropped} bytes of {name}, which were incomplete. After a"
                " power failure or a full disk these are entries that were never confirmed. If the"
                " file was corrupted in another way, the latest moves are missing. `annals verify`"
                " checks the rest; to restore a backup, see docs/backup.md."
            )
