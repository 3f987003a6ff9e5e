"""What came after a place in feeds, read together with the entries in one round trip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from redis import Redis

from domain.match.log import Damaged, Entry
from projections.core.scripts import Script
from service.store.archive.stubs import stub_in
from service.store.entry_codec import Pointer, entry_in, missing, pointer_to
from service.store.match_rows import MatchRows

READ = Script(files(__package__).joinpath("feed_batches.lua").read_text())
Portion = Sequence[tuple[Pointer, Entry | Damaged]]
"""Pointers, each with its entry or with what is wrong with it."""


def portions(
    redis: Redis, matches: MatchRows, after: Mapping[int, int], limit: int
) -> dict[int, Portion]:
    """What came after a place in the feeds of some partitions, which have to be one on a cluster:
    of each at most so many.
    """
    feeds = [f"{{p{partition}}}:feed" for partition in after]
    answer = READ.run(redis, feeds, limit, *after.values())
    return {
        partition: list(_rows(matches, flat))
        for partition, flat in zip(after, answer, strict=True)
        if flat
    }


def _rows(matches: MatchRows, flat: Sequence[Any]) -> Iterator[tuple[Pointer, Entry | Damaged]]:
    """The rows of a feed, of which there are four things each."""
    each = iter(flat)
    for row_id, match, version, value in zip(each, each, each, each, strict=True):
        pointer = pointer_to(row_id, match, version)
        if value is None:
            yield pointer, missing(pointer.version)
            continue
        try:
            if isinstance(value, list):
                stub = stub_in(pointer.match, value[0])
                yield pointer, matches.archive.entry(pointer.match, stub, pointer.version)
            else:
                yield pointer, entry_in(b"%b %b-0" % (match, version), value)
        except Damaged as damage:
            yield pointer, damage
