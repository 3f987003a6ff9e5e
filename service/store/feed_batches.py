"""Reads batches of feeds: pointers with their entries, in one round trip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from redis import Redis

from domain.match.log import CorruptEntry, Entry
from projections.core.scripts import Script
from service.store.archive.stubs import decode_stub
from service.store.entry_codec import Pointer, decode_entry, make_pointer, missing_entry
from service.store.match_rows import MatchRows

READ_SCRIPT = Script(files(__package__).joinpath("feed_batches.lua").read_text())
FeedBatch = Sequence[tuple[Pointer, Entry | CorruptEntry]]
"""Pointers, each with its entry or the error found there."""


def read_batches(
    redis: Redis, matches: MatchRows, after: Mapping[int, int], limit: int
) -> dict[int, FeedBatch]:
    """Return up to `limit` pointers of each partition, after a position in its feed, with their
    entries.

    On a cluster, all partitions must belong to one server.
    """
    feeds = [f"{{p{partition}}}:feed" for partition in after]
    answer = READ_SCRIPT.run(redis, feeds, limit, *after.values())
    return {
        partition: list(_decode_rows(matches, flat))
        for partition, flat in zip(after, answer, strict=True)
        if flat
    }


def _decode_rows(
    matches: MatchRows, flat: Sequence[Any]
) -> Iterator[tuple[Pointer, Entry | CorruptEntry]]:
    """Yield the rows of a feed from a flat list with four items per row."""
    each = iter(flat)
    for row_id, match, version, value in zip(each, each, each, each, strict=True):
        pointer = make_pointer(row_id, match, version)
        if value is None:
            yield pointer, missing_entry(pointer.version)
            continue
        try:
            if isinstance(value, list):
                stub = decode_stub(pointer.match, value[0])
                yield pointer, matches.archive.read_entry(pointer.match, stub, pointer.version)
            else:
                yield pointer, decode_entry(b"%b %b-0" % (match, version), value)
        except CorruptEntry as error:
            yield pointer, error
