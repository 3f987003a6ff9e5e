"""The stage: the rows of the current batch on disk, in one file for each part."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from workers.tools.tables.parts.folder import Group
from workers.tools.tables.parts.rows_of_matches import StagedRows

MAX_BUFFER_BYTES = 4_000_000
"""Number of bytes in memory before they are written, so that one file is open at a time."""


class Stage:
    """Rows, grouped by the files that they will be in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows = Counter[Group]()
        self.size = 0
        self._buffer = defaultdict[Group, list[bytes]](list)
        self._buffered_bytes = 0

    def add(self, lines: StagedRows) -> None:
        """Add the rows of a match."""
        for table, (rows, text) in lines.tables.items():
            if rows:
                group = Group(table, lines.game, lines.month)
                self.rows[group] += rows
                self.size += len(text)
                self._buffer[group].append(text)
                self._buffered_bytes += len(text)
        if self._buffered_bytes >= MAX_BUFFER_BYTES:
            self._write()

    def files(self) -> Iterator[tuple[Group, int, Path]]:
        """Yield each file with its number of rows; it exists until the next one is requested."""
        self._write()
        for group in sorted(self.rows):
            path = self._path(group)
            yield group, self.rows[group], path
            path.unlink()
        self.rows.clear()
        self.size = 0

    def _write(self) -> None:
        for group, lines in self._buffer.items():
            with self._path(group).open("ab") as file:
                file.writelines(lines)
        self._buffer.clear()
        self._buffered_bytes = 0

    def _path(self, group: Group) -> Path:
        return self.folder / f"{'.'.join(group)}.rows"
