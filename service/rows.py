"""Entries, pointers and idempotency keys as Redis keeps them.

Entries and keys have a checksum, a CRC-32 in hexadecimal over exactly the bytes that are stored and
over where they are stored: whatever becomes of them on a disk or in memory, nobody takes them for
what was recorded. Pointers need none, since the entries tell what they must be.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

from msgspec import Struct

from domain.match.log import Damaged, Entry

Fields = Mapping[bytes, bytes]
SUM = b"x"
FIELDS = (b"k", b"a", b"t", b"m", b"e", b"r", b"c", b"s")


class Key(Struct, frozen=True):
    """An idempotency key, `<caller>:<key>`, and a fingerprint of what it came with."""

    name: str
    fingerprint: str


class Repeated(Struct, frozen=True):
    """This key was accepted before, as that version, with that fingerprint."""

    version: int
    fingerprint: str


class Pointer(Struct, frozen=True):
    """What a feed says of an entry: its place in the feed, and where to read it."""

    position: int
    match: str
    version: int
    kind: str


def row_of(match: str, entry: Entry) -> list[bytes]:
    """The values of an entry in the order of FIELDS, and their checksum."""
    values = [
        entry.kind.encode(), entry.actor.encode(), b"%d" % entry.at, entry.move,
        entry.events, b"%d" % entry.rules, entry.cmd.encode(), entry.secret,
    ]  # fmt: skip
    return [*values, checksum(f"{match} {entry.version}-0".encode(), *values)]


def entry_of(match: str, row_id: bytes, fields: Fields) -> Entry:
    """The entry of a row; Damaged if it is not what was recorded."""
    version = int(row_id.partition(b"-")[0])
    where = f"{match} ".encode() + row_id
    if checksum(where, *(fields.get(name, b"") for name in FIELDS)) != fields.get(SUM):
        raise Damaged(f"version {version} is damaged: its checksum is wrong.")
    return Entry(
        version=version,
        kind=fields[b"k"].decode(),
        actor=fields[b"a"].decode(),
        at=int(fields[b"t"]),
        move=fields[b"m"],
        events=fields[b"e"],
        rules=int(fields[b"r"]),
        cmd=fields[b"c"].decode(),
        secret=fields[b"s"],
    )


def pointer_of(row_id: bytes, fields: Fields) -> Pointer:
    """The pointer of a row of a feed; to version 0, which nothing has, if it is damaged."""
    position, version = int(row_id.partition(b"-")[0]), fields.get(b"v", b"")
    match, kind = (fields.get(name, b"").decode(errors="replace") for name in (b"m", b"k"))
    return Pointer(position, match, int(version) if version.isdigit() else 0, kind)


def seal(match: str, version: int, key: Key) -> str:
    """What is kept of an idempotency key, `<version>|<fingerprint>|<checksum>`."""
    value = f"{version}|{key.fingerprint}"
    return f"{value}|{checksum(f'{match}:{key.name}'.encode(), value.encode()).decode()}"


def unseal(match: str, name: str, sealed: bytes) -> Repeated:
    """What an idempotency key was accepted as; Damaged if that is not what was kept."""
    value, _, found = sealed.rpartition(b"|")
    if checksum(f"{match}:{name}".encode(), value) != found:
        raise Damaged(f"the idempotency key {name} is damaged: its checksum is wrong.")
    version, fingerprint = value.decode().split("|", 1)
    return Repeated(int(version), fingerprint)


def checksum(*parts: bytes) -> bytes:
    """The checksum of these bytes, in this order."""
    return b"%08x" % crc32(b"\0".join(parts))
