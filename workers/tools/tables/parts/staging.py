"""The stage: rows of the batch that is being made, in a file for each part, out of memory."""

from __future__ import annotations

import fcntl
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workers.host.errors import CannotRun
from workers.tools.tables.parts.folder import Group
from workers.tools.tables.parts.rows_of_matches import Lines

BUFFERED = 4_000_000
"""So many bytes wait in memory until they are written: one file is open at a time."""


class Stage:
    """Rows by the files that they will be in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows = Counter[Group]()
        self.size = 0
        self._waiting = defaultdict[Group, list[bytes]](list)
        self._bytes_waiting = 0

    def add(self, lines: Lines) -> None:
        """Put the rows of a match on the stage."""
        for table, (rows, text) in lines.tables.items():
            if rows:
                group = Group(table, lines.game, lines.month)
                self.rows[group] += rows
                self.size += len(text)
                self._waiting[group].append(text)
                self._bytes_waiting += len(text)
        if self._bytes_waiting >= BUFFERED:
            self._write()

    def files(self) -> Iterator[tuple[Group, int, Path]]:
        """Each file with how many rows it has; it is there until the next one is asked for."""
        self._write()
        for group in sorted(self.rows):
            path = self._path(group)
            yield group, self.rows[group], path
            path.unlink()
        self.rows.clear()
        self.size = 0

    def _write(self) -> None:
        for group, lines in self._waiting.items():
            with self._path(group).open("ab") as file:
                file.writelines(lines)
        self._waiting.clear()
        self._bytes_waiting = 0

    def _path(self, group: Group) -> Path:
        return self.folder / f"{'.'.join(group)}.rows"


@contextmanager
def held(folder: Path) -> Iterator[Path]:
    """An empty folder for the stage, while nobody else has it; CannotRun.

    What a killed export left in it is gone.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (folder / "lock").open("a")
    except OSError as error:
        raise CannotRun(f"Cannot write in {folder.parent} ({error.strerror}).") from None
    with lock:  # whoever ends lets go of it
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotRun("Another export writes there already: wait until it is done.") from None
        rows = folder / "rows"
        shutil.rmtree(rows, ignore_errors=True)
        rows.mkdir()
        try:
            yield rows
        finally:
            shutil.rmtree(rows, ignore_errors=True)
