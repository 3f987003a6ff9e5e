"""A cache of what was used last, with a bound in entries that are about equally large."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentCache(Generic[K, V]):
    """Caches what was used last; several threads may use it."""

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self._cache: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._cache)

    def get(self, key: K) -> V | None:
        """Return what is cached under this key, or None."""
        with self._lock:
            found = self._cache.get(key)
            if found is not None:
                self._cache.move_to_end(key)
            return found

    def put(self, key: K, value: V) -> None:
        """Cache a value, and drop the one that was used longest ago if there is no room."""
        with self._lock:
            self._cache[key] = value
            self._cache.move_to_end(key)
            if len(self._cache) > self._max_entries:
                self._cache.popitem(last=False)

    def drop(self, key: K) -> None:
        """Drop what is cached under this key, if anything."""
        with self._lock:
            self._cache.pop(key, None)

    def drop_if(self, is_dropped: Callable[[V], bool]) -> None:
        """Drop all values for which this holds."""
        with self._lock:
            for key in [key for key, value in self._cache.items() if is_dropped(value)]:
                del self._cache[key]
