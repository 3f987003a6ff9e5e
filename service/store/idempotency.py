"""Idempotency keys: recognizes the entry of a command that a client sends again.

Each entry has 8 bytes that identify its command: a hash of the caller and the key, or random bytes
without a key. With a key, a hash of the request follows. So the store holds nothing beside the
entries, and a key is valid as long as its match.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from domain.match.log import Entry
from service.runtime.random_bytes import ID_BYTES, random_id


def command_id(caller: str, key: str | None, fingerprint: str) -> bytes:
    """Return what an entry stores of its command: hashes of the caller's key and of the request."""
    if key is None:
        return random_id()
    return _hash(f"{caller}:{key}") + _hash(fingerprint)


def has_same_key(command: bytes, other: bytes) -> bool:
    """Return whether two commands have the same caller and key."""
    return command[:ID_BYTES] == other[:ID_BYTES]


class CommandIndex:
    """The commands of a match that this process has seen, by version.

    Several threads may note the same entries, each in order.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known = bytearray()

    def add(self, entries: Iterable[Entry]) -> None:
        """Add entries that follow the known ones."""
        for entry in entries:
            offset = (entry.version - 1) * ID_BYTES
            self._known[offset : offset + ID_BYTES] = entry.cmd[:ID_BYTES].ljust(ID_BYTES, b"\0")

    def find_version(self, command: bytes) -> int | None:
        """Return the version recorded for this command, or for another one with the same key; else
        None.
        """
        offset = -1
        while (offset := self._known.find(command[:ID_BYTES], offset + 1)) >= 0:
            if offset % ID_BYTES == 0:
                return offset // ID_BYTES + 1
        return None


def _hash(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=ID_BYTES).digest()
