"""Packs: many matches in one immutable file.

A pack begins with a line that names its format. Blocks follow, one per match: its rows exactly as
the store had them, as a msgpack array compressed with zlib. The index follows, one line of JSON per
match; the last eight bytes are its length. The name of a pack is the beginning of its SHA-256, so
equal names mean equal bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from domain.match.log import CorruptEntry
from service.store.archive.stubs import Stub

PACK_HEADER = b"annals pack 1\n"
NAME_BYTES = 16
COMPRESSION_LEVEL = 6
_LENGTH_SIZE = 8
_ROWS = msgspec.msgpack.Decoder(list[bytes])


class IndexItem(Struct, frozen=True):
    """An item of a pack's index: the match, its number of entries, its head, and the offset, length
    and SHA-256 of its block.
    """

    match: str
    version: int
    head: str
    offset: int
    length: int
    sha256: str


_INDEX_ITEM = msgspec.json.Decoder(IndexItem)


class Pack(Struct, frozen=True):
    """A complete pack: its name, its bytes, and the stub of each match in it."""

    name: bytes
    data: bytes
    stubs: dict[str, Stub]


class PackBuilder:
    """Builds a pack."""

    def __init__(self) -> None:
        self._data = bytearray(PACK_HEADER)
        self._index: list[IndexItem] = []

    @property
    def size(self) -> int:
        """The current size in bytes."""
        return len(self._data)

    def add(self, match: str, rows: Sequence[bytes], head: bytes) -> None:
        """Add all rows of a match, in order, with its head."""
        block = zlib.compress(msgspec.msgpack.encode(rows), COMPRESSION_LEVEL)
        digest = sha256(block).hexdigest()
        item = IndexItem(match, len(rows), head.hex(), self.size, len(block), digest)
        self._data += block
        self._index.append(item)

    def build(self) -> Pack:
        """Return the pack with its index."""
        index = b"".join(msgspec.json.encode(item) + b"\n" for item in self._index)
        data = bytes(self._data) + index + len(index).to_bytes(_LENGTH_SIZE)
        name = pack_name(data)
        stubs = {
            one.match: Stub(one.version, name, one.offset, one.length, bytes.fromhex(one.sha256))
            for one in self._index
        }
        return Pack(name, data, stubs)


def pack_name(data: bytes) -> bytes:
    """Return the name of a pack with these bytes."""
    return sha256(data).digest()[:NAME_BYTES]


def pack_file(name: bytes) -> str:
    """Return the file name of a pack."""
    return f"{name.hex()}.pack"


def read_index(name: bytes, data: bytes) -> list[IndexItem]:
    """Return the index of a pack. Raises CorruptEntry if the bytes do not match the name."""
    if pack_name(data) != name or not data.startswith(PACK_HEADER):
        raise CorruptEntry(f"the pack {pack_file(name)} of the archive is corrupt.")
    length = int.from_bytes(data[-_LENGTH_SIZE:])
    index = data[-_LENGTH_SIZE - length : -_LENGTH_SIZE]
    return [_INDEX_ITEM.decode(line) for line in index.splitlines()]


def unpack_rows(stub: Stub, block: bytes) -> list[bytes]:
    """Return the rows of a match from its block. Raises CorruptEntry if the SHA-256 differs."""
    if sha256(block).digest() != stub.sha256:
        raise CorruptEntry(
            f"its block in the pack {pack_file(stub.pack)} of the archive is corrupt."
        )
    return _ROWS.decode(zlib.decompress(block))
