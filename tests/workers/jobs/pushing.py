"""A service that sends push messages to a real server, with a clock that a test sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from redis import Redis

from domain.games import GAMES
from projections import PROJECTIONS
from projections.core.spaces import group_by_slot
from projections.outbox.due import due_subscriptions
from projections.outbox.plan import Outbox
from projections.projector import Projector
from service.channels.push.browsers import PushSubscription, id_of
from service.channels.push.kinds import KINDS, Device, PushKind, device_of
from service.matches.container import Annals, open_annals
from service.runtime.http_client import Client, ReceiverResponse
from service.runtime.settings import Settings
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON
from tests.projections.recorded import RecordedMatch
from tests.support.push_browser import AUTH, BROWSER, encode, public_bytes
from tests.support.receiver import Receiver
from workers.jobs.push import PushSender

PUBLIC = "https://annals.example"
HOUR_MS = 3_600_000


class Kill(BaseException):
    """A process ends here."""


@dataclass(frozen=True)
class Message:
    """What a push service took."""

    browser: str
    headers: Mapping[str, str]
    content: Any

    @property
    def said(self) -> tuple[str, str]:
        """The browser, and the sentence."""
        return self.browser, self.content["notification"]["body"]


class PushHouse:
    """The service, its players, and what their push service has taken for them."""

    def __init__(self, redis: Redis, url: str, receiver: Receiver) -> None:
        self.now, self.receiver = NOON, receiver
        settings = Settings(
            redis_url=url, events_url=url, queue_url=url, public_url=PUBLIC, webhooks_loopback=1
        )
        opened = open_annals(settings, {**GAMES, TOY.key: TOY})
        self.annals: Annals = replace(opened, now=lambda: self.now)
        self.store = self.annals.store
        self.kill = ""
        """Before or after the server takes a message, if a process is to be killed then."""
        self.sender = PushSender(self.annals, self._open)
        self.subscriptions = self.sender.subscriptions
        self._projectors = [
            Projector(redis, self.store, some, PROJECTIONS, outbox=Outbox(redis))
            for some in group_by_slot(redis, range(self.store.partitions))
        ]

    def _open(self, url: str, loopback: bool) -> Client:
        house = self

        class KillAtSend(Client):
            def post(self, headers: Mapping[str, str], body: bytes) -> ReceiverResponse:
                if house.kill == "before":
                    raise Kill
                answer = super().post(headers, body)
                if house.kill == "after":
                    raise Kill
                return answer

        return KillAtSend(url, loopback)

    def player(self, name: str) -> str:
        return self.annals.players.register(name, self.now)[0].id

    def subscribe(
        self, player: str, path: str, kinds: tuple[PushKind, ...] = KINDS, **more: Any
    ) -> Device:
        """A browser of a player, at this path of the push service."""
        endpoint = f"{self.receiver.url.rpartition('/')[0]}/{path}"
        [token, *_] = self.annals.players.tokens.of_player(player)
        fields = {"token": token.id, "network": "198.51.100.0/24", **more}
        one = PushSubscription(
            id_of(endpoint), player, endpoint, encode(public_bytes(BROWSER.key)), AUTH,
            created_at=self.now, kinds=kinds, **fields,
        )  # fmt: skip
        self.subscriptions.save(one)
        return one.device

    def table(self, seats: str, **more: Any) -> RecordedMatch:
        """A match that begins, opened by another player."""
        expires = NOON + 1_000 * HOUR_MS
        table = RecordedMatch(self.store, seats, host="zoe", expires=expires, **more)
        table.is_compared = False
        return table

    def due(self) -> list[Device]:
        """The browsers with something to send."""
        for projector in self._projectors:
            while projector.fold_next(1_000):
                pass
        names = due_subscriptions(self.store.redis, range(self.store.partitions), self.now)
        return [device for name in sorted(names) if (device := device_of(name))]

    def run(self) -> list[Message]:
        """Send what is due now; return what reached the push service."""
        self.receiver.got.clear()
        for _ in range(3):  # the dispatcher looks again and again
            for device in self.due():
                self.sender.send_due(device)
        return self.taken()

    def taken(self) -> list[Message]:
        """What reached the push service, read as its browser reads it."""
        return [
            Message(one.path.strip("/"), one.headers, BROWSER.decrypt(one.raw))
            for one in self.receiver.got
        ]

    def wait(self, ms: int) -> list[Message]:
        """Let time go by, and send what is due then."""
        self.now += ms
        return self.run()
