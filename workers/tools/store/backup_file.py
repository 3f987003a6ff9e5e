"""The format of a backup file: gzipped lines of JSON, each with a checksum over all lines so far.

A header comes first, then keys and entries, then an end record with their numbers and the SHA-256
of all lines before it. The `crc` at the end of each line is the CRC-32 of everything up to it.
"""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec

from service.runtime.atomic_write import sync_folder
from service.store.store_format import STORE_FORMAT, STORE_LEVEL, describe_newer

FORMAT = 4
DELETED = "none"
"""Type of a key that was deleted while the backup was written, as Redis calls it."""
PART_NAME = re.compile(r"\..+\.[0-9]+\.part")
_CRC = b',"crc":"'
_CRC_LENGTH = len(_CRC) + 8 + len(b'"}')


class Header(msgspec.Struct, frozen=True, tag="annals backup", tag_field="is"):
    """The release that wrote the backup, the time (ISO 8601), the expected number of entries, the
    versions of the file format and of the store format, and the level of the store.
    """

    format: int
    store: int
    annals: str
    at: str
    partitions: int
    entries: int
    level: int


class StoredKey(msgspec.Struct, frozen=True, tag="key", tag_field="is", omit_defaults=True):
    """A key with its content as text, or DELETED; `expires` in ms since the epoch."""

    name: str
    type: str
    value: str | Sequence[str] | Mapping[str, str]
    expires: int | None = None


class StoredEntry(msgspec.Struct, frozen=True, tag="entry", tag_field="is", omit_defaults=True):
    """A stored entry in base64; empty if it was missing or is in the archive."""

    match: str
    version: int
    value: bytes
    archived: bool = False


class StoredStub(msgspec.Struct, frozen=True, tag="stub", tag_field="is"):
    """The stub of an archived match, and its pack; empty if the stub is corrupt."""

    match: str
    value: bytes
    pack: str


class End(msgspec.Struct, frozen=True, tag="end", tag_field="is"):
    """The numbers of keys, entries and matches, the archive packs that belong to the backup, and
    the SHA-256 of all lines before this one.
    """

    keys: int
    entries: int
    matches: int
    packs: Sequence[str]
    sha256: str


Record = Header | StoredKey | StoredStub | StoredEntry | End
_RECORD = msgspec.json.Decoder(Record)


class BadBackup(Exception):
    """The file is not a backup, or is corrupt; the message is one sentence."""


class BackupWriter:
    """Writes the lines of a backup and counts them."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self._crc = 0
        self._sha = hashlib.sha256()
        self._counts: Counter[type] = Counter()
        self._matches: set[str] = set()
        self._packs: set[str] = set()

    def write(self, record: Record) -> None:
        """Write a line."""
        text = msgspec.json.encode(record)[:-1]
        self._crc = zlib.crc32(text, self._crc)
        line = b'%b%b%08x"}\n' % (text, _CRC, self._crc)
        self._sha.update(line)
        self._file.write(line)
        self._counts[type(record)] += 1
        if isinstance(record, StoredEntry):
            self._matches.add(record.match)
        if isinstance(record, StoredStub) and record.pack:
            self._packs.add(record.pack)

    def end(self) -> End:
        """Write the last line and return it."""
        end = End(
            self._counts[StoredKey],
            self._counts[StoredEntry],
            len(self._matches),
            sorted(self._packs),
            self._sha.hexdigest(),
        )
        self.write(end)
        return end


@contextmanager
def backup_writer(path: Path) -> Iterator[BackupWriter]:
    """Write a backup; the file gets its name only once it is complete and on disk. Deletes what
    killed backups have left in its folder.
    """
    _delete_stale_parts(path.parent)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with (
            os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as raw,
            gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6) as file,
        ):
            _lock(raw)
            yield BackupWriter(file)
            file.close()
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)


def _lock(part: IO[bytes]) -> None:
    """Lock a file until this process closes it or ends. Raises BlockingIOError if another process
    has locked it.
    """
    fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _delete_stale_parts(folder: Path) -> None:
    """Delete the unfinished backups in a folder that no process is writing."""
    for path in folder.glob(".*.part"):
        if PART_NAME.fullmatch(path.name):
            with suppress(OSError), path.open("rb") as part:
                _lock(part)
                path.unlink()


def read_backup(path: Path) -> Iterator[Record]:
    """Yield the records of a backup, in order; BadBackup names the first bad line."""
    number, last = 0, None
    sha, crc = hashlib.sha256(), 0
    for number, line in enumerate(_lines(path), 1):
        last, crc = _record(line, number, crc)
        if number == 1:
            _refuse_other_format(last)
        if isinstance(last, End) and last.sha256 != sha.hexdigest():
            raise BadBackup(f"line {number} does not match the SHA-256 of the lines before it.")
        sha.update(line)
        yield last
    if not isinstance(last, End):
        raise BadBackup(f"it is cut off after line {number}.")


def _lines(path: Path) -> Iterator[bytes]:
    number = 0
    try:
        with gzip.open(path, "rb") as file:
            for number, line in enumerate(file, 1):  # noqa: B007 - where it broke off
                yield line
    except EOFError:
        raise BadBackup(f"it is cut off after line {number}.") from None
    except gzip.BadGzipFile as error:
        words = f"it is corrupt after line {number}" if number else "it is not a backup"
        raise BadBackup(f"{words} ({error}).") from None
    except zlib.error:
        raise BadBackup(f"it is corrupt after line {number}.") from None


def _record(line: bytes, number: int, before: int) -> tuple[Record, int]:
    """Return the record in a line, and the CRC up to it."""
    text, check = line[: -_CRC_LENGTH - 1], line[-_CRC_LENGTH - 1 :]
    crc = zlib.crc32(text, before)
    if not line.endswith(b"\n"):
        what = "it is not a backup, or" if number == 1 else "it"
        raise BadBackup(f"{what} is cut off in line {number}.")
    if check != b'%b%08x"}\n' % (_CRC, crc):
        raise BadBackup(f"line {number} is corrupt." if number > 1 else "it is not a backup.")
    try:
        return _RECORD.decode(text + b"}"), crc
    except msgspec.MsgspecError as error:
        raise BadBackup(f"line {number} is not a valid record: {error}.") from None


def _refuse_other_format(header: Record) -> None:
    if not isinstance(header, Header):
        raise BadBackup("it does not start with the header of a backup.")
    for what, form, known in (
        ("format", header.format, FORMAT),
        ("the store format", header.store, STORE_FORMAT),
    ):
        if form != known:
            raise BadBackup(
                f"Annals {header.annals} wrote it in {what} {form}; this release reads only {what}"
                f" {known}."
            )
    if header.level > STORE_LEVEL:
        raise BadBackup(
            f"it has level {header.level}, and this program reads levels up to {STORE_LEVEL}:"
            f" use {describe_newer(header.annals)}."
        )


def as_text(value: bytes) -> str:
    """Return bytes as text: UTF-8 if they are valid, otherwise a NUL and one character for each
    byte.
    """
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = "\0"
    return f"\0{value.decode('latin-1')}" if text.startswith("\0") else text


def as_bytes(text: str) -> bytes:
    """Return the bytes of such a text."""
    return text[1:].encode("latin-1") if text.startswith("\0") else text.encode()
