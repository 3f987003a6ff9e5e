"""Corruption of stored data, as by a faulty disk or memory."""

from __future__ import annotations

from collections.abc import Callable

from domain.engine.codecs.binary_codec import pack
from domain.match.log import Entry
from service.store.entry_codec import ENTRY_FIELD, encode_entry
from service.store.event_store import EventStore

Fields = dict[bytes, bytes]


def damage(store: EventStore, match: str, version: int) -> None:
    """Flip a bit in an entry that neither its format nor the rules would detect."""
    rewrite(store, match, version, lambda fields: {ENTRY_FIELD: flip_bit(fields[ENTRY_FIELD])})


def put_nonsense(store: EventStore, match: str, version: int) -> None:
    """Replace an entry by one that this program cannot decode, with a valid checksum."""

    entry = Entry(version, "Moved", "u", 5, b"", pack(["no event"]), 1, b"c")
    rewrite(store, match, version, lambda _: {ENTRY_FIELD: encode_entry(match, entry)})


def rewrite(
    store: EventStore, match: str, version: int, change: Callable[[Fields], Fields | None]
) -> None:
    """Rewrite the stream of a match with one entry changed or left out."""
    name = f"{{p{store.partition_of(match)}}}:match:{match}"
    rows = store.redis.xrange(name)
    store.redis.delete(name)
    for row_id, fields in rows:
        kept = change(fields) if row_id == b"%d-0" % version else fields
        if kept is not None:
            store.redis.xadd(name, kept, id=row_id)


def flip_bit(value: bytes) -> bytes:
    """A value with one bit flipped in its middle."""
    place = len(value) // 2
    return value[:place] + bytes([value[place] ^ 1]) + value[place + 1 :]
