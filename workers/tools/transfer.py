"""What is in a store as it is stored, read for a backup and put back by a restore."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from redis import Redis
from redis.client import Pipeline

from domain.match.due import QUEUE_OF, Work
from projections.spaces import tag
from service.rows import Pointer
from service.store import Store, answering
from workers.tools.backup_file import StoredEntry, StoredKey, as_bytes, as_text
from workers.tools.stored_keys import Treatment, treatment_of

PAGE = 500


def feed_lengths(store: Store) -> list[int]:
    """How long all feeds are, at one moment (on a cluster: at nearly the same moment)."""
    with answering(), store.redis.pipeline(transaction=not is_cluster(store.redis)) as pipe:
        for partition in range(store.partitions):
            pipe.xlen(f"{tag(partition)}:feed")
        return [int(length) for length in pipe.execute()]


def stored_entries(store: Store, lengths: Sequence[int], now: int) -> Iterator[StoredEntry]:
    """Every entry up to these places of the feeds, in their order, as its row is."""
    for partition, length in enumerate(lengths):
        position = 0
        while position < length:
            pointers = store.feed(partition, position, min(PAGE, length - position))
            yield from _rows(store, pointers, now)
            position = pointers[-1].position


def _rows(store: Store, pointers: Sequence[Pointer], now: int) -> Iterator[StoredEntry]:
    with answering(), store.redis.pipeline(transaction=False) as pipe:
        for one in pointers:
            version = f"{one.version}-0"
            pipe.xrange(f"{tag(store.partition_of(one.match))}:match:{one.match}", version, version)
        found = pipe.execute()
        rows = [_texts(row[0][1].items()) if row else {} for row in found]
        names = [_key_name(store, one.match, row) for one, row in zip(pointers, rows, strict=True)]
        for name in names:
            pipe.get(name)
            pipe.pttl(name)
        answers = pipe.execute()
    for n, (one, fields) in enumerate(zip(pointers, rows, strict=True)):
        value, left = answers[2 * n : 2 * n + 2]
        mine = value is not None and value.startswith(b"%d|" % one.version)
        yield StoredEntry(
            one.match, one.version, fields,
            as_text(value) if mine else None, now + left if mine else None,
        )  # fmt: skip


def _key_name(store: Store, match: str, fields: Mapping[str, str]) -> bytes:
    """The name of the idempotency key that an entry came with, if it came with one."""
    caller, command = (as_bytes(fields.get(name, "")) for name in ("a", "c"))
    begin = f"{tag(store.partition_of(match))}:key:{match}:".encode()
    return b"%b%b:%b" % (begin, caller, command)


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


def put_entry(pipe: Pipeline, store: Store, entry: StoredEntry, position: int, now: int) -> None:
    """Write an entry as it was, as the next one of its feed, and its idempotency key."""
    here = tag(store.partition_of(entry.match))
    fields: dict[Any, Any] = {as_bytes(n): as_bytes(v) for n, v in entry.fields.items()}
    if fields:
        pipe.xadd(f"{here}:match:{entry.match}", fields, id=f"{entry.version}-0")
    pointer: dict[Any, Any] = {"m": entry.match, "v": entry.version, "k": fields.get(b"k", b"")}
    pipe.xadd(f"{here}:feed", pointer, id=f"{position}-0")
    if entry.key is not None and entry.expires is not None and entry.expires > now:
        name = _key_name(store, entry.match, entry.fields)
        pipe.set(name, as_bytes(entry.key), pxat=entry.expires)


def owe(pipe: Pipeline, store: Store, match: str, work: Mapping[Work, int], position: int) -> None:
    """Write down the work that is due for a match, whose last entry has this place in the feed."""
    here = tag(store.partition_of(match))
    for kind, at in work.items():
        pipe.zadd(f"{here}:work:{QUEUE_OF[kind]}", {f"{kind}:{match}": at or position})


def is_cluster(redis: Redis) -> bool:
    """Whether this is the client of a cluster."""
    return not isinstance(redis, Redis)
