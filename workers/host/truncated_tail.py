"""What a Redis of ours dropped from the end of its data when it started."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

CUT = re.compile(rb"Truncating the AOF (?:(?P<name>\S+) )?at offset (?P<offset>\d+)")


class CutEnd:
    """Finds out, for a Redis that will start on this folder and write this log."""

    def __init__(self, folder: Path, log: Path) -> None:
        self._sizes = {path.name: path.stat().st_size for path in folder.glob("**/*.aof")}
        self._log = log
        self._start = log.stat().st_size if log.is_file() else 0

    def sentences(self) -> Iterator[str]:
        """A sentence for each file whose end was dropped, once Redis is up."""
        said = self._log.read_bytes()[self._start :] if self._log.is_file() else b""
        for cut in CUT.finditer(said):
            name = (cut["name"] or b"appendonly.aof").decode()
            lost = self._sizes.get(name, 0) - int(cut["offset"])
            yield (
                f"The last {lost} bytes of {name} were cut off in the middle of what they said, and"
                " have been dropped. After a power failure or with a full disk that is what nobody"
                " was told was recorded; if the file was damaged otherwise, the latest moves are"
                " missing. `annals verify` checks the rest, and docs/backup.md tells how to go back"
                " to a backup."
            )
