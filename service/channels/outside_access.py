"""What acts or reads for a player without one of their tokens: links to chat accounts, webhooks,
mail, push messages.
"""

from __future__ import annotations

from contextlib import suppress

from service.channels.discord.account_links import AccountLinks
from service.channels.mail_removal import remove_mail
from service.channels.push.browsers import PushSubscriptions
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue
from service.channels.webhooks.subscriptions import Subscriptions
from service.channels.webhooks.turned_off import turn_off
from service.matches.container import Annals
from service.runtime.errors import NotFound


def end_outside_access(annals: Annals, player: str) -> None:
    """Unlink a player from the Discord user whom a code linked to them, turn off their webhooks,
    erase their mail address and unsubscribe their browsers: a thief of their token may have made
    these. A Discord user keeps the player that they began with. Webhooks that are off because they
    failed are off for their owner from now on: an operator who tries failing ones again would turn
    them on.
    """
    store, links = annals.store, AccountLinks(annals.store.redis, annals.players)
    with suppress(NotFound):
        links.unlink_player(player)
    remove_mail(store, player)
    PushSubscriptions(store).remove_all(player)
    webhooks = Subscriptions(store.redis, store.partitions, annals.settings.webhooks)
    for record in webhooks.list_for(player):
        if record.health.disabled_reason != "by_owner":
            webhook = record.subscription.id
            queue = DeliveryQueue(store.redis, store.partitions, webhook)
            turn_off(webhooks, queue, webhook, "by_owner", annals.now())
