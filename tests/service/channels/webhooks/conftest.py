"""A subscriber whose receiver is a real one, and a service whose time passes when it is told to."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
import pytest
from redis import Redis

from domain.games import GAMES
from domain.notices import NOTICE_TYPES, NoticeType
from projections import PROJECTIONS
from projections.core.spaces import together
from projections.outbox.plan import Outbox, due_wishes
from projections.projector import Projector
from service.channels.webhooks.messages.discord_format import Channel
from service.channels.webhooks.messages.formats import Standard
from service.channels.webhooks.queue.delivery_log import Deliveries, Delivery
from service.channels.webhooks.queue.delivery_queue import Mail
from service.channels.webhooks.sending.sender import Sender
from service.channels.webhooks.signing import SigningKey, new_secret
from service.channels.webhooks.subscriptions import Health, Secret, Subscription, Subscriptions
from service.drawing.pictures.cache import Gallery
from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON
from tests.projections.recorded import Recorded
from tests.support.receiver import Receiver, receiving


@cache
def gallery() -> Gallery:
    """One painter for all tests here."""
    return Gallery(1, 8, 20_000_000)


class Desk:
    """The service around webhooks, with all its time in one place."""

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
                "standard": Standard(self.annals, self.key),
                "discord": Channel(self.annals, gallery()),
            },
            chance=lambda: 0.5,
        )
        self._projectors = [
            Projector(redis, self.store, some, PROJECTIONS, outbox=Outbox(redis))
            for some in together(redis, range(self.store.partitions))
        ]

    def player(self, name: str) -> str:
        return self.annals.players.register(name, self.now)[0].id

    def subscribe(
        self, player: str, url: str, types: Collection[NoticeType] = NOTICE_TYPES, **more: Any
    ) -> Subscription:
        made = Subscription(
            f"w{len(self.subscriptions.of(player))}{player}", player, url, tuple(types), self.now,
            (Secret(new_secret()),), **more,
        )  # fmt: skip
        self.subscriptions.add(made)
        return made

    def project(self) -> None:
        for projector in self._projectors:
            while projector.fold_next(1_000):
                pass

    def send(self) -> None:
        """Work for everybody until nothing is due now."""
        self.project()
        while due := due_wishes(self.store.redis, range(self.store.partitions), self.now):
            for name in due:
                self.sender.work(name)

    def pass_until_quiet(self, most: int = 100) -> None:
        """Let time pass from one thing to do to the next."""
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
            + self.store.redis.keys("*:outbox:clocks")
            for _, at in self.store.redis.zrange(key, 0, 0, withscores=True)
        ]
        return min(rows, default=None)

    def health(self, one: Subscription) -> Health:
        return self.subscriptions.known(one.id).health

    def deliveries(self, one: Subscription) -> list[Delivery]:
        return Deliveries(self.store.redis, one.id).page(None, None, 1_000)

    def mail(self, one: Subscription) -> Mail:
        return Mail(self.store.redis, self.store.partitions, one.id)

    def table(self, seats: str, **more: Any) -> Recorded:
        return Recorded(self.store, seats, **more)


@pytest.fixture
def desk(redis_client: Redis, redis_url: str) -> Desk:
    return Desk(redis_client, redis_url)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


def changed(one: Subscription, **what: Any) -> Subscription:
    return msgspec.structs.replace(one, **what)
