"""Waiting for what happens next, in a match or to somebody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import methodcaller
from threading import Lock
from time import monotonic
from typing import Protocol

import structlog

from projections.core.query import Asked, ask
from projections.core.spaces import together
from projections.lists.change_feed import NewsReader
from projections.lists.matches import MATCHES
from service.runtime.batcher import Pace
from service.runtime.event_loop import Bell, Rings, begin, each, pause
from service.runtime.logs import of_redis
from service.store.event_store import Store

_BLOCK_MS = 1_000
_PAGE = 1_000
_PAUSE_S = 1.0
_GATHER_S = 0.01
log = structlog.get_logger("annals.web")
Happened = Mapping[str, int]
"""To what something happened, and how far each of them has come."""
Told = tuple[int, Happened | None]
"""Up to which position it was told, and what; None if more happened than one can know."""


class Source(Protocol):
    """What tells where something happened, for each partition."""

    @property
    def groups(self) -> Sequence[Sequence[int]]:
        """The partitions, in groups that can be read together."""
        ...

    def ends(self, partitions: Sequence[int]) -> dict[int, int]:
        """The position of the last thing that was told in each of these partitions."""
        ...

    def read(self, after: Mapping[int, int]) -> Mapping[int, Told]:
        """What was told after a position in each partition of a group, where anything was.

        Waits a little for something. StoreUnavailable or RedisError if it cannot be read.
        """
        ...


class Entries:
    """The feeds: they tell which version each match has come to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.groups = together(store.redis, range(store.partitions))

    def ends(self, partitions: Sequence[int]) -> dict[int, int]:
        """How long these feeds are."""
        asked = [Asked(MATCHES, partition) for partition in partitions]
        answered = ask(self._store.redis, asked)
        return {one: known.length for one, known in zip(partitions, answered, strict=True)}

    def read(self, after: Mapping[int, int]) -> dict[int, Told]:
        """Which matches have come to which version."""
        feeds = self._store.feeds(after, _PAGE, _BLOCK_MS)
        return {
            partition: (feed[-1].position, {one.match: one.version for one in feed})
            for partition, feed in feeds.items()
        }


class Changes:
    """The lists: they tell for whom something has changed, at which position of the feed."""

    def __init__(self, reader: NewsReader) -> None:
        self._reader = reader
        self.groups = reader.groups
        self.ends = reader.ends

    def read(self, after: Mapping[int, int]) -> dict[int, Told]:
        """For whom something has changed last at which position."""
        found = self._reader.told(after, _PAGE, _BLOCK_MS)
        return {partition: _who(after[partition], told) for partition, told in found.items()}


def _who(after: int, told: Sequence[tuple[int, Sequence[str]]]) -> Told:
    if told[0][0] > after + 1:  # what was told in between is not kept any more
        return told[-1][0], None
    return told[-1][0], {who: position for position, concerned in told for who in concerned}


class Channel:
    """Something to which somebody waits for something to happen."""

    __slots__ = ("bells", "rings", "version")

    def __init__(self) -> None:
        self.bells: set[Rings] = set()
        self.rings = 0
        self.version = 0
        """As far as it has come; 0 if nobody can know without asking."""


class Watcher:
    """Follows groups of partitions, each while somebody waits in one of them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lock = Lock()  # never held while waiting
        self._channels: dict[int, dict[str, Channel]] = {}
        self.closing = False

    def watch(self, what: str, partitions: Sequence[int], bell: Rings) -> Mapping[int, Channel]:
        """Let a bell ring whenever something happens to this in one of these partitions; its
        channel in each.
        """
        channels: dict[int, Channel] = {}
        try:
            for partition in partitions:
                channels[partition] = self._add(partition, what, bell)
        except BaseException:
            self.unwatch(what, channels, bell)
            raise
        return channels

    def unwatch(self, what: str, channels: Mapping[int, Channel], bell: Rings) -> None:
        """Let it ring no more."""
        with self._lock:
            for partition, channel in channels.items():
                channel.bells.discard(bell)
                if not channel.bells:
                    self._channels[partition].pop(what, None)

    @contextmanager
    def watching(
        self, what: str, partitions: Sequence[int]
    ) -> Iterator[tuple[Bell, Mapping[int, Channel]]]:
        """A bell that rings whenever something happened to this in one of these partitions, and its
        channel in each.
        """
        bell = Bell()
        channels = self.watch(what, partitions, bell)
        try:
            yield bell, channels
        finally:
            self.unwatch(what, channels, bell)

    def learn(self, channel: Channel, rings: int, version: int) -> None:
        """Note how far this has come, if nobody knew it and it has not rung any more."""
        with self._lock:
            if channel.rings == rings and not channel.version:
                channel.version = version

    def close(self) -> None:
        """Let nobody wait any more: the process is about to end."""
        if self.closing:
            return
        self.closing = True
        self._ring(dict.fromkeys(self._channels))

    def _add(self, partition: int, what: str, bell: Rings) -> Channel:
        with self._lock:
            if partition in self._channels:
                return self._hang(partition, what, bell)
        group = next(group for group in self._source.groups if partition in group)
        starts = self._source.ends(group)  # with the lock, all would wait for Redis
        with self._lock:
            followed = partition in self._channels
            for one in group:
                self._channels.setdefault(one, {})
            channel = self._hang(partition, what, bell)
        if not followed:
            begin(self._follow, starts)
        return channel

    def _hang(self, partition: int, what: str, bell: Rings) -> Channel:
        """The channel, which rings this bell from now on; the caller has the lock."""
        channel = self._channels[partition].setdefault(what, Channel())
        channel.bells.add(bell)
        return channel

    def _follow(self, positions: Mapping[int, int]) -> None:
        """Ring the bells of a group of partitions, until nobody waits for one."""
        pace, lost = Pace(_GATHER_S), False
        while self._anybody(positions):
            try:  # one blocking read serves all who wait in these partitions
                if lost:  # what was told last may be lost with the server that told it
                    positions = self._source.ends(tuple(positions))
                    self._ring(dict.fromkeys(positions))
                    lost = False
                told = self._source.read(positions)
            except Exception as error:
                if not of_redis(error):
                    log.exception("following_failed")
                lost = True
                self._ring(dict.fromkeys(positions))  # whoever waits finds out by asking
                pause(_PAUSE_S)
            else:
                positions = {**positions, **{one: last for one, (last, _) in told.items()}}
                self._ring({one: happened for one, (_, happened) in told.items()})
                pause(pace.pause(sum(len(happened or ()) for _, happened in told.values())))

    def _anybody(self, partitions: Iterable[int]) -> bool:
        with self._lock:
            if any(self._channels[partition] for partition in partitions):
                return True
            for partition in partitions:
                del self._channels[partition]
            return False

    def _ring(self, happened: Mapping[int, Happened | None]) -> None:
        """Ring for those to whom something happened; for all of a partition if nobody knows."""
        with self._lock:
            bells = [bell for one, some in happened.items() for bell in self._concerned(one, some)]
        each(methodcaller("ring"), dict.fromkeys(bells))

    def _concerned(self, partition: int, happened: Happened | None) -> Iterator[Rings]:
        """The bells of those to whom something happened, once that is noted."""
        channels = self._channels.get(partition, {})
        for what in channels if happened is None else channels.keys() & happened.keys():
            channel = channels[what]
            channel.rings += 1
            channel.version = happened[what] if happened else 0
            yield from channel.bells


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
