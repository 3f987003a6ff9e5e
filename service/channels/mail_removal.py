"""The end of the mail to a player: their addresses, and what is planned to be sent."""

from __future__ import annotations

from service.channels.mail.addresses import MailAddresses
from service.channels.mail.kinds import subscription_id_of
from service.channels.webhooks.unsubscribe import delete_deliveries
from service.store.event_store import EventStore


def remove_mail(store: EventStore, player: str) -> None:
    """Erase the addresses of a player, and delete all that is planned for them."""
    MailAddresses(store).remove(player)
    delete_deliveries(store, subscription_id_of(player))
