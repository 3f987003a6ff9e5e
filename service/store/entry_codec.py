"""Entries and pointers as Redis keeps them.

An entry is one value: an array in msgpack, and after it a checksum, the CRC-32 of exactly these
bytes and of where they are stored: whatever becomes of them on a disk or in memory, nobody takes
them for what was recorded. The same entry is always the same bytes. Pointers need no checksum,
since the entries tell what they must be.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

import msgspec
from msgspec import Raw, Struct

from domain.match.log import Damaged, Entry

Fields = Mapping[bytes, bytes]
FIELD = b"e"
"""The only field of the row of an entry."""
SUM_SIZE = 4
_NO_MOVE = Raw(b"\xc0")  # nil


class Pointer(Struct, frozen=True):
    """What a feed says of an entry: its place in the feed, and where to read it."""

    position: int
    match: str
    version: int


class _Row(Struct, array_like=True, frozen=True):
    """What is stored of an entry; its match and its version are those of the row."""

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


def row_of(match: str, entry: Entry) -> bytes:
    """The value that is stored of an entry."""
    move = Raw(entry.move) if entry.move else _NO_MOVE
    row = _Row(
        entry.kind, entry.actor, entry.at, entry.rules, entry.cmd, move, Raw(entry.events),
        entry.secret, entry.head,
    )  # fmt: skip
    data = _ENCODER.encode(row)
    return data + checksum(f"{match} {entry.version}-0".encode(), data)


def entry_of(match: str, row_id: bytes, fields: Fields) -> Entry:
    """The entry of a row; Damaged if it is not what was recorded."""
    return entry_in(b"%b %b" % (match.encode(), row_id), fields.get(FIELD, b""))


def entry_in(where: bytes, value: bytes) -> Entry:
    """The entry that this value is, found at a place: the match, a space, and the id of the row;
    Damaged if it is not what was recorded.
    """
    version = int(where[where.rindex(b" ") : where.rindex(b"-")])
    data, found = value[:-SUM_SIZE], value[-SUM_SIZE:]
    if checksum(where, data) != found:
        raise Damaged(f"version {version} is damaged: its checksum is wrong.")
    try:
        row = _DECODER.decode(data)
    except msgspec.MsgspecError as error:
        raise Damaged(f"version {version} makes no sense: {error}.") from error
    move = b"" if row.move == _NO_MOVE else bytes(row.move)
    return Entry(
        version, row.kind, row.actor, row.at, move, bytes(row.events), row.rules, row.cmd,
        row.secret, row.head,
    )  # fmt: skip


def pointer_of(row_id: bytes, fields: Fields) -> Pointer:
    """The pointer of a row of a feed; to version 0, which nothing has, if it is damaged."""
    return pointer_to(row_id, fields.get(b"m", b""), fields.get(b"v", b""))


def pointer_to(row_id: bytes, match: bytes, version: bytes) -> Pointer:
    """The pointer of a row of a feed with these two values."""
    position = int(row_id.partition(b"-")[0])
    return Pointer(
        position, match.decode(errors="replace"), int(version) if version.isdigit() else 0
    )


def missing(version: int) -> Damaged:
    """That an entry of a match is not there."""
    return Damaged(f"version {version} is missing.")


def checksum(where: bytes, data: bytes) -> bytes:
    """The checksum of bytes that are stored at a place."""
    return crc32(data, crc32(where)).to_bytes(SUM_SIZE)
