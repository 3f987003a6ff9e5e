"""A subscriber with a real receiver, and a service with a clock that a test sets."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
import pytest
from redis import Redis

from domain.games import GAMES
from domain.notice_types import NOTICE_TYPES, NoticeName
from projections import PROJECTIONS
from projections.core.spaces import group_by_slot
from projections.outbox.due import due_subscriptions
from projections.outbox.plan import Outbox
from projections.projector import Projector
from service.channels.webhooks.messages.discord_format import DiscordFormat
from service.channels.webhooks.messages.formats import StandardFormat
from service.channels.webhooks.queue.delivery_log import Delivery, DeliveryLog
from service.channels.webhooks.queue.delivery_queue import DeliveryQueue
from service.channels.webhooks.sending.sender import Sender
from service.channels.webhooks.signing import SigningKey, new_secret
from service.channels.webhooks.subscriptions import Health, Secret, Subscription, Subscriptions
from service.drawing.pictures.cache import PictureCache
from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON
from tests.projections.recorded import RecordedMatch
from tests.support.receiver import Receiver, receiving
from tests.support.small_painter import SmallPainter


@cache
def picture_cache() -> PictureCache:
    """One cache for all tests here."""
    pictures = PictureCache(1, 8, 20_000_000)
    pictures.use(SmallPainter())
    return pictures


class WebhookHarness:
    """The service around webhooks, with one clock."""

    def __init__(self, redis: Redis, url: str) -> None:
        self.now = NOON
        settings = Settings(
            redis_url=url, events_url=url, queue_url=url, webhooks_loopback=1, webhooks=5,
            public_url="https://annals.example/",
        )  # fmt: skip
        games = {**GAMES, TOY.key: TOY}
        self.annals: Annals = replace(open_annals(settings, games), now=lambda: self.now)
        self.store = self.annals.store
        self.key = SigningKey(redis)
        self.subscriptions = Subscriptions(redis, self.store.partitions, settings.webhooks)
        self.sender = Sender(
            self.annals,
            self.subscriptions,
            {
                "standard": StandardFormat(self.annals, self.key),
                "discord": DiscordFormat(self.annals, picture_cache()),
            },
            random=lambda: 0.5,
        )
        self._projectors = [
            Projector(redis, self.store, some, PROJECTIONS, outbox=Outbox(redis))
            for some in group_by_slot(redis, range(self.store.partitions))
        ]

    def player(self, name: str) -> str:
        return self.annals.players.register(name, self.now)[0].id

    def subscribe(
        self, player: str, url: str, types: Collection[NoticeName] = NOTICE_TYPES, **more: Any
    ) -> Subscription:
        made = Subscription(
            f"w{len(self.subscriptions.list_for(player))}{player}",
            player, url, tuple(types), self.now,
            (Secret(new_secret()),), **more,
        )  # fmt: skip
        self.subscriptions.add(made)
        return made

    def project(self) -> None:
        for projector in self._projectors:
            while projector.fold_next(1_000):
                pass

    def send(self) -> None:
        """Send for all subscriptions until nothing is due now."""
        self.project()
        while due := due_subscriptions(self.store.redis, range(self.store.partitions), self.now):
            for name in due:
                self.sender.send_due(name)

    def pass_until_quiet(self, most: int = 100) -> None:
        """Advance the clock from one due time to the next until no job is left."""
        for _ in range(most):
            self.send()
            if (at := self.next_at()) is None:
                return
            self.now = max(self.now, at)
        raise AssertionError("it never ends")

    def next_at(self) -> int | None:
        rows = [
            int(at)
            for key in self.store.redis.keys("*:outbox:due")
            + self.store.redis.keys("*:outbox:warnings")
            for _, at in self.store.redis.zrange(key, 0, 0, withscores=True)
        ]
        return min(rows, default=None)

    def health(self, one: Subscription) -> Health:
        return self.subscriptions.get(one.id).health

    def deliveries(self, one: Subscription) -> list[Delivery]:
        return DeliveryLog(self.store.redis, one.id).page(None, None, 1_000)

    def queue(self, one: Subscription) -> DeliveryQueue:
        return DeliveryQueue(self.store.redis, self.store.partitions, one.id)

    def table(self, seats: str, **more: Any) -> RecordedMatch:
        return RecordedMatch(self.store, seats, **more)


@pytest.fixture
def harness(redis_client: Redis, redis_url: str) -> WebhookHarness:
    return WebhookHarness(redis_client, redis_url)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


def change(one: Subscription, **what: Any) -> Subscription:
    return msgspec.structs.replace(one, **what)
