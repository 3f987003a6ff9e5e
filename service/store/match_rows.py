"""The entries of matches: in a stream of the store each, or, of those in the archive, in a pack.

A match in the archive has a stub where its stream was, under the same key. So whoever asks for the
stream is told by Redis that it is none, and it costs nothing for all others to find that out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, cast

from redis import Redis
from redis.exceptions import ResponseError

from domain.match.log import Damaged, Entry
from projections.core.scripts import Script
from projections.progress import NO_STREAM
from service.store.archive.reader import Archive
from service.store.archive.stubs import Stub, stub_in, written
from service.store.entry_codec import FIELD, Fields, entry_of, missing

PUT_AWAY = Script(files("service.store.archive").joinpath("put_away.lua").read_text())
TAKE_BACK = Script(files("service.store.archive").joinpath("take_back.lua").read_text())
TRIES = 3
"""A match may be put away, or taken back, between two questions."""


class MatchRows:
    """The rows of matches, wherever they are."""

    def __init__(self, redis: Redis, key_of: Callable[[str], str], archive: Archive | None) -> None:
        self._redis = redis
        self._key_of = key_of
        self._archive = archive

    @property
    def archive(self) -> Archive:
        """What reads packs; Damaged if this process was told of none."""
        if self._archive is None:
            raise Damaged("it is in the archive, of which this process was not told.")
        return self._archive

    def read(self, match: str, after: int, to: int | None, limit: int | None) -> list[Entry]:
        """The entries of a match after a version, up to another; Damaged."""
        key, last = self._key_of(match), "+" if to is None else f"{to}-0"
        for _ in range(TRIES):
            try:
                rows = self._redis.xrange(key, f"{after + 1}-0", last, limit)
            except ResponseError as error:
                refuse_other(error)
                if stub := self.stub(match):
                    return self.archive.entries(match, stub, after, to, limit)
            else:
                return _complete(after, (entry_of(match, *row) for row in _rows(rows)))
        raise Damaged("what stands where its entries should be is none of ours.")

    def later(self, match: str, version: int, head: bytes, limit: int | None) -> list[Entry] | None:
        """The entries after a version, at most so many; None if that is not the one with this head.
        Damaged.
        """
        count = None if limit is None else limit + 1
        try:
            rows = self._redis.xrange(self._key_of(match), f"{version}-0", count=count)
        except ResponseError as error:
            refuse_other(error)  # what is in the archive stays as it is
            return self.read(match, version, None, limit) if limit != 0 else []
        entries = _complete(version - 1, (entry_of(match, *row) for row in _rows(rows)))
        return entries[1:] if entries and entries[0].head == head else None

    def length(self, match: str) -> int:
        """How many entries a match has; 0 if there is none."""
        try:
            return self._redis.xlen(self._key_of(match))
        except ResponseError as error:
            refuse_other(error)
        stub = self.stub(match)
        return stub.version if stub else 0

    def histories(
        self, lasts: Mapping[str, int]
    ) -> Iterator[tuple[str, Iterator[Entry | Damaged]]]:
        """The entries of matches up to a version each, or what is wrong with them."""
        with self._redis.pipeline(transaction=False) as pipe:
            for match, last in lasts.items():
                pipe.xrange(self._key_of(match), "1-0", f"{last}-0")
            pages = zip(lasts.items(), pipe.execute(raise_on_error=False), strict=True)
        for (match, last), page in pages:
            if is_archived(page):
                yield match, self._history(match, last)
            else:
                found = dict(_by_version(match, _rows(page)))
                yield match, (found.get(at, missing(at)) for at in range(1, last + 1))

    def _history(self, match: str, last: int) -> Iterator[Entry | Damaged]:
        try:
            yield from self.read(match, 0, last, None)
        except Damaged as damage:
            yield damage

    def stub(self, match: str) -> Stub | None:
        """What tells where a match of the archive is; None if it is not there. Damaged."""
        value = self.stub_value(match)
        return stub_in(match, value) if value is not None else None

    def stub_value(self, match: str) -> bytes | None:
        """The same as it is stored."""
        try:
            return cast("bytes | None", self._redis.get(self._key_of(match)))
        except ResponseError as error:
            refuse_other(error)
            return None

    def stored(self, match: str) -> list[bytes]:
        """The rows of a match as they stand in its stream; none if it is in the archive. Damaged if
        one is missing.
        """
        try:
            found: Any = self._redis.xrange(self._key_of(match))
        except ResponseError as error:
            refuse_other(error)
            return []
        for version, (row_id, _) in enumerate(found, 1):
            if row_id != b"%d-0" % version:
                raise missing(version)
        return [fields.get(FIELD, b"") for _, fields in found]

    def wherever(self, match: str) -> Sequence[bytes]:
        """The rows of a match, in its stream or in the archive; Damaged."""
        if rows := self.stored(match):
            return rows
        stub = self.stub(match)
        return self.archive.rows(stub) if stub else []

    def put_away(self, match: str, last: bytes, stub: Stub) -> bool:
        """Leave only a stub of a match with this last row; False if it has changed meanwhile."""
        values = (stub.version, last, written(match, stub))
        return bool(PUT_AWAY.run(self._redis, [self._key_of(match)], *values))

    def take_back(self, match: str, stub: Stub, to: int | None = None) -> None:
        """Have the entries of a match in a stream again, up to a version."""
        rows = self.archive.rows(stub)[:to]
        TAKE_BACK.run(self._redis, [self._key_of(match)], written(match, stub), *rows)


def refuse_other(error: Exception) -> None:
    """Raise this error again, unless it says that a key has no stream."""
    if NO_STREAM not in str(error):
        raise error


def _rows(rows: object) -> Iterable[tuple[bytes, Fields]]:
    return cast(Iterable[tuple[bytes, Fields]], rows)


def _complete(after: int, entries: Iterable[Entry]) -> list[Entry]:
    """The same entries, if they follow that version without a gap."""
    complete = list(entries)
    for version, entry in enumerate(complete, after + 1):
        if entry.version != version:
            raise missing(version)
    return complete


def _by_version(
    match: str, rows: Iterable[tuple[bytes, Fields]]
) -> Iterator[tuple[int, Entry | Damaged]]:
    """The entries of a match, or what is wrong with them, each with its version."""
    for row_id, fields in rows:
        version = int(row_id.partition(b"-")[0])
        try:
            yield version, entry_of(match, row_id, fields)
        except Damaged as damage:
            yield version, damage


def is_archived(found: object) -> bool:
    """Whether a pipeline was told that a match is in the archive, when it asked for its stream."""
    if isinstance(found, ResponseError):
        refuse_other(found)
        return True
    return False
