"""What is in a store as it is stored, read for a backup and put back by a restore."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from redis import Redis
from redis.client import Pipeline

from domain.match.log import Damaged
from domain.match.scheduled_work import QUEUE_OF, Work
from projections.core.spaces import tag
from service.store.archive.packs import file_of
from service.store.archive.stubs import stub_in
from service.store.entry_codec import FIELD, Pointer
from service.store.event_store import Store
from service.store.match_rows import is_archived
from service.store.redis_client import answering
from workers.tools.store.backup_file import StoredEntry, StoredKey, StoredStub, as_bytes, as_text
from workers.tools.store.stored_keys import Treatment, treatment_of

PAGE = 500


def feed_lengths(store: Store) -> list[int]:
    """How long all feeds are, at one moment (on a cluster: at nearly the same moment)."""
    with answering(), store.redis.pipeline(transaction=not is_cluster(store.redis)) as pipe:
        for partition in range(store.partitions):
            pipe.xlen(f"{tag(partition)}:feed")
        return [int(length) for length in pipe.execute()]


def stored_entries(store: Store, lengths: Sequence[int]) -> Iterator[StoredStub | StoredEntry]:
    """Every entry up to these places of the feeds, in their order, as it is stored. Of a match in
    the archive there is only its stub, before its first entry, and which entries it has.
    """
    for partition, length in enumerate(lengths):
        position, archived = 0, set[str]()
        while position < length:
            pointers = store.feed(partition, position, min(PAGE, length - position))
            yield from _stored(store, pointers, archived)
            position = pointers[-1].position


def _stored(
    store: Store, pointers: Sequence[Pointer], archived: set[str]
) -> Iterator[StoredStub | StoredEntry]:
    """What is stored of some entries; matches that are in the archive are noted.

    One that goes there, or comes back, meanwhile is told of as it was when its first entry was.
    """
    with answering(), store.redis.pipeline(transaction=False) as pipe:
        for one in pointers:
            version = f"{one.version}-0"
            pipe.xrange(f"{tag(store.partition_of(one.match))}:match:{one.match}", version, version)
        found = pipe.execute(raise_on_error=False)
    for one, rows in zip(pointers, found, strict=True):
        if one.version == 1 and is_archived(rows) and (value := store.rows.stub_value(one.match)):
            archived.add(one.match)
            yield StoredStub(one.match, value, _pack_of(one.match, value))
        if one.match in archived:
            yield StoredEntry(one.match, one.version, b"", archived=True)
        else:
            yield StoredEntry(one.match, one.version, _value(store, one, rows))


def _pack_of(match: str, value: bytes) -> str:
    """The file in which a match of the archive is; empty if nobody can tell."""
    try:
        return file_of(stub_in(match, value).pack)
    except Damaged:
        return ""


def _value(store: Store, one: Pointer, rows: Any) -> bytes:  # noqa: ANN401 - as Redis has it
    """An entry as it is stored, empty if it is missing; rows are what its stream has of it."""
    if not is_archived(rows):
        return rows[0][1].get(FIELD, b"") if rows else b""
    try:
        return store.rows.wherever(one.match)[one.version - 1]
    except (Damaged, IndexError):
        return b""


def keys_by_treatment(redis: Redis) -> dict[Treatment | None, list[bytes]]:
    """All keys there are, by what a backup makes of them."""
    found: dict[Treatment | None, list[bytes]] = {}
    with answering():
        for name in set(redis.scan_iter(count=PAGE)):
            found.setdefault(treatment_of(name.decode(errors="replace")), []).append(name)
    return found


def stored_keys(redis: Redis, names: Iterable[bytes], now: int) -> Iterator[StoredKey]:
    """What these keys hold; those that are gone meanwhile are left out."""
    for name in sorted(names):
        with answering():
            kind = cast(bytes, redis.type(name)).decode()
            left = redis.pttl(name)
            value = READ[kind](redis, name) if kind in READ else None
        if value:
            yield StoredKey(as_text(name), kind, value, now + left if left > 0 else None)


READ: Mapping[str, Any] = {
    "string": lambda redis, name: as_text(redis.get(name) or b""),
    "hash": lambda redis, name: _texts(redis.hscan_iter(name, count=PAGE)),
    "set": lambda redis, name: sorted(as_text(one) for one in redis.smembers(name)),
    "zset": lambda redis, name: {
        as_text(one): repr(score) for one, score in redis.zscan_iter(name, count=PAGE)
    },
}
"""How to read each type of key that is copied."""


def _texts(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    return {as_text(name): as_text(value) for name, value in pairs}


def put_key(pipe: Pipeline, key: StoredKey, now: int) -> None:
    """Write a key as it was; not if its time is over meanwhile."""
    name = as_bytes(key.name)
    pipe.delete(name)
    if key.expires is not None and key.expires <= now:
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


def put_entry(pipe: Pipeline, store: Store, entry: StoredEntry, position: int) -> None:
    """Write an entry as it was, as the next one of its feed."""
    here = tag(store.partition_of(entry.match))
    if entry.value:
        pipe.xadd(f"{here}:match:{entry.match}", {FIELD: entry.value}, id=f"{entry.version}-0")
    pipe.xadd(f"{here}:feed", {"m": entry.match, "v": entry.version}, id=f"{position}-0")


def put_stub(pipe: Pipeline, store: Store, stub: StoredStub) -> None:
    """Write what was left of a match in the archive."""
    pipe.set(f"{tag(store.partition_of(stub.match))}:match:{stub.match}", stub.value)


def owe(pipe: Pipeline, store: Store, match: str, work: Mapping[Work, int], position: int) -> None:
    """Write down the work that is due for a match, whose last entry has this place in the feed."""
    here = tag(store.partition_of(match))
    for kind, at in work.items():
        pipe.zadd(f"{here}:work:{QUEUE_OF[kind]}", {f"{kind}:{match}": at or position})


def is_cluster(redis: Redis) -> bool:
    """Whether this is the client of a cluster."""
    return not isinstance(redis, Redis)
