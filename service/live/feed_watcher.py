"""Waits for changes to a match, or for a player, by following the feeds of partitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import methodcaller
from threading import Lock
from time import monotonic
from typing import Protocol

import structlog

from projections.core.query import Query, run_queries
from projections.core.spaces import group_by_slot
from projections.lists.change_feed import ChangeFeedReader
from projections.lists.matches import MATCHES
from service.runtime.batcher import Batcher
from service.runtime.event_loop import Wakeable, Wakeup, call_each, pause, start_background
from service.runtime.logs import is_redis_error
from service.store.event_store import EventStore

_BLOCK_MS = 1_000
_MAX_POINTERS = 1_000
_RETRY_S = 1.0
_GATHER_S = 0.01
log = structlog.get_logger("annals.web")
Versions = Mapping[str, int]
"""What changed, with the latest version or position of each."""
Update = tuple[int, Versions | None]
"""The position up to which a source was read, and what changed; None if it is unknown."""


class UpdateSource(Protocol):
    """Says what changed in each partition."""

    @property
    def groups(self) -> Sequence[Sequence[int]]:
        """The partitions, in groups that one command can read."""
        ...

    def ends(self, partitions: Sequence[int]) -> dict[int, int]:
        """Return the position of the last change in each of these partitions."""
        ...

    def read(self, after: Mapping[int, int]) -> Mapping[int, Update]:
        """Return what changed after a position in each partition of a group, if anything did.

        Blocks for a moment. Raises StoreUnavailable or RedisError if the source cannot be read.
        """
        ...


class EntrySource:
    """The feeds as a source: the version that each match has reached."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self.groups = group_by_slot(store.redis, range(store.partitions))

    def ends(self, partitions: Sequence[int]) -> dict[int, int]:
        """Return the lengths of these feeds."""
        asked = [Query(MATCHES, partition) for partition in partitions]
        answered = run_queries(self._store.redis, asked)
        return {one: known.feed_length for one, known in zip(partitions, answered, strict=True)}

    def read(self, after: Mapping[int, int]) -> dict[int, Update]:
        """Return which matches have new versions."""
        feeds = self._store.read_feeds(after, _MAX_POINTERS, _BLOCK_MS)
        return {
            partition: (feed[-1].position, {one.match: one.version for one in feed})
            for partition, feed in feeds.items()
        }


class ChangeSource:
    """The lists as a source: for whom something changed, and at which position of the feed."""

    def __init__(self, reader: ChangeFeedReader) -> None:
        self._reader = reader
        self.groups = reader.groups
        self.ends = reader.latest_positions

    def read(self, after: Mapping[int, int]) -> dict[int, Update]:
        """Return for whom something changed, with the latest position of each."""
        found = self._reader.wait_for_changes(after, _MAX_POINTERS, _BLOCK_MS)
        return {
            partition: _update_from(after[partition], updates)
            for partition, updates in found.items()
        }


def _update_from(after: int, updates: Sequence[tuple[int, Sequence[str]]]) -> Update:
    if updates[0][0] > after + 1:  # changes in between were trimmed
        return updates[-1][0], None
    return updates[-1][0], {who: position for position, concerned in updates for who in concerned}


class Watch:
    """A match, player or lobby, with the wake-ups to call when it changes."""

    __slots__ = ("change_count", "version", "waiters")

    def __init__(self) -> None:
        self.waiters: set[Wakeable] = set()
        self.change_count = 0
        self.version = 0
        """The latest known version or position; 0 if only a read can show it."""


class FeedWatcher:
    """Follows groups of partitions, each group while a caller waits in it."""

    def __init__(self, source: UpdateSource) -> None:
        self._source = source
        self._lock = Lock()  # never held while waiting
        self._watches: dict[int, dict[str, Watch]] = {}
        self.closing = False

    def watch(self, key: str, partitions: Sequence[int], wakeup: Wakeable) -> Mapping[int, Watch]:
        """Call `wakeup` on each change to this key in these partitions; return its watch in
        each.
        """
        watches: dict[int, Watch] = {}
        try:
            for partition in partitions:
                watches[partition] = self._add(partition, key, wakeup)
        except BaseException:
            self.unwatch(key, watches, wakeup)
            raise
        return watches

    def unwatch(self, key: str, watches: Mapping[int, Watch], wakeup: Wakeable) -> None:
        """Stop calling `wakeup`."""
        with self._lock:
            for partition, watch in watches.items():
                watch.waiters.discard(wakeup)
                if not watch.waiters:
                    self._watches[partition].pop(key, None)

    @contextmanager
    def watch_with_wakeup(
        self, key: str, partitions: Sequence[int]
    ) -> Iterator[tuple[Wakeup, Mapping[int, Watch]]]:
        """Yield a wake-up for changes to this key in these partitions, and its watch in each."""
        wakeup = Wakeup()
        watches = self.watch(key, partitions, wakeup)
        try:
            yield wakeup, watches
        finally:
            self.unwatch(key, watches, wakeup)

    def set_version(self, watch: Watch, change_count: int, version: int) -> None:
        """Store a version read from the store, unless the key changed during the read."""
        with self._lock:
            if watch.change_count == change_count and not watch.version:
                watch.version = version

    def close(self) -> None:
        """Wake all waiting callers: the process is about to end."""
        if self.closing:
            return
        self.closing = True
        self._wake(dict.fromkeys(self._watches))

    def _add(self, partition: int, key: str, wakeup: Wakeable) -> Watch:
        with self._lock:
            if partition in self._watches:
                return self._add_waiter(partition, key, wakeup)
        group = next(group for group in self._source.groups if partition in group)
        starts = self._source.ends(group)  # not in the lock: others need not wait
        with self._lock:
            followed = partition in self._watches
            for one in group:
                self._watches.setdefault(one, {})
            watch = self._add_waiter(partition, key, wakeup)
        if not followed:
            start_background(self._follow, starts)
        return watch

    def _add_waiter(self, partition: int, key: str, wakeup: Wakeable) -> Watch:
        """Add a wake-up to a watch and return it. The caller holds the lock."""
        watch = self._watches[partition].setdefault(key, Watch())
        watch.waiters.add(wakeup)
        return watch

    def _follow(self, positions: Mapping[int, int]) -> None:
        """Wake the callers that wait in a group of partitions, until none is left."""
        batcher, lost = Batcher(_GATHER_S), False
        while self._has_waiters(positions):
            try:  # one blocking read serves all callers of these partitions
                if lost:  # the last changes may be lost with their server
                    positions = self._source.ends(tuple(positions))
                    self._wake(dict.fromkeys(positions))
                    lost = False
                updates = self._source.read(positions)
            except Exception as error:
                if not is_redis_error(error):
                    log.exception("feed_watch_failed")
                lost = True
                self._wake(dict.fromkeys(positions))  # waiting callers then read and get the error
                pause(_RETRY_S)
            else:
                positions = {**positions, **{one: last for one, (last, _) in updates.items()}}
                self._wake({one: versions for one, (_, versions) in updates.items()})
                pause(batcher.pause(sum(len(versions or ()) for _, versions in updates.values())))

    def _has_waiters(self, partitions: Iterable[int]) -> bool:
        with self._lock:
            if any(self._watches[partition] for partition in partitions):
                return True
            for partition in partitions:
                del self._watches[partition]
            return False

    def _wake(self, versions: Mapping[int, Versions | None]) -> None:
        """Wake the callers for what changed; for everything in a partition if that is unknown."""
        with self._lock:
            wakeups = [
                wakeup
                for one, some in versions.items()
                for wakeup in self._update_watches(one, some)
            ]
        call_each(methodcaller("wake"), dict.fromkeys(wakeups))

    def _update_watches(self, partition: int, versions: Versions | None) -> Iterator[Wakeable]:
        """Update the watches of what changed; yield their wake-ups."""
        watches = self._watches.get(partition, {})
        for what in watches if versions is None else watches.keys() & versions.keys():
            watch = watches[what]
            watch.change_count += 1
            watch.version = versions[what] if versions else 0
            yield from watch.waiters


def wait_for_version(
    watcher: FeedWatcher, store: EventStore, match: str, version: int, seconds: float
) -> None:
    """Wait until a match has reached a version, for at most this many seconds."""
    until, partition = monotonic() + seconds, store.partition_of(match)
    with watcher.watch_with_wakeup(match, [partition]) as (wakeup, watches):
        while (watches[partition].version or store.version(match)) < version:
            left = until - monotonic()
            if left <= 0 or watcher.closing:
                return
            wakeup.wait(left)
            wakeup.clear()
