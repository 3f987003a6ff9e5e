"""Writes the high-water mark beside the data: the last state known to be on disk.

With it Annals detects a store that has lost entries, because its file was truncated or replaced by
an older one. The mark never names more than is on the disk of Redis, so neither a kill nor a power
failure makes a store smaller than its mark.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
from msgspec.structs import replace
from redis import Redis
from redis.exceptions import RedisError, ResponseError

from service.matches.container import wall_clock
from service.runtime.atomic_write import PRIVATE_MODE, write_durably
from service.runtime.errors import REDIS_ERRORS, StoreUnavailable
from service.runtime.settings import Settings
from service.store.redis_client import connect
from service.store.store_format import HIGH_WATER_MARK_KEY
from service.store.uptime import count_beats
from workers.host.errors import CannotRun

FILE_NAME = "high-water-mark.json"
INTERVAL_S = 2.0
STOPPING_INTERVAL_S = 0.05
"""Interval during shutdown, so that the last entries are in the mark too."""
SYNC_TIMEOUT_MS = 2_000
REMEDY = (
    "Put back the right data, or restore a backup (docs/backup.md); to continue without the"
    " lost entries, run `annals accept-loss`."
)


class FeedEnd(msgspec.Struct, frozen=True):
    """The end of a feed: its length, its last pointer, and a hash of the entry; empty for an
    archived entry.
    """

    length: int
    pointer: str = ""
    entry: str = ""

    def may_equal(self, other: FeedEnd) -> bool:
        """Return whether both ends may belong to the same history; archived entries have separate
        checksums.
        """
        same = not (self.entry and other.entry) or self.entry == other.entry
        return same and (self.length, self.pointer) == (other.length, other.pointer)


class HighWaterMark(msgspec.Struct, frozen=True):
    """The state of a store. The number grows by one with each mark, and is in the store too."""

    number: int
    at: int
    feeds: Mapping[int, FeedEnd]


DECODER = msgspec.json.Decoder(HighWaterMark)


class MarkFile:
    """The mark in a data folder, for a store with this number of partitions."""

    def __init__(self, data: Path, redis: Redis, partitions: int) -> None:
        self._file = data / FILE_NAME
        self._redis = redis
        self._partitions = partitions
        self._changes = -1

    def find_missing(self) -> list[str]:
        """Sentences about what the mark names and the store does not have."""
        try:
            return list(self._find_missing(DECODER.decode(self._file.read_bytes())))
        except FileNotFoundError:
            return []
        except msgspec.MsgspecError:
            return [f"{self._file} is corrupt, so Annals cannot check whether entries are missing."]

    def update(self) -> None:
        """Write the mark if the store has changed, not only by heartbeats, and is on disk. Raises
        CannotRun if something is missing.
        """
        beats = count_beats(self._redis)
        changes = self._redis.info("persistence")["rdb_changes_since_last_save"] - beats
        if changes == self._changes:
            return
        if missing := self.find_missing():
            raise loss_error(missing)
        if self._write():
            self._changes = changes + 1  # incrementing the number was a change too

    def reset(self) -> None:
        """Replace the mark by the current state, if there is a mark."""
        if self._file.is_file():
            self._file.unlink()
            self._write()

    def _write(self) -> bool:
        feeds = self._feed_ends(dict.fromkeys(range(self._partitions)))
        number = self._redis.incr(HIGH_WATER_MARK_KEY)
        if not self._is_on_disk():
            return False
        content = msgspec.json.encode(HighWaterMark(number, wall_clock(), feeds))
        write_durably(self._file, content, PRIVATE_MODE)
        return True

    def _find_missing(self, mark: HighWaterMark) -> Iterator[str]:
        with self._redis.pipeline(transaction=False) as pipe:
            for partition in mark.feeds:
                pipe.xlen(_feed(partition))
            lengths = dict(zip(mark.feeds, pipe.execute(), strict=True))
        ends = self._feed_ends({partition: end.length for partition, end in mark.feeds.items()})
        for partition, end in sorted(mark.feeds.items()):
            length = lengths[partition]
            if length < end.length:
                yield (
                    f"{end.length - length} of {end.length} entries of partition {partition} are"
                    " missing."
                )
            elif not ends[partition].may_equal(end):
                yield f"Entry {end.length} of partition {partition} is not the one in the mark."
        if self._number() < mark.number:
            yield "Accounts and tokens may be older, too."

    def _number(self) -> int:
        found = self._redis.get(HIGH_WATER_MARK_KEY)
        return int(found) if isinstance(found, bytes) and found.isdigit() else 0

    def _feed_ends(self, positions: Mapping[int, int | None]) -> dict[int, FeedEnd]:
        """Return the ends of feeds, or their states at these positions, by partition; in two round
        trips, because a service does this every two seconds.
        """
        with self._redis.pipeline(transaction=False) as pipe:
            for partition, at in positions.items():
                pipe.xrevrange(_feed(partition), "+" if at is None else f"{at}-0", "-", count=1)
            rows = dict(zip(positions, pipe.execute(), strict=True))
            ends = {partition: _end_without_entry(found) for partition, found in rows.items()}
            for partition, end in ends.items():
                match, _, version = end.pointer.rpartition(" ")
                pipe.xrange(
                    f"{{p{partition}}}:match:{match}", f"{version or 0}-0", f"{version or 0}-0"
                )
            entries = pipe.execute(raise_on_error=False)
        return {
            partition: replace(end, entry=_hash_entry(entry)) if end.length else end
            for (partition, end), entry in zip(ends.items(), entries, strict=True)
        }

    def _is_on_disk(self) -> bool:
        """Return whether our last write, and so everything before it, is on the disk of
        this Redis.
        """
        try:
            synced: Any = self._redis.execute_command("WAITAOF", 1, 0, SYNC_TIMEOUT_MS)  # type: ignore[no-untyped-call]
        except ResponseError:  # an old server, or one without an append-only file
            keeping = self._redis.config_get("append*")
            return keeping.get("appendonly") == "yes" and keeping.get("appendfsync") == "always"
        return bool(synced[0])


def refuse_loss(settings: Settings, redis: Redis) -> None:
    """CannotRun if the store has less than the mark in the data folder."""
    if missing := find_missing(settings, redis):
        raise loss_error(missing)


def find_missing(settings: Settings, redis: Redis) -> list[str]:
    """Sentences about what the store has lost; none for a cluster, which may lose entries."""
    return [] if is_cluster(redis) else mark_file(settings, redis).find_missing()


def loss_error(missing: Sequence[str]) -> CannotRun:
    """Return the error for a store that has lost something."""
    return CannotRun(f"The event store has lost entries. {' '.join(missing)} {REMEDY}")


def mark_file(settings: Settings, redis: Redis) -> MarkFile:
    """Return the mark of the store in the settings."""
    return MarkFile(settings.data, redis, settings.partitions)


def reset_mark(settings: Settings, redis: Redis) -> None:
    """Replace the mark by the current state."""
    if not is_cluster(redis):
        mark_file(settings, redis).reset()


def keep_mark(settings: Settings, stop: Event, give_up: Callable[[str], None]) -> None:
    """Write the mark every two seconds, and more often during shutdown, until Redis has gone.

    Calls `give_up` if something is missing.
    """
    with closing(connect(settings.events_url)) as redis:
        file = mark_file(settings, redis)
        while not is_cluster(redis):
            stopping = stop.is_set()
            try:
                file.update()
            except CannotRun as error:
                give_up(str(error))
                break
            except (*REDIS_ERRORS, StoreUnavailable, OSError):  # Redis is away, or the disk is full
                if stopping:
                    break
            if stop.wait(INTERVAL_S):
                time.sleep(STOPPING_INTERVAL_S)


def is_cluster(redis: Redis) -> bool:
    """Return whether this is the client of a cluster."""
    return not isinstance(redis, Redis)


def _end_without_entry(rows: Sequence[tuple[bytes, Mapping[bytes, bytes]]]) -> FeedEnd:
    """Return the end of a feed from its last row."""
    if not rows:
        return FeedEnd(0)
    [(end, fields)] = rows
    match, version = (fields.get(name, b"").decode(errors="replace") for name in (b"m", b"v"))
    return FeedEnd(int(end.partition(b"-")[0]), f"{match} {version}")


def _hash_entry(rows: object) -> str:
    """Return a hash of a stored entry, or empty if its match is in the archive, where Redis answers
    with an error.
    """
    if isinstance(rows, RedisError):
        return ""
    return sha256(repr(rows).encode()).hexdigest()


def _feed(partition: int) -> str:
    return f"{{p{partition}}}:feed"
