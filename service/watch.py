"""Waiting for what happens next in a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic, sleep

from redis.exceptions import RedisError

from service.errors import StoreUnavailable, TooManyOwnStreams, TooManyStreams
from service.store import Store

_BLOCK_MS = 1_000
_PAGE = 1_000
_PAUSE_S = 1.0


class Watcher:
    """Follows the feeds of the partitions in which somebody waits, with one thread each."""

    def __init__(self, store: Store, most: int, most_each: int, most_address: int) -> None:
        self._store = store
        self._most = most
        self._most_each = most_each
        self._most_address = most_address
        self._lock = Lock()
        self._bells: dict[int, list[tuple[str, Event]]] = {}
        self.places: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def enter(self, caller: str, address: str) -> None:
        """Take one of the places for those who wait, if there is one left for this caller and for
        all callers at this address together.
        """
        with self._lock:
            if self.places[caller] >= self._most_each:
                raise TooManyOwnStreams(f"You have {self._most_each} streams open already.")
            if self._addresses[address] >= self._most_address:
                raise TooManyOwnStreams(f"Your address has {self._most_address} streams open.")
            if self.places.total() >= self._most:
                raise TooManyStreams("This process holds as many streams as it can.")
            self.places[caller] += 1
            self._addresses[address] += 1

    def leave(self, caller: str, address: str) -> None:
        """Give the place back."""
        with self._lock:
            self.places[caller] -= 1
            self._addresses[address] -= 1
            self.places += Counter()  # drops those who hold none
            self._addresses += Counter()

    @contextmanager
    def place(self, caller: str, address: str) -> Iterator[None]:
        """One of the places, for as long as it is needed."""
        self.enter(caller, address)
        try:
            yield
        finally:
            self.leave(caller, address)

    @contextmanager
    def watching(self, match: str) -> Iterator[Event]:
        """A bell that rings (is set) whenever something was recorded in this match."""
        entry = (match, Event())
        partition = self._store.partition_of(match)
        self._add(partition, entry)
        try:
            yield entry[1]
        finally:
            with self._lock:
                self._bells[partition].remove(entry)

    def wait_for(self, match: str, version: int, seconds: float) -> None:
        """Wait until a match has come to a version, but not longer than this many seconds."""
        until = monotonic() + seconds
        with self.watching(match) as bell:
            while self._store.version(match) < version and (left := until - monotonic()) > 0:
                bell.wait(left)
                bell.clear()

    def _add(self, partition: int, entry: tuple[str, Event]) -> None:
        start = self._store.feed_length(partition)  # with the lock, all would wait for Redis
        with self._lock:
            followed = partition in self._bells
            self._bells.setdefault(partition, []).append(entry)
        if not followed:
            Thread(target=self._follow, args=(partition, start), daemon=True).start()

    def _follow(self, partition: int, position: int) -> None:
        """Ring the bells of a partition, until nobody waits for one."""
        while self._anybody(partition):
            try:  # one blocking read serves all who wait in this partition
                pointers = self._store.feed(partition, position, _PAGE, _BLOCK_MS)
            except (StoreUnavailable, RedisError):
                self._ring(partition, None)  # whoever waits finds out by asking the store
                sleep(_PAUSE_S)
                continue
            if pointers:
                position = pointers[-1].position
                self._ring(partition, {pointer.match for pointer in pointers})

    def _anybody(self, partition: int) -> bool:
        with self._lock:
            if not self._bells[partition]:
                del self._bells[partition]
                return False
            return True

    def _ring(self, partition: int, matches: set[str] | None) -> None:
        with self._lock:
            for match, bell in self._bells[partition]:
                if matches is None or match in matches:
                    bell.set()
