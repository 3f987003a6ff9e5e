"""Turns subscriptions off, and notes which entries they miss."""

from __future__ import annotations

from service.channels.webhooks.queue.delivery_queue import DeliveryQueue
from service.channels.webhooks.subscriptions import DisabledReason, Subscriptions


def turn_off(
    subscriptions: Subscriptions,
    queue: DeliveryQueue,
    subscription_id: str,
    reason: DisabledReason,
    now: int,
) -> None:
    """Stop deliveries until the subscription is enabled, and drop what is pending."""
    subscriptions.disable(subscription_id, reason, now)
    drop_pending(subscriptions, queue, subscription_id)


def drop_pending(subscriptions: Subscriptions, queue: DeliveryQueue, subscription_id: str) -> None:
    """Drop what is pending for a disabled subscription; a recovery starts at its oldest entry."""
    if (oldest := queue.drop_all()) is not None:
        subscriptions.note_undelivered(subscription_id, oldest)
