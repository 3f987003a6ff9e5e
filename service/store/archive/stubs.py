"""Stubs: what the store keeps of an archived match."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from domain.match.log import CorruptEntry
from service.store.entry_codec import CHECKSUM_BYTES, checksum


class Stub(Struct, array_like=True, frozen=True):
    """The number of entries of a match, its pack, and the offset, length and SHA-256 of its
    block.
    """

    version: int
    pack: bytes
    offset: int
    length: int
    sha256: bytes


_DECODER = msgspec.msgpack.Decoder(Stub)


def encode_stub(match: str, stub: Stub) -> bytes:
    """Return the stored bytes of a stub, with its checksum."""
    data = msgspec.msgpack.encode(stub)
    return data + checksum(_location(match), data)


def decode_stub(match: str, value: bytes) -> Stub:
    """Return the stub in a value. Raises CorruptEntry if its checksum is wrong or it cannot be
    decoded.
    """
    data, found = value[:-CHECKSUM_BYTES], value[-CHECKSUM_BYTES:]
    if checksum(_location(match), data) != found:
        raise CorruptEntry("its archive stub is corrupt: the checksum is wrong.")
    try:
        return _DECODER.decode(data)
    except msgspec.MsgspecError as error:
        raise CorruptEntry(f"its archive stub cannot be decoded: {error}.") from error


def _location(match: str) -> bytes:
    return f"{match} archived".encode()
