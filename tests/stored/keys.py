"""All keys of a store in a form that every engine can load, as an upgrade in place finds them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import msgspec
from redis import Redis

from workers.tools.store.backup_file import StoredKey, as_bytes, as_text
from workers.tools.store.dump import put_key, read_keys

Row = tuple[str, dict[str, str]]
"""The id of a row of a stream, and its fields."""


class StoredKeys(msgspec.Struct):
    """The keys of a store: streams by their names, and all others."""

    streams: dict[str, list[Row]]
    others: list[StoredKey]


def write_keys(redis: Redis, file: Path) -> None:
    """Write all keys of a store."""
    names = list(redis.scan_iter())
    streams = [name for name in names if redis.type(name) == b"stream"]
    keys = StoredKeys(
        {as_text(name): list(_read_rows(redis, name)) for name in sorted(streams)},
        list(read_keys(redis, set(names) - set(streams), 0)),
    )
    file.write_bytes(gzip.compress(msgspec.json.encode(keys), mtime=0))


def _read_rows(redis: Redis, name: bytes) -> Iterator[Row]:
    for row_id, fields in redis.xrange(name):
        yield row_id.decode(), {as_text(one): as_text(value) for one, value in fields.items()}


def load_keys(redis: Redis, file: Path) -> None:
    """Fill an empty store with these keys, none of which expires."""
    keys = msgspec.json.decode(gzip.decompress(file.read_bytes()), type=StoredKeys)
    with redis.pipeline(transaction=False) as pipe:
        for name, rows in keys.streams.items():
            for row_id, fields in rows:
                values = {as_bytes(one): as_bytes(value) for one, value in fields.items()}
                pipe.xadd(as_bytes(name), values, id=row_id)
        for key in keys.others:
            put_key(pipe, msgspec.structs.replace(key, expires=None), 0)
        pipe.execute()
