"""Replays: plans old notices again, from a version or a time on, or for current turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from domain.match.log import CorruptEntry, Entry
from domain.notices import Notice
from projections.core.changes import build_change, changes_key
from projections.core.query import Query, run_queries
from projections.core.summary import Summary, fold_entry
from projections.lists.matches import MATCHES
from projections.lists.turns import Turn, find_turns
from projections.outbox.plan import SubscriptionFilter, notices_for
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue, ResendRequest
from service.channels.webhooks.subscriptions import Subscription
from service.matches.container import Annals
from service.store.event_store import EventStore

FEED_BATCH = 1_000
Renew = Callable[[], None]


def plan_resend(
    annals: Annals,
    subscription: Subscription,
    queue: DeliveryQueue,
    request: ResendRequest,
    max_matches: int,
    renew: Renew,
) -> bool:
    """Plan the notices that a request asks for; a notice that was sent keeps the id of its message.

    Returns False if they are of more than `max_matches` matches.
    """
    if request.kind == "replay":
        _plan(annals, subscription, queue, request.match, from_version=request.since)
        return True
    if request.kind == "turns":
        plan_current_turns(annals, subscription.player, subscription.filter, queue)
        return True
    for number, match in enumerate(matches_since(annals.store, subscription, request.since)):
        if number == max_matches:
            return False
        renew()
        _plan(annals, subscription, queue, match, since=request.since)
    return True


def _plan(
    annals: Annals,
    subscription: Subscription,
    queue: DeliveryQueue,
    match: str,
    from_version: int = 1,
    since: int = 0,
) -> None:
    try:
        entries = annals.store.read(match)
        queue.enqueue(
            match, notices_since(match, entries, subscription.filter, from_version, since)
        )
    except CorruptEntry:  # a corrupt match has no notices; other checks report it to the operator
        return


def plan_current_turns(
    annals: Annals, player: str, criteria: SubscriptionFilter, queue: DeliveryQueue
) -> None:
    """Plan the notices of the turns, undo requests and proposals that wait for a player now, as far
    as a filter of theirs asks for them.
    """
    store, after = annals.store, None
    while True:
        page = find_turns(store.redis, store.partitions, player, after)
        for turn in page.items:
            with suppress(CorruptEntry):
                entries = store.read(turn.match)
                notices = notices_since(turn.match, entries, criteria, 1, 0)
                queue.enqueue(turn.match, _still_waiting(notices, turn))
        if (after := page.next) is None:
            return


def _still_waiting(notices: Iterator[Notice], turn: Turn) -> Iterable[Notice]:
    """Return the last notice of each turn, of an undo request and of a proposal that still wait
    for the player.
    """
    latest = {
        (one.type, one.seat): one
        for one in notices
        if (one.type == "turn.started" and one.seat in turn.seats)
        or (one.type == "undo.requested" and turn.undo)
        or (one.type == "proposal.made" and turn.proposal)
    }
    return latest.values()


def notices_since(
    match: str,
    entries: Sequence[Entry],
    criteria: SubscriptionFilter,
    from_version: int,
    since: int,
) -> Iterator[Notice]:
    """Yield the notices for a filter from the entries of a match, from a version and a time (ms)
    on.
    """
    before: Summary | None = None
    for entry in entries:
        after = fold_entry(before, match, entry)
        if entry.version >= from_version and entry.at >= since:
            yield from notices_for(build_change(0, entry, before, after), criteria)
        before = after


def matches_since(store: EventStore, subscription: Subscription, since: int) -> Iterator[str]:
    """Yield the matches that a subscription may cover and that have changed since a time (ms)."""
    if subscription.match is not None:
        yield subscription.match
        return
    for partition in range(store.partitions):
        position = _position_before(store, partition, since)
        if subscription.all_matches:
            yield from _matches_in_feed(store, partition, position)
        else:
            yield from _matches_of_player(store, partition, subscription.player, position)


def _matches_in_feed(store: EventStore, partition: int, position: int) -> Iterator[str]:
    found: set[str] = set()
    while page := store.read_feed(partition, position, FEED_BATCH):
        new = {pointer.match for pointer in page} - found
        yield from sorted(new)
        found |= new
        position = page[-1].position


def _matches_of_player(
    store: EventStore, partition: int, player: str, position: int
) -> Iterator[str]:
    command = ("ZRANGEBYSCORE", changes_key("", player), f"({position}", "+inf")
    [result] = run_queries(store.redis, [Query(MATCHES, partition, [command])])
    yield from (match.decode() for match in result.answers[0])


def _position_before(store: EventStore, partition: int, since: int) -> int:
    """Return a feed position such that all entries up to it are older than a time (ms)."""
    low, high = 0, store.feed_length(partition)
    while low < high:
        middle = (low + high) // 2
        if _time_of(store, partition, middle) < since:
            low = middle + 1
        else:
            high = middle
    return max(0, low - 1)


def _time_of(store: EventStore, partition: int, position: int) -> int:
    """Return when the entry after this feed position was recorded (ms), or 0 if it is corrupt."""
    batch: Any = store.read_batch({partition: position}, 1)
    [(_, entry)] = batch[partition]
    return 0 if isinstance(entry, CorruptEntry) else entry.at
