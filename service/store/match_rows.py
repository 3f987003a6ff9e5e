"""The entries of matches: each match has a stream in the store or, once archived, a block in a
pack.

An archived match has a stub under the key of its stream. A read of the stream then fails with
WRONGTYPE, so the check costs other matches nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, cast

from redis import Redis
from redis.exceptions import ResponseError

from domain.match.log import CorruptEntry, Entry
from projections.core.scripts import Script
from projections.progress import WRONG_TYPE_ERROR
from service.store.archive.reader import Archive
from service.store.archive.stubs import Stub, decode_stub, encode_stub
from service.store.entry_codec import ENTRY_FIELD, RowFields, decode_row, missing_entry

STUB_SCRIPT = Script(files("service.store.archive").joinpath("replace_by_stub.lua").read_text())
RESTORE_SCRIPT = Script(files("service.store.archive").joinpath("restore_stream.lua").read_text())
MAX_TRIES = 3
"""A match may move to or from the archive between two commands."""


class MatchRows:
    """The rows of all matches, in the store or in the archive."""

    def __init__(self, redis: Redis, key_of: Callable[[str], str], archive: Archive | None) -> None:
        self._redis = redis
        self._key_of = key_of
        self._archive = archive

    @property
    def archive(self) -> Archive:
        """The reader of packs. Raises CorruptEntry if this process has no archive."""
        if self._archive is None:
            raise CorruptEntry("it is archived, and this process has no archive.")
        return self._archive

    def read(self, match: str, after: int, to: int | None, limit: int | None) -> list[Entry]:
        """Return the entries of a match after a version, up to another. Raises CorruptEntry."""
        key, last = self._key_of(match), "+" if to is None else f"{to}-0"
        for _ in range(MAX_TRIES):
            try:
                rows = self._redis.xrange(key, f"{after + 1}-0", last, limit)
            except ResponseError as error:
                raise_unless_no_stream(error)
                if stub := self.read_stub(match):
                    return self.archive.read_entries(match, stub, after, to, limit)
            else:
                return _check_gapless(after, (decode_row(match, *row) for row in _as_rows(rows)))
        raise CorruptEntry("the value under the key of its entries is neither a stream nor a stub.")

    def read_after(
        self, match: str, version: int, head: bytes, limit: int | None
    ) -> list[Entry] | None:
        """Return at most `limit` entries after a version; None if the entry of that version has
        another head. Raises CorruptEntry.
        """
        count = None if limit is None else limit + 1
        try:
            rows = self._redis.xrange(self._key_of(match), f"{version}-0", count=count)
        except ResponseError as error:
            raise_unless_no_stream(error)  # archived matches never change
            return self.read(match, version, None, limit) if limit != 0 else []
        entries = _check_gapless(version - 1, (decode_row(match, *row) for row in _as_rows(rows)))
        return entries[1:] if entries and entries[0].head == head else None

    def length(self, match: str) -> int:
        """Return the number of entries of a match; 0 if it does not exist."""
        try:
            return self._redis.xlen(self._key_of(match))
        except ResponseError as error:
            raise_unless_no_stream(error)
        stub = self.read_stub(match)
        return stub.version if stub else 0

    def read_histories(
        self, lasts: Mapping[str, int]
    ) -> Iterator[tuple[str, Iterator[Entry | CorruptEntry]]]:
        """Yield the entries of matches, each up to a version, or the errors found there."""
        with self._redis.pipeline(transaction=False) as pipe:
            for match, last in lasts.items():
                pipe.xrange(self._key_of(match), "1-0", f"{last}-0")
            pages = zip(lasts.items(), pipe.execute(raise_on_error=False), strict=True)
        for (match, last), page in pages:
            if is_archived(page):
                yield match, self._history(match, last)
            else:
                found = dict(_decode_by_version(match, _as_rows(page)))
                yield match, (found.get(at, missing_entry(at)) for at in range(1, last + 1))

    def _history(self, match: str, last: int) -> Iterator[Entry | CorruptEntry]:
        try:
            yield from self.read(match, 0, last, None)
        except CorruptEntry as error:
            yield error

    def read_stub(self, match: str) -> Stub | None:
        """Return the stub of an archived match, else None. Raises CorruptEntry."""
        value = self.read_stub_value(match)
        return decode_stub(match, value) if value is not None else None

    def read_stub_value(self, match: str) -> bytes | None:
        """Return the stored bytes of a stub."""
        try:
            return cast("bytes | None", self._redis.get(self._key_of(match)))
        except ResponseError as error:
            raise_unless_no_stream(error)
            return None

    def read_stream(self, match: str) -> list[bytes]:
        """Return the rows of a match in its stream; none if it is archived. Raises CorruptEntry if
        one is missing.
        """
        try:
            found: Any = self._redis.xrange(self._key_of(match))
        except ResponseError as error:
            raise_unless_no_stream(error)
            return []
        for version, (row_id, _) in enumerate(found, 1):
            if row_id != b"%d-0" % version:
                raise missing_entry(version)
        return [fields.get(ENTRY_FIELD, b"") for _, fields in found]

    def read_rows(self, match: str) -> Sequence[bytes]:
        """Return the rows of a match, from its stream or the archive. Raises CorruptEntry."""
        if rows := self.read_stream(match):
            return rows
        stub = self.read_stub(match)
        return self.archive.read_rows(stub) if stub else []

    def replace_by_stub(self, match: str, last: bytes, stub: Stub) -> bool:
        """Replace the stream of a match by a stub. Returns False if the match has changed since."""
        values = (stub.version, last, encode_stub(match, stub))
        return bool(STUB_SCRIPT.run(self._redis, [self._key_of(match)], *values))

    def restore_stream(self, match: str, stub: Stub, to: int | None = None) -> None:
        """Restore the stream of an archived match, up to a version."""
        rows = self.archive.read_rows(stub)[:to]
        RESTORE_SCRIPT.run(self._redis, [self._key_of(match)], encode_stub(match, stub), *rows)


def raise_unless_no_stream(error: Exception) -> None:
    """Raise this error, unless it says that the key holds no stream."""
    if WRONG_TYPE_ERROR not in str(error):
        raise error


def _as_rows(rows: object) -> Iterable[tuple[bytes, RowFields]]:
    return cast(Iterable[tuple[bytes, RowFields]], rows)


def _check_gapless(after: int, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries. Raises CorruptEntry unless they follow that version without a gap."""
    complete = list(entries)
    for version, entry in enumerate(complete, after + 1):
        if entry.version != version:
            raise missing_entry(version)
    return complete


def _decode_by_version(
    match: str, rows: Iterable[tuple[bytes, RowFields]]
) -> Iterator[tuple[int, Entry | CorruptEntry]]:
    """Yield each version with its entry, or the error found there."""
    for row_id, fields in rows:
        version = int(row_id.partition(b"-")[0])
        try:
            yield version, decode_row(match, row_id, fields)
        except CorruptEntry as error:
            yield version, error


def is_archived(found: object) -> bool:
    """Return whether a pipeline's reply to a stream command says that the match is archived."""
    if isinstance(found, ResponseError):
        raise_unless_no_stream(found)
        return True
    return False
