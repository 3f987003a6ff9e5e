"""The place of scheduled backups: which files are there, and which of them to keep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path

from service.runtime.atomic_write import temporary_name
from service.runtime.errors import StoreUnavailable
from service.store.archive.targets import FolderTarget, Target, open_target
from workers.host.errors import CannotRun

GOOD, FAULTY = "backup", "faulty"
"""What the names of backups end with: a faulty one has what is wrong in the store, too."""
NAME = re.compile(rf"annals-([0-9a-f]+)-(\d{{8}}T\d{{6}})Z-(\d+)\.({GOOD}|{FAULTY})")
TIME_FORMAT = "%Y%m%dT%H%M%S"
DAY_MS = 86_400_000
PERIODS_MS = (1, DAY_MS, 7 * DAY_MS)
CHUNK_BYTES = 1_000_000


@dataclass(frozen=True)
class BackupName:
    """What the name of a backup says: the id of its store, its time (ms since the epoch, whole
    seconds), and how many entries it has.
    """

    store: str
    at: int
    entries: int
    kind: str = GOOD

    def __str__(self) -> str:
        time = datetime.fromtimestamp(self.at // 1000, UTC).strftime(TIME_FORMAT)
        return f"annals-{self.store}-{time}Z-{self.entries}.{self.kind}"


class BackupPlace:
    """A folder, or a location that fsspec reaches, with backups."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def store(self, file: Path, name: str) -> None:
        """Copy a file there, and read it back. If it is not the same, delete the copy and raise
        StoreUnavailable.
        """
        self._target.copy_in(name, file)
        copied = sha256()
        for chunk in self._chunks(name, file.stat().st_size):
            copied.update(chunk)
        with file.open("rb") as opened:
            if copied.digest() != file_digest(opened, "sha256").digest():
                self._target.remove(name)
                raise StoreUnavailable(f"{name} does not have the bytes that were written.")

    def store_missing(self, file: Path, name: str) -> None:
        """Copy a file that never changes there, unless it is there already."""
        if not self._target.has(name):
            self.store(file, name)

    def delete_unfinished(self, store: str) -> None:
        """Delete what killed backups of this store have left."""
        for name in self._target.names():
            found = parse_name(name.removeprefix(".").removesuffix(".new"))
            if found and found.store == store and name == temporary_name(str(found)):
                self._target.remove(name)

    def prune(self, new: BackupName, keep: int) -> None:
        """Delete the backups of the same store that need not be kept: good ones and faulty ones are
        counted apart, and a new good one replaces all faulty ones. Keeps those that are later than
        the new one, or have more entries.
        """
        others = [one for one in self._names() if one.store == new.store and one != new]
        older = [one for one in others if one.at <= new.at and one.entries <= new.entries]
        kept = set[BackupName]()
        for kind in {GOOD, new.kind}:
            same = [one for one in (*older, new) if one.kind == kind]
            times = choose_kept((one.at for one in same), keep)
            kept.update(one for one in same if one.at in times)
        for one in older:
            if one not in kept:
                self._target.remove(str(one))

    def describe_loss(self, new: BackupName) -> str:
        """Return a sentence if the new backup may lack what an earlier one has: that one has more
        entries, or the new one is the first of its store beside those of another one.
        """
        good = [one for one in self._names() if one.kind == GOOD and one != new]
        own = [one for one in good if one.store == new.store]
        if not own and good:
            other = max(good, key=lambda one: one.at)
            return (
                f"it was made, but it is the first one of this store, and {other} beside it is of"
                " another store. If you expected that one, stop the service and restore it."
            )
        largest = max(own, key=lambda one: one.entries, default=new)
        if largest.entries > new.entries:
            return (
                f"it was made, but {largest} has more entries than the store, and is kept. If you"
                " can do without them, move the backups that have more to another folder."
            )
        return ""

    def has(self, name: str) -> bool:
        """Return whether a backup is there."""
        return self._target.has(name)

    def _names(self) -> Sequence[BackupName]:
        return [name for name in map(parse_name, self._target.names()) if name]

    def _chunks(self, name: str, size: int) -> Iterator[bytes]:
        for offset in range(0, size + 1, CHUNK_BYTES):
            yield self._target.read(name, offset, CHUNK_BYTES)


def open_place(location: str) -> BackupPlace:
    """Return the place of backups. Raises BadSetting if it cannot be reached, CannotRun if its
    folder does not exist: on an unmounted disk, a new one would fill the disk of the system.
    """
    target = open_target(location, "ANNALS_BACKUP")
    if isinstance(target, FolderTarget) and not target.path.is_dir():
        raise CannotRun(f"{target.path} is not a folder: create it, or mount its disk.")
    return BackupPlace(target)


def parse_name(name: str) -> BackupName | None:
    """Return what a name says; None if it is not that of a backup."""
    found = NAME.fullmatch(name)
    if found is None:
        return None
    store, time, entries, kind = found.groups()
    try:
        at = datetime.strptime(f"{time}+0000", f"{TIME_FORMAT}%z")
    except ValueError:  # no such day
        return None
    return BackupName(store, int(at.timestamp()) * 1000, int(entries), kind)


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
