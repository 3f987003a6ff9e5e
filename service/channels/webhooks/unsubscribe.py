"""Deletes subscriptions with their queues and delivery logs."""

from __future__ import annotations

from service.channels.webhooks.queue.delivery_log import DeliveryLog
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue
from service.channels.webhooks.subscriptions import Subscriptions
from service.store.event_store import EventStore
from service.store.redis_failures import log_redis_failures


def unsubscribe(
    store: EventStore, subscriptions: Subscriptions, player: str, subscription_id: str
) -> None:
    """Delete a subscription of a player, its queue and its delivery log."""
    delete_deliveries(store, subscription_id)
    subscriptions.remove(player, subscription_id)
    with log_redis_failures("deliveries_not_deleted", webhook=subscription_id):
        delete_deliveries(store, subscription_id)  # what came meanwhile


def unsubscribe_all(store: EventStore, subscriptions: Subscriptions, player: str) -> None:
    """Delete all subscriptions of a player."""
    for record in subscriptions.list_for(player):
        unsubscribe(store, subscriptions, player, record.subscription.id)


def delete_deliveries(store: EventStore, subscription_id: str) -> None:
    """Delete the queue and the delivery log of a deleted subscription."""
    DeliveryQueue(store.redis, store.partitions, subscription_id).delete()
    DeliveryLog(store.redis, subscription_id).clear()
