"""Reads a store as it is stored, for a backup, and writes it back, for a restore."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from redis import Redis
from redis.client import Pipeline

from domain.match.log import CorruptEntry
from domain.match.scheduled_work import QUEUE_OF, Work
from projections.core.spaces import slot_tag
from service.store.archive.packs import pack_file
from service.store.archive.stubs import decode_stub
from service.store.entry_codec import ENTRY_FIELD, Pointer
from service.store.event_store import EventStore
from service.store.match_rows import is_archived
from service.store.redis_client import store_errors
from workers.tools.store.backup_file import (
    DELETED,
    StoredEntry,
    StoredKey,
    StoredStub,
    as_bytes,
    as_text,
)
from workers.tools.store.stored_keys import Treatment, treatment_of

BATCH = 500


def feed_lengths(store: EventStore) -> list[int]:
    """Return the lengths of all feeds at one moment (on a cluster: at nearly the same moment)."""
    with store_errors(), store.redis.pipeline(transaction=not is_cluster(store.redis)) as pipe:
        for partition in range(store.partitions):
            pipe.xlen(f"{slot_tag(partition)}:feed")
        return [int(length) for length in pipe.execute()]


def read_entries(store: EventStore, lengths: Sequence[int]) -> Iterator[StoredStub | StoredEntry]:
    """Yield every entry up to these positions of the feeds, in order, as it is stored.

    For an archived match: its stub before its first entry, and entries without a value.
    """
    for partition, length in enumerate(lengths):
        position, archived = 0, set[str]()
        while position < length:
            pointers = store.read_feed(partition, position, min(BATCH, length - position))
            yield from _read_batch(store, pointers, archived)
            position = pointers[-1].position


def _read_batch(
    store: EventStore, pointers: Sequence[Pointer], archived: set[str]
) -> Iterator[StoredStub | StoredEntry]:
    """Yield some entries as they are stored, and add archived matches to `archived`.

    A match that is archived or restored meanwhile is treated as it was at its first entry.
    """
    with store_errors(), store.redis.pipeline(transaction=False) as pipe:
        for one in pointers:
            version = f"{one.version}-0"
            pipe.xrange(
                f"{slot_tag(store.partition_of(one.match))}:match:{one.match}", version, version
            )
        found = pipe.execute(raise_on_error=False)
    for one, rows in zip(pointers, found, strict=True):
        if (
            one.version == 1
            and is_archived(rows)
            and (value := store.rows.read_stub_value(one.match))
        ):
            archived.add(one.match)
            yield StoredStub(one.match, value, _pack_file_of(one.match, value))
        if one.match in archived:
            yield StoredEntry(one.match, one.version, b"", archived=True)
        else:
            yield StoredEntry(one.match, one.version, _entry_value(store, one, rows))


def _pack_file_of(match: str, value: bytes) -> str:
    """Return the pack file of an archived match, or empty if its stub is corrupt."""
    try:
        return pack_file(decode_stub(match, value).pack)
    except CorruptEntry:
        return ""


def _entry_value(store: EventStore, one: Pointer, rows: Any) -> bytes:  # noqa: ANN401 - as Redis has it
    """Return the stored value of an entry, empty if it is missing; `rows` is what its stream has of
    it.
    """
    if not is_archived(rows):
        return rows[0][1].get(ENTRY_FIELD, b"") if rows else b""
    try:
        return store.rows.read_rows(one.match)[one.version - 1]
    except (CorruptEntry, IndexError):
        return b""


def keys_by_treatment(
    redis: Redis, *wanted: Treatment | None
) -> dict[Treatment | None, set[bytes]]:
    """Return the keys of the store with these treatments in a backup. The names of all others are
    not kept: each match has a dozen.
    """
    found: dict[Treatment | None, set[bytes]] = {one: set() for one in wanted}
    with store_errors():
        for name in redis.scan_iter(count=BATCH):
            if (treatment := treatment_of(name.decode(errors="replace"))) in found:
                found[treatment].add(name)
    return found


def read_keys(redis: Redis, names: Iterable[bytes], now: int) -> Iterator[StoredKey]:
    """Yield the content of these keys, except for those that have expired or been deleted."""
    for name in sorted(names):
        with store_errors():
            kind = cast(bytes, redis.type(name)).decode()
            left = redis.pttl(name)
            value = READERS[kind](redis, name) if kind in READERS else None
        if value:
            yield StoredKey(as_text(name), kind, value, now + left if left > 0 else None)


READERS: Mapping[str, Any] = {
    "string": lambda redis, name: as_text(redis.get(name) or b""),
    "hash": lambda redis, name: _texts(redis.hscan_iter(name, count=BATCH)),
    "set": lambda redis, name: sorted(as_text(one) for one in redis.smembers(name)),
    "zset": lambda redis, name: {
        as_text(one): repr(score) for one, score in redis.zscan_iter(name, count=BATCH)
    },
}
"""How to read each type of key."""


def _texts(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    return {as_text(name): as_text(value) for name, value in pairs}


def put_key(pipe: Pipeline, key: StoredKey, now: int) -> None:
    """Write a key as it was, unless it has expired or been deleted."""
    name = as_bytes(key.name)
    pipe.delete(name)
    if key.type == DELETED or (key.expires is not None and key.expires <= now):
        return
    match key.value:
        case str() as value:
            pipe.set(name, as_bytes(value))
        case dict() as pairs if key.type == "zset":
            pipe.zadd(name, {as_bytes(one): float(score) for one, score in pairs.items()})
        case dict() as pairs:
            pipe.hset(name, mapping={as_bytes(n): as_bytes(v) for n, v in pairs.items()})
        case members:
            pipe.sadd(name, *map(as_bytes, members))
    if key.expires is not None:
        pipe.pexpireat(name, key.expires)


def put_entry(pipe: Pipeline, store: EventStore, entry: StoredEntry, position: int) -> None:
    """Write an entry as it was, as the next one of its feed."""
    here = slot_tag(store.partition_of(entry.match))
    if entry.value:
        pipe.xadd(
            f"{here}:match:{entry.match}", {ENTRY_FIELD: entry.value}, id=f"{entry.version}-0"
        )
    pipe.xadd(f"{here}:feed", {"m": entry.match, "v": entry.version}, id=f"{position}-0")


def put_stub(pipe: Pipeline, store: EventStore, stub: StoredStub) -> None:
    """Write the stub of an archived match."""
    pipe.set(f"{slot_tag(store.partition_of(stub.match))}:match:{stub.match}", stub.value)


def put_work(
    pipe: Pipeline, store: EventStore, match: str, work: Mapping[Work, int], position: int
) -> None:
    """Write the due work of a match whose last entry has this position in the feed."""
    here = slot_tag(store.partition_of(match))
    for kind, at in work.items():
        pipe.zadd(f"{here}:work:{QUEUE_OF[kind]}", {f"{kind}:{match}": at or position})


def is_cluster(redis: Redis) -> bool:
    """Return whether this is the client of a cluster."""
    return not isinstance(redis, Redis)
