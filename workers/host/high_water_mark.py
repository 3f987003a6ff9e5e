"""What is recorded for sure, noted in a file beside the data: so that a store which has less, as it
was cut or is an older one, is not taken for the whole.

The file never tells more than is on the disk of Redis: so neither a kill nor a power cut makes a
store less than what was noted.
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
from redis import Redis
from redis.exceptions import RedisError, ResponseError

from service.matches.container import wall_clock
from service.runtime.atomic_write import FOR_US, write_durably
from service.runtime.settings import Settings
from service.store.redis_client import connect
from service.store.store_format import NOTED
from workers.host.errors import CannotRun

FILE = "noted.json"
TICK_S = 2.0
LAST_TICKS_S = 0.05
"""How often is looked while all is stopped, so that what was recorded last is noted, too."""
SYNC_MS = 2_000
WAY_ON = (
    "Put back the data that belong to it, or restore a backup (docs/backup.md);"
    " `annals accept` goes on with what is there."
)


class Place(msgspec.Struct, frozen=True):
    """The end of a feed: how many pointers it has, the last one, and a hash of its entry, none if
    that is in the archive.
    """

    length: int
    pointer: str = ""
    entry: str = ""

    def is_like(self, other: Place) -> bool:
        """Whether both are of one history; what is in the archive has checksums of its own."""
        same = not (self.entry and other.entry) or self.entry == other.entry
        return same and (self.length, self.pointer) == (other.length, other.pointer)


class Noted(msgspec.Struct, frozen=True):
    """A state of a store; the number grows by one with each, and stands in the store, too."""

    number: int
    at: int
    feeds: Mapping[int, Place]


class Notes:
    """What was noted in a data folder of the store of these partitions."""

    def __init__(self, data: Path, redis: Redis, partitions: int) -> None:
        self._file = data / FILE
        self._redis = redis
        self._partitions = partitions
        self._changes = -1

    def missing(self) -> list[str]:
        """What was noted and is not there, in sentences."""
        try:
            return list(self._missing(msgspec.json.decode(self._file.read_bytes(), type=Noted)))
        except FileNotFoundError:
            return []
        except msgspec.MsgspecError:
            return [f"{self._file} is damaged, so nobody can tell whether anything is missing."]

    def note(self) -> None:
        """Note what is there, if it has changed and is on the disk; CannotRun if something is gone
        that was noted.
        """
        changes = self._redis.info("persistence")["rdb_changes_since_last_save"]
        if changes == self._changes:
            return
        if missing := self.missing():
            raise loss(missing)
        if self._note():
            self._changes = changes + 1  # by the number

    def accept(self) -> None:
        """Take what is there for the whole, if anything was noted of what there was."""
        if self._file.is_file():
            self._file.unlink()
            self._note()

    def _note(self) -> bool:
        feeds = {partition: self._end(partition) for partition in range(self._partitions)}
        number = self._redis.incr(NOTED)
        if not self._is_on_disk():
            return False
        noted = msgspec.json.encode(Noted(number, wall_clock(), feeds))
        write_durably(self._file, noted, FOR_US)
        return True

    def _missing(self, known: Noted) -> Iterator[str]:
        for partition, place in sorted(known.feeds.items()):
            length = self._redis.xlen(_feed(partition))
            if length < place.length:
                yield (
                    f"{place.length - length} entries of partition {partition} are missing,"
                    f" which had {place.length}."
                )
            elif not self._end(partition, place.length).is_like(place):
                yield f"Entry {place.length} of partition {partition} is not the one noted."
        if self._number() < known.number:
            yield "Players, tokens or others may be as they were before, too."

    def _number(self) -> int:
        found = self._redis.get(NOTED)
        return int(found) if isinstance(found, bytes) and found.isdigit() else 0

    def _end(self, partition: int, at: int | None = None) -> Place:
        """The place of a feed, the last one unless another is named."""
        last = "+" if at is None else f"{at}-0"
        rows: Any = self._redis.xrevrange(_feed(partition), last, "-", count=1)
        if not rows:
            return Place(0)
        [(place, fields)] = rows
        match, version = (fields.get(name, b"").decode(errors="replace") for name in (b"m", b"v"))
        entry = self._entry(f"{{p{partition}}}:match:{match}", f"{version}-0")
        return Place(int(place.partition(b"-")[0]), f"{match} {version}", entry)

    def _entry(self, key: str, version: str) -> str:
        """A hash of what stands for an entry; empty if its match is in the archive."""
        if self._redis.type(key) == b"string":
            return ""
        return sha256(repr(self._redis.xrange(key, version, version)).encode()).hexdigest()

    def _is_on_disk(self) -> bool:
        """Whether what we wrote last, and so all before it, is on the disk of this Redis."""
        try:
            synced: Any = self._redis.execute_command("WAITAOF", 1, 0, SYNC_MS)  # type: ignore[no-untyped-call]
        except ResponseError:  # it is older than the command, or keeps no such file
            keeping = self._redis.config_get("append*")
            return keeping.get("appendonly") == "yes" and keeping.get("appendfsync") == "always"
        return bool(synced[0])


def refuse_loss(settings: Settings, redis: Redis) -> None:
    """CannotRun if the store has less than was noted in the data folder."""
    if missing := missing_in(settings, redis):
        raise loss(missing)


def missing_in(settings: Settings, redis: Redis) -> list[str]:
    """What was noted and is not there; of a cluster nothing is noted, as its failover may lose."""
    return [] if is_cluster(redis) else notes_of(settings, redis).missing()


def loss(missing: Sequence[str]) -> CannotRun:
    """What to say when something is missing."""
    return CannotRun(f"The event store has lost what was recorded. {' '.join(missing)} {WAY_ON}")


def notes_of(settings: Settings, redis: Redis) -> Notes:
    """What was noted of the store that the settings name."""
    return Notes(settings.data, redis, settings.partitions)


def accept_loss(settings: Settings, redis: Redis) -> None:
    """Take what is there for the whole from now on."""
    if not is_cluster(redis):
        notes_of(settings, redis).accept()


def keep_notes(settings: Settings, stop: Event, give_up: Callable[[str], None]) -> None:
    """Note what is recorded every two seconds, and once all is being stopped until Redis has gone;
    give up if something is gone that was noted.
    """
    with closing(connect(settings.events_url)) as redis:
        notes = notes_of(settings, redis)
        while not is_cluster(redis):
            stopping = stop.is_set()
            try:
                notes.note()
            except CannotRun as trouble:
                give_up(str(trouble))
                break
            except (RedisError, OSError):  # it is not up yet or any more, or there is no room
                if stopping:
                    break
            if stop.wait(TICK_S):
                time.sleep(LAST_TICKS_S)


def is_cluster(redis: Redis) -> bool:
    """Whether this is the client of a cluster."""
    return not isinstance(redis, Redis)


def _feed(partition: int) -> str:
    return f"{{p{partition}}}:feed"
