"""Waiting for what happens next, in a match or to somebody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Protocol

import structlog

from projections.news import NewsReader
from service.event_loop import Bell, begin, pause
from service.logs import of_redis
from service.store import Store

_BLOCK_MS = 1_000
_PAGE = 1_000
_PAUSE_S = 1.0
log = structlog.get_logger("annals.web")
Happened = Mapping[str, int]
"""To what something happened, and how far each of them has come."""


class Source(Protocol):
    """What tells where something happened, for each partition."""

    def end(self, partition: int) -> int:
        """The position of the last thing that was told."""
        ...

    def read(self, partition: int, after: int) -> tuple[int, Happened | None]:
        """What was told after a position, and up to which; None if more happened than one can know.

        Waits a little for something. StoreUnavailable or RedisError if it cannot be read.
        """
        ...


class Entries:
    """The feeds: they tell which version each match has come to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.end = store.feed_length

    def read(self, partition: int, after: int) -> tuple[int, Happened]:
        """Which matches have come to which version."""
        pointers = self._store.feed(partition, after, _PAGE, _BLOCK_MS)
        last = pointers[-1].position if pointers else after
        return last, {pointer.match: pointer.version for pointer in pointers}


class Changes:
    """The lists: they tell for whom something has changed, at which position of the feed."""

    def __init__(self, reader: NewsReader) -> None:
        self._reader = reader
        self.end = reader.end

    def read(self, partition: int, after: int) -> tuple[int, Happened | None]:
        """For whom something has changed last at which position."""
        told = self._reader.told(partition, after, _PAGE, _BLOCK_MS)
        if not told:
            return after, {}
        if told[0][0] > after + 1:  # what was told in between is not kept any more
            return told[-1][0], None
        return told[-1][0], {who: position for position, concerned in told for who in concerned}


class Channel:
    """Something to which somebody waits for something to happen."""

    __slots__ = ("bells", "rings", "version")

    def __init__(self) -> None:
        self.bells: set[Bell] = set()
        self.rings = 0
        self.version = 0
        """As far as it has come; 0 if nobody can know without asking."""

    def ring(self, version: int) -> None:
        """Wake all who wait."""
        self.rings += 1
        self.version = version
        for bell in self.bells:
            bell.ring()


class Watcher:
    """Follows the partitions in which somebody waits, each once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lock = Lock()  # never held while waiting
        self._channels: dict[int, dict[str, Channel]] = {}
        self.closing = False

    @contextmanager
    def watching(
        self, what: str, partitions: Sequence[int]
    ) -> Iterator[tuple[Bell, Mapping[int, Channel]]]:
        """A bell that rings whenever something happened to this in one of these partitions, and its
        channel in each.
        """
        bell = Bell()
        channels: dict[int, Channel] = {}
        try:
            for partition in partitions:
                channels[partition] = self._add(partition, what, bell)
            yield bell, channels
        finally:
            with self._lock:
                for partition, channel in channels.items():
                    channel.bells.discard(bell)
                    if not channel.bells:
                        self._channels[partition].pop(what, None)

    def learn(self, channel: Channel, rings: int, version: int) -> None:
        """Note how far this has come, if nobody knew it and it has not rung any more."""
        with self._lock:
            if channel.rings == rings and not channel.version:
                channel.version = version

    def close(self) -> None:
        """Let nobody wait any more: the process is about to end."""
        if self.closing:  # each connection says so
            return
        self.closing = True
        for partition in list(self._channels):
            self._ring(partition, None)

    def _add(self, partition: int, what: str, bell: Bell) -> Channel:
        with self._lock:
            if partition in self._channels:
                return self._hang(partition, what, bell)
        start = self._source.end(partition)  # with the lock, all would wait for Redis
        with self._lock:
            followed = partition in self._channels
            channel = self._hang(partition, what, bell)
        if not followed:
            begin(self._follow, partition, start)
        return channel

    def _hang(self, partition: int, what: str, bell: Bell) -> Channel:
        """The channel, which rings this bell from now on; the caller has the lock."""
        channel = self._channels.setdefault(partition, {}).setdefault(what, Channel())
        channel.bells.add(bell)
        return channel

    def _follow(self, partition: int, position: int) -> None:
        """Ring the bells of a partition, until nobody waits for one."""
        while self._anybody(partition):
            try:  # one blocking read serves all who wait in this partition
                position, happened = self._source.read(partition, position)
            except Exception as error:
                if not of_redis(error):
                    log.exception("following_failed")
                self._ring(partition, None)  # whoever waits finds out by asking
                pause(_PAUSE_S)
            else:
                self._ring(partition, happened)

    def _anybody(self, partition: int) -> bool:
        with self._lock:
            if not self._channels[partition]:
                del self._channels[partition]
                return False
            return True

    def _ring(self, partition: int, happened: Happened | None) -> None:
        """Ring for those to whom something happened; for all if nobody knows."""
        with self._lock:
            channels = self._channels.get(partition, {})
            for what in channels if happened is None else channels.keys() & happened.keys():
                channels[what].ring(happened[what] if happened else 0)


def wait_for(watcher: Watcher, store: Store, match: str, version: int, seconds: float) -> None:
    """Wait until a match has come to a version, but not longer than this many seconds."""
    until, partition = monotonic() + seconds, store.partition_of(match)
    with watcher.watching(match, [partition]) as (bell, channels):
        while (channels[partition].version or store.version(match)) < version:
            left = until - monotonic()
            if left <= 0 or watcher.closing:
                return
            bell.wait(left)
            bell.clear()
