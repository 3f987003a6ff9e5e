"""A cache of bytes with a bound in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock

ENTRY_BYTES = 300
"""What an entry takes besides its value: its key and its places in memory."""


class ByteCache:
    """Caches what was used last; several threads may use it."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._cache: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> bytes | None:
        """Return what is cached under this key, or None."""
        with self._lock:
            found = self._cache.get(key)
            if found is not None:
                self._cache.move_to_end(key)
            return found

    def put(self, key: Hashable, value: bytes) -> None:
        """Cache a value, and drop those that were used longest ago to make room."""
        with self._lock:
            if (former := self._cache.pop(key, None)) is not None:
                self._bytes -= _size(former)
            self._cache[key] = value
            self._bytes += _size(value)
            while self._bytes > self._max_bytes:
                self._bytes -= _size(self._cache.popitem(last=False)[1])


def _size(value: bytes) -> int:
    return ENTRY_BYTES + len(value)
