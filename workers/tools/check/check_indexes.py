"""Checks feeds and due work against the entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from domain.match.scheduled_work import Work, due_work, idle_step_ms
from domain.match.state import Match
from projections.core.spaces import slot_tag
from service.store.event_store import EventStore
from service.store.redis_client import store_errors

FEED_BATCH = 500


def find_work_faults(store: EventStore, match: Match) -> Iterator[str]:
    """Sentences about wrong due work of a match, unless the match has moved on meanwhile."""
    version, found = store.work_of(match.id)
    if version != match.version:
        return
    expected = due_work(match)
    found.pop("plan", None)  # it follows from plans, which are no part of the match
    for kind in sorted(found.keys() | expected.keys()):
        at = found.get(kind)
        if kind not in expected:
            yield f"the work {kind} is due, but the match does not need it."
        elif at is None:
            yield f"the work {kind} is missing."
        elif not _is_expected(store, match, kind, at, expected[kind]):
            yield f"the work {kind} is due at another time ({at}) than its entries require."


def _is_expected(store: EventStore, match: Match, work: Work, at: int, expected: int) -> bool:
    """Return whether a time is the expected one. Work that is due at once has the position of the
    last entry, negative if a worker has claimed it.
    """
    if work == "abandon":  # commits from before the rounding wrote the exact time
        return expected - idle_step_ms(match) < at <= expected
    if expected:
        return at == expected
    pointers = store.read_feed(store.partition_of(match.id), abs(at) - 1, 1) if at else []
    return [(one.match, one.version) for one in pointers] == [(match.id, match.version)]


def find_feed_faults(store: EventStore) -> Iterator[str]:
    """Sentences about faults of all feeds."""
    for partition in range(store.partitions):
        yield from feed_faults(store, partition)


def feed_faults(store: EventStore, partition: int) -> Iterator[str]:
    """Sentences about faults of a feed: each entry has one pointer, in the order of its match."""
    position, versions = 0, Counter[str]()
    while page := store.read_feed(partition, position, FEED_BATCH):
        for pointer in page:
            position += 1
            versions[pointer.match] += 1
            if pointer.position != position or pointer.version != versions[pointer.match]:
                yield f"feed {partition}: the pointer at {pointer.position} is out of order."
                return
    known = {f"{slot_tag(partition)}:match:{match}" for match in versions}
    with store_errors():
        for name in store.redis.scan_iter(f"{slot_tag(partition)}:match:*", count=FEED_BATCH):
            if name.decode(errors="replace") not in known and not _has_grown(
                store, partition, position
            ):
                yield f"{name.decode(errors='replace')} is not in any feed."


def _has_grown(store: EventStore, partition: int, position: int) -> bool:
    """Return whether a feed has pointers after this position."""
    return store.feed_length(partition) > position
