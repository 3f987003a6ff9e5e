"""Ending subscriptions, so that nothing is left of them."""

from __future__ import annotations

from service.channels.webhooks.queue.delivery_log import Deliveries
from service.channels.webhooks.queue.delivery_queue import Mail
from service.channels.webhooks.subscriptions import Subscriptions
from service.store.event_store import Store


def end(store: Store, subscriptions: Subscriptions, player: str, name: str) -> None:
    """End a subscription of a player: nothing is sent from now on, and nothing of it is kept."""
    subscriptions.remove(player, name)
    leave_nothing(store, name)


def end_all(store: Store, subscriptions: Subscriptions, player: str) -> None:
    """End all of a player."""
    for known in subscriptions.of(player):
        end(store, subscriptions, player, known.subscription.id)


def leave_nothing(store: Store, name: str) -> None:
    """Forget what is planned and was delivered for a subscription that was removed."""
    Mail(store.redis, store.partitions, name).forget()
    Deliveries(store.redis, name).forget()
