"""Packs: many matches in one file, which never changes once it is written.

A pack begins with a line that says what it is. Then come the blocks, one for each match: its rows,
exactly as the store had them, as an array in msgpack, packed by zlib. Then the index, a line of
JSON for each match, and in the last eight bytes how long that is. The name of a pack is the
beginning of its SHA-256: the same name is the same bytes, wherever it is copied to.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from domain.match.log import Damaged
from service.store.archive.stubs import Stub

FIRST_LINE = b"annals pack 1\n"
NAME_SIZE = 16
LEVEL = 6
_LENGTH_SIZE = 8
_ROWS = msgspec.msgpack.Decoder(list[bytes])


class Place(Struct, frozen=True):
    """What the index of a pack says of a match: how many entries it has, its head, where its block
    is, and the SHA-256 of that.
    """

    match: str
    version: int
    head: str
    offset: int
    length: int
    sha256: str


_PLACE = msgspec.json.Decoder(Place)


class Pack(Struct, frozen=True):
    """A pack that is complete: its name, its bytes, and what is to be kept of each match in it."""

    name: bytes
    data: bytes
    stubs: dict[str, Stub]


class Packing:
    """A pack while matches are put in."""

    def __init__(self) -> None:
        self._data = bytearray(FIRST_LINE)
        self._places: list[Place] = []

    @property
    def size(self) -> int:
        """How many bytes there are by now."""
        return len(self._data)

    def add(self, match: str, rows: Sequence[bytes], head: bytes) -> None:
        """Put in all rows of a match with this head, in order."""
        block = zlib.compress(msgspec.msgpack.encode(rows), LEVEL)
        digest = sha256(block).hexdigest()
        place = Place(match, len(rows), head.hex(), self.size, len(block), digest)
        self._data += block
        self._places.append(place)

    def closed(self) -> Pack:
        """The pack with its index."""
        index = b"".join(msgspec.json.encode(place) + b"\n" for place in self._places)
        data = bytes(self._data) + index + len(index).to_bytes(_LENGTH_SIZE)
        name = name_of(data)
        stubs = {
            one.match: Stub(one.version, name, one.offset, one.length, bytes.fromhex(one.sha256))
            for one in self._places
        }
        return Pack(name, data, stubs)


def name_of(data: bytes) -> bytes:
    """The name of a pack with these bytes."""
    return sha256(data).digest()[:NAME_SIZE]


def file_of(name: bytes) -> str:
    """The file in which a pack is."""
    return f"{name.hex()}.pack"


def index_of(name: bytes, data: bytes) -> list[Place]:
    """What is in a pack; Damaged if these are not its bytes."""
    if name_of(data) != name or not data.startswith(FIRST_LINE):
        raise Damaged(f"the pack {file_of(name)} of the archive is damaged.")
    length = int.from_bytes(data[-_LENGTH_SIZE:])
    index = data[-_LENGTH_SIZE - length : -_LENGTH_SIZE]
    return [_PLACE.decode(line) for line in index.splitlines()]


def rows_in(stub: Stub, block: bytes) -> list[bytes]:
    """The rows of a match from its block; Damaged if that is not what was put in."""
    if sha256(block).digest() != stub.sha256:
        raise Damaged(f"its block in the pack {file_of(stub.pack)} of the archive is damaged.")
    return _ROWS.decode(zlib.decompress(block))
