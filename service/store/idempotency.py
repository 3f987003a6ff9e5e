"""Which command an entry came from, so that one which is sent again is known again.

An entry has 8 bytes that identify its command: a hash of the caller and of their idempotency key,
else chance. If there was a key, a hash of the request follows. So nothing is stored beside the
entries, and a key holds for as long as its match.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from domain.match.log import Entry
from service.runtime.random_bytes import SIZE, by_chance


def command_of(caller: str, key: str | None, fingerprint: str) -> bytes:
    """What an entry keeps of its command: the caller's key, and what the request asked for."""
    if key is None:
        return by_chance()
    return _hash(f"{caller}:{key}") + _hash(fingerprint)


def same_key(command: bytes, other: bytes) -> bool:
    """Whether two commands came from one caller with one key."""
    return command[:SIZE] == other[:SIZE]


class Commands:
    """The commands of a match that this process has seen, by version.

    Any number of threads may note the same entries, each in their order.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known = bytearray()

    def note(self, entries: Iterable[Entry]) -> None:
        """Take note of entries that follow those which are known."""
        for entry in entries:
            place = (entry.version - 1) * SIZE
            self._known[place : place + SIZE] = entry.cmd[:SIZE].ljust(SIZE, b"\0")

    def version_of(self, command: bytes) -> int | None:
        """The version that this command, or another one with the same key, was recorded as."""
        place = -1
        while (place := self._known.find(command[:SIZE], place + 1)) >= 0:
            if place % SIZE == 0:
                return place // SIZE + 1
        return None


def _hash(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=SIZE).digest()
