"""The place of scheduled backups: which files are there, and which of them to keep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path

from service.runtime.errors import StoreUnavailable
from service.store.archive.targets import Target

GOOD, FAULTY = "backup", "faulty"
"""What the names of backups end with: a faulty one has what is wrong in the store, too."""
BACKUP_NAME = re.compile(rf"annals-(\d{{8}}T\d{{6}})Z\.({GOOD}|{FAULTY})")
UNFINISHED_NAME = re.compile(rf"\.{BACKUP_NAME.pattern}\.new")
TIME_FORMAT = "%Y%m%dT%H%M%S"
DAY_MS = 86_400_000
PERIODS_MS = (1, DAY_MS, 7 * DAY_MS)
CHUNK_BYTES = 1_000_000


class BackupPlace:
    """A folder, or a location that fsspec reaches, with backups."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def store(self, file: Path, name: str) -> None:
        """Copy a file there, and read it back. Raises StoreUnavailable if it is not the same."""
        self._target.copy_in(name, file)
        copied = sha256()
        for chunk in self._chunks(name, file.stat().st_size):
            copied.update(chunk)
        with file.open("rb") as opened:
            if copied.digest() != file_digest(opened, "sha256").digest():
                raise StoreUnavailable(f"{name} does not have the bytes that were written.")

    def store_missing(self, file: Path, name: str) -> None:
        """Copy a file that never changes there, unless it is there already."""
        if not self._target.has(name):
            self.store(file, name)

    def prune(self, keep: int, faulty: str = "") -> None:
        """Delete the backups that need not be kept, all faulty ones but this one, and unfinished
        copies.
        """
        found = self._target.names()
        good = {time_of(name): name for name in found if name.endswith(f".{GOOD}")}
        kept = {faulty, *(good[at] for at in choose_kept(good, keep))}
        for name in found:
            is_ours = BACKUP_NAME.fullmatch(name) or UNFINISHED_NAME.fullmatch(name)
            if is_ours and name not in kept:
                self._target.remove(name)

    def _chunks(self, name: str, size: int) -> Iterator[bytes]:
        for offset in range(0, size + 1, CHUNK_BYTES):
            yield self._target.read(name, offset, CHUNK_BYTES)


def backup_name(at: int, kind: str = GOOD) -> str:
    """Return the name of the backup of this time (ms since the epoch)."""
    return f"annals-{datetime.fromtimestamp(at // 1000, UTC).strftime(TIME_FORMAT)}Z.{kind}"


def time_of(name: str) -> int:
    """Return the time of the backup with this name (ms since the epoch); 0 if it has none."""
    found = BACKUP_NAME.fullmatch(name)
    if found is None:
        return 0
    return int(datetime.strptime(f"{found[1]}+0000", f"{TIME_FORMAT}%z").timestamp()) * 1000


def choose_kept(times: Iterable[int], keep: int) -> set[int]:
    """Return the newest `keep` of these times, and the newest one of each of the last `keep` days
    and of the last `keep` weeks that have any.
    """
    ordered = sorted(times)
    kept = set[int]()
    for period in PERIODS_MS:
        newest = {at // period: at for at in ordered}
        kept.update(list(newest.values())[-keep:])
    return kept
