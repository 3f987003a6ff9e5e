"""Updates of matches in Discord channels, independent of where players move.

A match that a channel shows has a subscription in the outbox of its partition. A job shows the
match in its channels after a run of moves has ended.
"""

from __future__ import annotations

from domain.notice_types import NOTICE_TYPES
from projections.outbox.plan import SubscriptionFilter, put_filter_in
from service.store.event_store import EventStore

ID_PREFIX = "discord:"
"""The prefix of the ids of these subscriptions."""
SHOWN = frozenset(one.name for one in NOTICE_TYPES.values() if one.shown)
QUIET_MS, MAX_DELAY_MS = 1_500, 10_000
"""A card is sent after this long without a move, and no later than the maximum delay."""
RETRY_FOR_MS = 900_000
"""How long a card is retried while Discord fails."""


def follow(store: EventStore, match: str) -> None:
    """Subscribe the channels of a match to its turns."""
    criteria = SubscriptionFilter("", SHOWN, match, shared=True)
    put_filter_in(store.redis, [store.partition_of(match)], subscription_id_of(match), criteria)


def unfollow(store: EventStore, match: str) -> None:
    """End the subscription of a match."""
    put_filter_in(store.redis, [store.partition_of(match)], subscription_id_of(match), None)


def subscription_id_of(match: str) -> str:
    """Return the id of the subscription of a match."""
    return f"{ID_PREFIX}{match}"


def match_of(subscription_id: str) -> str | None:
    """Return the match of a subscription id, or None if it is the id of a webhook."""
    return (
        subscription_id.removeprefix(ID_PREFIX) if subscription_id.startswith(ID_PREFIX) else None
    )


def retry_at(due_ms: int, now_ms: int) -> int | None:
    """Return when to retry a card that was due at a time, with growing delays (ms); None to give
    up.
    """
    late = now_ms - due_ms
    return None if late > RETRY_FOR_MS else now_ms + max(late, QUIET_MS)


def show_at(first_ms: int, last_ms: int) -> int:
    """Return when to show a run of moves that began and ended at these times (all ms)."""
    return min(last_ms + QUIET_MS, first_ms + MAX_DELAY_MS)
