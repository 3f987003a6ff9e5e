"""Reads matches of the archive."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from domain.match.log import Damaged, Entry
from service.runtime.event_loop import aside
from service.runtime.settings import Settings
from service.store.archive.packs import file_of, rows_in
from service.store.archive.stubs import Stub
from service.store.archive.targets import Target, target_of
from service.store.entry_codec import FIELD, entry_of

MOST_BYTES = 8_000_000
"""Rows that are kept of the matches read last: whoever folds a feed meets them again and again."""


class Archive:
    """Reads the matches in the packs of a place, which may be anywhere."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._kept: OrderedDict[tuple[bytes, int], list[bytes]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def rows(self, stub: Stub) -> Sequence[bytes]:
        """All rows of a match as the store had them, oldest first; Damaged, StoreUnavailable."""
        at = (stub.pack, stub.offset)
        with self._lock:
            if at in self._kept:
                self._kept.move_to_end(at)
                return self._kept[at]
        file = file_of(stub.pack)
        rows = rows_in(stub, aside(self.target.read, file, stub.offset, stub.length))
        self._keep(at, rows)
        return rows

    def entries(
        self,
        match: str,
        stub: Stub,
        after: int = 0,
        to: int | None = None,
        limit: int | None = None,
    ) -> list[Entry]:
        """The entries of a match, as of `Store.read`; Damaged, StoreUnavailable."""
        last = stub.version if to is None else min(to, stub.version)
        if limit is not None:
            last = min(last, after + limit)
        if after >= last:
            return []
        rows = self.rows(stub)
        return [_entry(match, version, rows) for version in range(after + 1, last + 1)]

    def entry(self, match: str, stub: Stub, version: int) -> Entry:
        """One entry of a match; Damaged, StoreUnavailable."""
        return _entry(match, version, self.rows(stub))

    def _keep(self, at: tuple[bytes, int], rows: list[bytes]) -> None:
        with self._lock:
            self._size += _size(rows) - _size(self._kept.pop(at, []))
            self._kept[at] = rows
            while self._size > MOST_BYTES and len(self._kept) > 1:
                self._size -= _size(self._kept.popitem(last=False)[1])


def archive_of(settings: Settings) -> Archive:
    """The archive that the settings name; BadSetting if it cannot be reached from here."""
    return Archive(target_of(settings))


def _entry(match: str, version: int, rows: Sequence[bytes]) -> Entry:
    if version > len(rows):
        raise Damaged(f"version {version} is missing.")
    return entry_of(match, b"%d-0" % version, {FIELD: rows[version - 1]})


def _size(rows: Sequence[bytes]) -> int:
    return sum(map(len, rows))
