"""Ends waits of mail that began when the clock was ahead. They end at a time, so once the clock is
set back they would last until it is where it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from projections.outbox.due import postponed_subscriptions
from projections.outbox.plan import DUE_NOW
from service.channels.mail.addresses import MailAddresses
from service.channels.mail.kinds import player_of
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue
from service.store.event_store import EventStore

MAX_WAIT_MS = 2 * 86_400_000
"""Longer than any mail waits: a later time comes from a clock that was ahead."""
LOOK_MS = 60_000
"""How often waits are looked at, unless the clock goes back meanwhile."""


class LongWaits:
    """The waits of mail in some partitions."""

    def __init__(self, store: EventStore, partitions: Sequence[int]) -> None:
        self._store, self._partitions = store, partitions
        self._addresses = MailAddresses(store)
        self._looked_at: int | None = None

    def end(self, now: int) -> None:
        """Let mail be looked at now (ms since the epoch) that waits for longer than any does, or if
        the clock was just set back, all that waits. The next work finds out when it is due.
        """
        last, is_set_back = self._looked_at, False
        if last is not None:
            is_set_back = now < last
            if last <= now < last + LOOK_MS:
                return
        after = now if is_set_back else now + MAX_WAIT_MS
        for name in postponed_subscriptions(self._store.redis, self._partitions, after):
            if player := player_of(name):
                DeliveryQueue(self._store.redis, self._store.partitions, name).retry_all()
                self._addresses.wake(player, DUE_NOW)
        self._looked_at = now
