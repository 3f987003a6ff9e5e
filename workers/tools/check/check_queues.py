"""Checks webhooks and the delivery queues of a store against the entries of matches."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import MsgspecError

from domain.match.log import CorruptEntry
from projections.core.changes import build_change
from projections.core.summary import Summary, fold_entry
from projections.outbox.plan import (
    due_key,
    outbox_space,
    queue_items,
    queue_prefix,
    read_filter,
    read_notice,
    warning_items,
)
from service.channels.webhooks.subscriptions import SubscriptionRecord, Subscriptions
from service.matches.container import Annals
from service.runtime.errors import NotFound
from service.store.event_store import EventStore
from service.store.redis_client import store_errors

SCAN_COUNT = 500
RECHECK_S = 1.0
Items = Mapping[bytes, int]
"""The members of a sorted set with their scores."""


def find_queue_faults(annals: Annals) -> Iterator[str]:
    """Sentences about faults of webhooks and queues; those that disappear at a second check are
    left out, since the service may have been changing them.
    """
    if found := set(_find_faults(annals)):
        time.sleep(RECHECK_S)
        yield from sorted(found & set(_find_faults(annals)))


def _find_faults(annals: Annals) -> Iterator[str]:
    with store_errors():
        yield from _webhook_faults(annals)
        for partition in range(annals.store.partitions):
            yield from _queue_faults(annals.store, outbox_space(partition))


def _webhook_faults(annals: Annals) -> Iterator[str]:
    """Sentences about webhooks that cannot be read, or of which a partition has another filter."""
    store = annals.store
    known = Subscriptions(store.redis, store.partitions, annals.settings.webhooks)
    for key in store.redis.scan_iter("{webhook:*}", count=SCAN_COUNT):
        name = key.decode(errors="replace").removeprefix("{webhook:").removesuffix("}")
        try:
            record = known.get(name)
        except NotFound:
            continue  # deleted while a worker wrote its health
        except (MsgspecError, ValueError):
            yield f"webhook {name}: its record is corrupt."
            continue
        for partition in range(store.partitions):
            if not _has_filter(store, partition, record):
                yield f"webhook {name}: partition {partition} has a wrong filter."


def _has_filter(store: EventStore, partition: int, record: SubscriptionRecord) -> bool:
    expected = None if record.health.disabled_reason else record.subscription.filter
    try:
        return read_filter(store.redis, partition, record.subscription.id) == expected
    except (MsgspecError, UnicodeDecodeError):
        return False


def _queue_faults(store: EventStore, space: str) -> Iterator[str]:
    """Sentences about notices and warnings that their match does not give, and about matches that
    are not due.
    """
    queues: dict[str, dict[str, Items]] = defaultdict(dict)
    start = queue_prefix(space, "")
    for key in store.redis.scan_iter(f"{start}*:match:*", count=SCAN_COUNT):
        subscription_id, _, match = key.decode()[len(start) :].partition(":match:")
        queues[match][subscription_id] = _read_items(store, key.decode())
    for match, by_subscription in queues.items():
        notices, _ = _expected_items(store, match)
        for subscription_id, items in by_subscription.items():
            if notices is not None and not items.items() <= notices.items():
                yield f"queue of {subscription_id}: it has a notice that {match} does not give."
            if store.redis.zscore(due_key(queue_prefix(space, subscription_id)), match) is None:
                yield f"queue of {subscription_id}: {match} waits, but is not due."
    for key in store.redis.scan_iter(f"{start}*:warnings", count=SCAN_COUNT):
        yield from _warning_faults(store, key.decode())


def _warning_faults(store: EventStore, key: str) -> Iterator[str]:
    for item, at in _read_items(store, key).items():
        match = item.partition(b" ")[0].decode(errors="replace")
        _, warnings = _expected_items(store, match)
        if warnings is not None and warnings.get(item) != at:
            yield f"{key}: a warning does not follow from {match}."


def _read_items(store: EventStore, key: str) -> Items:
    found: Any = store.redis.zrange(key, 0, -1, withscores=True)
    return {member: int(score) for member, score in found}


def _expected_items(store: EventStore, match: str) -> tuple[Items | None, Items | None]:
    """Return what a match may put into queues and schedules; None for a corrupt match, which has
    other faults. Some commits wrote the members of a notice in the order of their type.
    """
    before: Summary | None = None
    notices: dict[bytes, int] = {}
    warnings: dict[bytes, int] = {}
    try:
        for entry in store.read(match):
            after = fold_entry(before, match, entry)
            items = queue_items(build_change(0, entry, before, after))
            notices |= items
            notices |= {msgspec.json.encode(read_notice(one)): at for one, at in items.items()}
            warnings |= warning_items(after)
            before = after
    except CorruptEntry:
        return None, None
    return notices, warnings
