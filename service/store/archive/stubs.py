"""What the store keeps of a match whose entries are in the archive."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from domain.match.log import Damaged
from service.store.entry_codec import SUM_SIZE, checksum


class Stub(Struct, array_like=True, frozen=True):
    """How many entries the match has, the pack that they are in, where, and the SHA-256 of them as
    they stand there.
    """

    version: int
    pack: bytes
    offset: int
    length: int
    sha256: bytes


_DECODER = msgspec.msgpack.Decoder(Stub)


def written(match: str, stub: Stub) -> bytes:
    """A stub as it is stored, with its checksum."""
    data = msgspec.msgpack.encode(stub)
    return data + checksum(_place(match), data)


def stub_in(match: str, value: bytes) -> Stub:
    """The stub that this value is; Damaged if it is not what was stored."""
    data, found = value[:-SUM_SIZE], value[-SUM_SIZE:]
    if checksum(_place(match), data) != found:
        raise Damaged("what tells where it is in the archive is damaged: its checksum is wrong.")
    try:
        return _DECODER.decode(data)
    except msgspec.MsgspecError as error:
        raise Damaged(f"what tells where it is in the archive makes no sense: {error}.") from error


def _place(match: str) -> bytes:
    return f"{match} archived".encode()
