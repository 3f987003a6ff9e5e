"""Reads archived matches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from domain.match.log import CorruptEntry, Entry
from service.runtime.event_loop import run_in_thread
from service.runtime.settings import Settings
from service.store.archive.packs import pack_file, unpack_rows
from service.store.archive.stubs import Stub
from service.store.archive.targets import Target, archive_target
from service.store.entry_codec import ENTRY_FIELD, decode_row

CACHE_BYTES = 8_000_000
"""Size of the cache of recently read rows. A fold of a feed meets the same matches many times."""


class Archive:
    """Reads the matches in the packs of a target."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._cache: OrderedDict[tuple[bytes, int], list[bytes]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def read_rows(self, stub: Stub) -> Sequence[bytes]:
        """Return all rows of a match as the store had them, oldest first. Raises CorruptEntry,
        StoreUnavailable.
        """
        at = (stub.pack, stub.offset)
        with self._lock:
            if at in self._cache:
                self._cache.move_to_end(at)
                return self._cache[at]
        file = pack_file(stub.pack)
        rows = unpack_rows(stub, run_in_thread(self.target.read, file, stub.offset, stub.length))
        self._store(at, rows)
        return rows

    def read_entries(
        self,
        match: str,
        stub: Stub,
        after: int = 0,
        to: int | None = None,
        limit: int | None = None,
    ) -> list[Entry]:
        """Return entries of a match, as `Store.read` does. Raises CorruptEntry,
        StoreUnavailable.
        """
        last = stub.version if to is None else min(to, stub.version)
        if limit is not None:
            last = min(last, after + limit)
        if after >= last:
            return []
        rows = self.read_rows(stub)
        return [_decode_version(match, version, rows) for version in range(after + 1, last + 1)]

    def read_entry(self, match: str, stub: Stub, version: int) -> Entry:
        """Return one entry of a match. Raises CorruptEntry, StoreUnavailable."""
        return _decode_version(match, version, self.read_rows(stub))

    def _store(self, at: tuple[bytes, int], rows: list[bytes]) -> None:
        with self._lock:
            self._size += _size(rows) - _size(self._cache.pop(at, []))
            self._cache[at] = rows
            while self._size > CACHE_BYTES and len(self._cache) > 1:
                self._size -= _size(self._cache.popitem(last=False)[1])


def open_archive(settings: Settings) -> Archive:
    """Return the archive that the settings name. Raises BadSetting if it cannot be reached."""
    return Archive(archive_target(settings))


def _decode_version(match: str, version: int, rows: Sequence[bytes]) -> Entry:
    if version > len(rows):
        raise CorruptEntry(f"version {version} is missing.", version)
    return decode_row(match, b"%d-0" % version, {ENTRY_FIELD: rows[version - 1]})


def _size(rows: Sequence[bytes]) -> int:
    return sum(map(len, rows))
