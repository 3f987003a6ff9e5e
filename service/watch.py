"""Waiting for what happens next in a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from time import monotonic

from redis.exceptions import RedisError

from service.errors import StoreUnavailable, TooManyOwnStreams, TooManyStreams
from service.event_loop import Bell, begin, pause
from service.store import Store

_BLOCK_MS = 1_000
_PAGE = 1_000
_PAUSE_S = 1.0


class Channel:
    """A match in which somebody waits."""

    __slots__ = ("bells", "rings", "version")

    def __init__(self) -> None:
        self.bells: set[Bell] = set()
        self.rings = 0
        self.version = 0
        """As far as the feed told; 0 if nobody can know without asking the store."""

    def ring(self, version: int) -> None:
        """Wake all who wait."""
        self.rings += 1
        self.version = version
        for bell in self.bells:
            bell.ring()


class Watcher:
    """Follows the feeds of the partitions in which somebody waits, each once."""

    def __init__(self, store: Store, most: int, most_each: int, most_address: int) -> None:
        self._store = store
        self._most = most
        self._most_each = most_each
        self._most_address = most_address
        self._lock = Lock()  # never held while waiting
        self._channels: dict[int, dict[str, Channel]] = {}
        self._taken = 0
        self.places: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self.closing = False

    def enter(self, caller: str, address: str) -> None:
        """Take one of the places for those who wait, if there is one left for this caller and for
        all callers at this address together.
        """
        with self._lock:
            if self.places[caller] >= self._most_each:
                raise TooManyOwnStreams(f"You have {self._most_each} streams open already.")
            if self._addresses[address] >= self._most_address:
                raise TooManyOwnStreams(f"Your address has {self._most_address} streams open.")
            if self._taken >= self._most:
                raise TooManyStreams("This process holds as many streams as it can.")
            self.places[caller] += 1
            self._addresses[address] += 1
            self._taken += 1

    def leave(self, caller: str, address: str) -> None:
        """Give the place back."""
        with self._lock:
            self._taken -= 1
            for held, who in ((self.places, caller), (self._addresses, address)):
                held[who] -= 1
                if not held[who]:
                    del held[who]

    @contextmanager
    def place(self, caller: str, address: str) -> Iterator[None]:
        """One of the places, for as long as it is needed."""
        self.enter(caller, address)
        try:
            yield
        finally:
            self.leave(caller, address)

    @contextmanager
    def watching(self, match: str) -> Iterator[tuple[Bell, Channel]]:
        """A bell that rings whenever something was recorded in this match, and its channel."""
        bell, partition = Bell(), self._store.partition_of(match)
        channel = self._add(partition, match, bell)
        try:
            yield bell, channel
        finally:
            with self._lock:
                channel.bells.discard(bell)
                if not channel.bells:
                    self._channels[partition].pop(match, None)

    def wait_for(self, match: str, version: int, seconds: float) -> None:
        """Wait until a match has come to a version, but not longer than this many seconds."""
        until = monotonic() + seconds
        with self.watching(match) as (bell, channel):
            while (channel.version or self._store.version(match)) < version:
                left = until - monotonic()
                if left <= 0 or self.closing:
                    return
                bell.wait(left)
                bell.clear()

    def close(self) -> None:
        """Let nobody wait any more: the process is about to end."""
        self.closing = True
        for partition in list(self._channels):
            self._ring(partition, None)

    def _add(self, partition: int, match: str, bell: Bell) -> Channel:
        start = 0
        if partition not in self._channels:
            start = self._store.feed_length(partition)  # with the lock, all would wait for Redis
        with self._lock:
            followed = partition in self._channels
            channel = self._channels.setdefault(partition, {}).setdefault(match, Channel())
            channel.bells.add(bell)
        if not followed:
            begin(self._follow, partition, start)
        return channel

    def _follow(self, partition: int, position: int) -> None:
        """Ring the bells of a partition, until nobody waits for one."""
        while self._anybody(partition):
            try:  # one blocking read serves all who wait in this partition
                pointers = self._store.feed(partition, position, _PAGE, _BLOCK_MS)
            except (StoreUnavailable, RedisError):
                self._ring(partition, None)  # whoever waits finds out by asking the store
                pause(_PAUSE_S)
                continue
            if pointers:
                position = pointers[-1].position
                self._ring(partition, {pointer.match: pointer.version for pointer in pointers})

    def _anybody(self, partition: int) -> bool:
        with self._lock:
            if not self._channels[partition]:
                del self._channels[partition]
                return False
            return True

    def _ring(self, partition: int, versions: Mapping[str, int] | None) -> None:
        """Ring for these matches, which have come so far; for all if nobody knows."""
        with self._lock:
            channels = self._channels[partition]
            for match in channels if versions is None else channels.keys() & versions.keys():
                channels[match].ring(versions[match] if versions else 0)
