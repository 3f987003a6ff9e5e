"""Telling again: from a version of a match on, what happened since a time, or whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from domain.match.log import Damaged, Entry
from domain.notices import Notice
from projections.core.changes import change, changed_key
from projections.core.query import Asked, ask
from projections.core.summary import Summary, fold_entry
from projections.lists.matches import MATCHES
from projections.lists.turns import Turn, waiting_for
from projections.outbox.plan import Wish, told_of
from service.channels.webhooks.queue.delivery_queue import Errand, Mail
from service.channels.webhooks.subscriptions import Subscription
from service.matches.container import Annals
from service.store.event_store import Store

PAGE = 1_000
Renew = Callable[[], None]


def plan_again(
    annals: Annals, subscription: Subscription, mail: Mail, errand: Errand, most: int, renew: Renew
) -> bool:
    """Plan what an errand asks for; what is planned or was sent already is the same message.

    False if that would be of more matches than may be.
    """
    if errand.kind == "replay":
        _plan(annals, subscription, mail, errand.match, from_version=errand.since)
        return True
    if errand.kind == "turns":
        _plan_turns(annals, subscription, mail)
        return True
    for number, match in enumerate(matches_since(annals.store, subscription, errand.since)):
        if number == most:
            return False
        renew()
        _plan(annals, subscription, mail, match, since=errand.since)
    return True


def _plan(
    annals: Annals,
    subscription: Subscription,
    mail: Mail,
    match: str,
    from_version: int = 1,
    since: int = 0,
) -> None:
    try:
        entries = annals.store.read(match)
        mail.plan(match, notices_since(match, entries, subscription.wish, from_version, since))
    except Damaged:  # nobody can be told of it; whoever runs the service finds it otherwise
        return


def _plan_turns(annals: Annals, subscription: Subscription, mail: Mail) -> None:
    """Plan what made each match wait that waits for the owner now."""
    store, after = annals.store, None
    while True:
        page = waiting_for(store.redis, store.partitions, subscription.player, after)
        for turn in page.items:
            with suppress(Damaged):
                entries = store.read(turn.match)
                told = notices_since(turn.match, entries, subscription.wish, 1, 0)
                mail.plan(turn.match, _that_wait(told, turn))
        if (after := page.next) is None:
            return


def _that_wait(told: Iterator[Notice], turn: Turn) -> Iterable[Notice]:
    """The last notice of each turn that a match waits for, and of a request that it waits with."""
    waits = {
        (one.type, one.seat): one
        for one in told
        if (one.type == "turn.started" and one.seat in turn.seats)
        or (one.type == "undo.requested" and turn.undo)
    }
    return waits.values()


def notices_since(
    match: str, entries: Sequence[Entry], wish: Wish, from_version: int, since: int
) -> Iterator[Notice]:
    """What somebody is told of the entries of a match from a version and a time (ms) on."""
    before: Summary | None = None
    for entry in entries:
        after = fold_entry(before, match, entry)
        if entry.version >= from_version and entry.at >= since:
            yield from told_of(change(0, entry, before, after), wish)
        before = after


def matches_since(store: Store, subscription: Subscription, since: int) -> Iterator[str]:
    """The matches that a subscription may be about in which something happened since a time."""
    if subscription.match is not None:
        yield subscription.match
        return
    for partition in range(store.partitions):
        position = _position_at(store, partition, since)
        if subscription.everybody:
            yield from _in_feed(store, partition, position)
        else:
            yield from _of_player(store, partition, subscription.player, position)


def _in_feed(store: Store, partition: int, position: int) -> Iterator[str]:
    known: set[str] = set()
    while page := store.feed(partition, position, PAGE):
        fresh = {pointer.match for pointer in page} - known
        yield from sorted(fresh)
        known |= fresh
        position = page[-1].position


def _of_player(store: Store, partition: int, player: str, position: int) -> Iterator[str]:
    question = ("ZRANGEBYSCORE", changed_key("", player), f"({position}", "+inf")
    [found] = ask(store.redis, [Asked(MATCHES, partition, [question])])
    yield from (match.decode() for match in found.answers[0])


def _position_at(store: Store, partition: int, since: int) -> int:
    """A place in a feed before which everything happened before a time."""
    low, high = 0, store.feed_length(partition)
    while low < high:
        middle = (low + high) // 2
        if _time_of(store, partition, middle) < since:
            low = middle + 1
        else:
            high = middle
    return max(0, low - 1)


def _time_of(store: Store, partition: int, position: int) -> int:
    """When the entry after this place in a feed was recorded; 0 if it cannot be read."""
    portion: Any = store.portion({partition: position}, 1)
    [(_, entry)] = portion[partition]
    return 0 if isinstance(entry, Damaged) else entry.at
