"""How Redis stores entries and pointers.

An entry is one value: an array in msgpack, followed by a CRC-32 of these bytes and of their
location, so that corrupt or misplaced bytes are detected. Equal entries have equal bytes. Pointers
need no checksum, because the entries determine them.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

import msgspec
from msgspec import Raw, Struct

from domain.match.log import CorruptEntry, Entry, UnreadableEntry

RowFields = Mapping[bytes, bytes]
ENTRY_FIELD = b"e"
"""The only field of an entry's row."""
CHECKSUM_BYTES = 4
_NO_MOVE = Raw(b"\xc0")  # nil


class Pointer(Struct, frozen=True):
    """An item of a feed: its position there, and the match and version of the entry."""

    position: int
    match: str
    version: int


class _Row(Struct, array_like=True, frozen=True):
    """The stored part of an entry; its match and version are those of the row."""

    kind: str
    actor: str
    at: int
    rules: int
    cmd: bytes
    move: Raw
    events: Raw
    secret: bytes
    head: bytes


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Row)


def encode_entry(match: str, entry: Entry) -> bytes:
    """Return the stored value of an entry."""
    move = Raw(entry.move) if entry.move else _NO_MOVE
    row = _Row(
        entry.kind, entry.actor, entry.at, entry.rules, entry.cmd, move, Raw(entry.events),
        entry.secret, entry.head,
    )  # fmt: skip
    data = _ENCODER.encode(row)
    return data + checksum(f"{match} {entry.version}-0".encode(), data)


def decode_row(match: str, row_id: bytes, fields: RowFields) -> Entry:
    """Return the entry in a row. Raises CorruptEntry if its checksum is wrong or it cannot be
    decoded.
    """
    return decode_entry(b"%b %b" % (match.encode(), row_id), fields.get(ENTRY_FIELD, b""))


def decode_entry(location: bytes, value: bytes) -> Entry:
    """Return the entry in a value. Raises CorruptEntry if its checksum is wrong or it cannot be
    decoded.

    `where` is its location: the match, a space, and the id of the row.
    """
    version = int(location[location.rindex(b" ") : location.rindex(b"-")])
    data, found = value[:-CHECKSUM_BYTES], value[-CHECKSUM_BYTES:]
    if checksum(location, data) != found:
        raise CorruptEntry(f"version {version} is corrupt: its checksum is wrong.", version)
    try:
        row = _DECODER.decode(data)
    except msgspec.MsgspecError as error:
        raise UnreadableEntry(f"version {version} cannot be decoded: {error}.", version) from error
    move = b"" if row.move == _NO_MOVE else bytes(row.move)
    return Entry(
        version, row.kind, row.actor, row.at, move, bytes(row.events), row.rules, row.cmd,
        row.secret, row.head,
    )  # fmt: skip


def decode_pointer(row_id: bytes, fields: RowFields) -> Pointer:
    """Return the pointer in a row of a feed. If the row is corrupt, the version is 0, which no
    entry has.
    """
    return make_pointer(row_id, fields.get(b"m", b""), fields.get(b"v", b""))


def make_pointer(row_id: bytes, match: bytes, version: bytes) -> Pointer:
    """Return the pointer with these two values of a row of a feed."""
    position = int(row_id.partition(b"-")[0])
    return Pointer(
        position, match.decode(errors="replace"), int(version) if version.isdigit() else 0
    )


def missing_entry(version: int) -> CorruptEntry:
    """Return the error that an entry of a match is missing."""
    return CorruptEntry(f"version {version} is missing.", version)


def checksum(location: bytes, data: bytes) -> bytes:
    """Return the checksum of bytes stored at a location."""
    return crc32(data, crc32(location)).to_bytes(CHECKSUM_BYTES)
