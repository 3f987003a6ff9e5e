"""Damage to what a store keeps, as a disk or a memory may do it."""

from __future__ import annotations

from collections.abc import Callable

from domain.engine.codecs.binary_codec import pack
from domain.match.log import Entry
from service.store.entry_codec import FIELD, row_of
from service.store.event_store import Store

Fields = dict[bytes, bytes]


def damage(store: Store, match: str, version: int) -> None:
    """Flip a bit in an entry, in a place that neither its form nor the rules would miss."""
    rewrite(store, match, version, lambda fields: {FIELD: flipped(fields[FIELD])})


def put_nonsense(store: Store, match: str, version: int) -> None:
    """Let an entry say what this program cannot make sense of, with a checksum that fits."""

    entry = Entry(version, "Moved", "u", 5, b"", pack(["no event"]), 1, b"c")
    rewrite(store, match, version, lambda _: {FIELD: row_of(match, entry)})


def rewrite(
    store: Store, match: str, version: int, change: Callable[[Fields], Fields | None]
) -> None:
    """Write the stream of a match anew with one entry changed, or left out."""
    name = f"{{p{store.partition_of(match)}}}:match:{match}"
    rows = store.redis.xrange(name)
    store.redis.delete(name)
    for row_id, fields in rows:
        kept = change(fields) if row_id == b"%d-0" % version else fields
        if kept is not None:
            store.redis.xadd(name, kept, id=row_id)


def flipped(value: bytes) -> bytes:
    """A value with one bit flipped in its middle."""
    place = len(value) // 2
    return value[:place] + bytes([value[place] ^ 1]) + value[place + 1 :]
