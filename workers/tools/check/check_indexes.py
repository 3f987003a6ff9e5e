"""What a store keeps besides entries, held against the entries: feeds and due work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from domain.match.scheduled_work import due
from domain.match.state import Match
from projections.core.spaces import tag
from service.store.event_store import Store
from service.store.redis_client import answering

PAGE = 500


def wrong_work(store: Store, match: Match) -> Iterator[str]:
    """What is wrong with the work that is due for a match, unless it has moved on meanwhile."""
    version, found = store.work_of(match.id)
    if version != match.version:
        return
    wanted = due(match)
    for kind in sorted(found.keys() | wanted.keys()):
        at = found.get(kind)
        if kind not in wanted:
            yield f"the work {kind} is due, but there is nothing to do."
        elif at is None:
            yield f"the work {kind} is missing."
        elif not _is_right(store, match, at, wanted[kind]):
            yield f"the work {kind} is due at another time ({at}) than its entries say."


def _is_right(store: Store, match: Match, at: int, wanted: int) -> bool:
    """Whether a time is the one wanted; what is due at once has the place of the last entry, below
    zero if a worker has it in hand.
    """
    if wanted:
        return at == wanted
    pointers = store.feed(store.partition_of(match.id), abs(at) - 1, 1) if at else []
    return [(one.match, one.version) for one in pointers] == [(match.id, match.version)]


def around(store: Store) -> Iterator[str]:
    """What is wrong in a whole store apart from matches."""
    for partition in range(store.partitions):
        yield from wrong_feed(store, partition)


def wrong_feed(store: Store, partition: int) -> Iterator[str]:
    """What is wrong with a feed: each entry has one pointer, in the order of its match."""
    position, versions = 0, Counter[str]()
    while page := store.feed(partition, position, PAGE):
        for pointer in page:
            position += 1
            versions[pointer.match] += 1
            if pointer.position != position or pointer.version != versions[pointer.match]:
                yield f"feed {partition}: what stands at {pointer.position} is not what came there."
                return
    known = {f"{tag(partition)}:match:{match}" for match in versions}
    with answering():
        for name in store.redis.scan_iter(f"{tag(partition)}:match:*", count=PAGE):
            if name.decode(errors="replace") not in known and not _is_new(
                store, partition, position
            ):
                yield f"{name.decode(errors='replace')} is in no feed."


def _is_new(store: Store, partition: int, position: int) -> bool:
    """Whether something came to a feed after this place."""
    return store.feed_length(partition) > position
