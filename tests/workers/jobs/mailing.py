"""A service that sends mail to a real SMTP server, with a clock that a test sets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email.message import EmailMessage
from typing import Any

from redis import Redis

from domain.games import GAMES
from projections import PROJECTIONS
from projections.core.spaces import group_by_slot
from projections.outbox.due import due_subscriptions
from projections.outbox.plan import Outbox
from projections.projector import Projector
from service.channels.mail.addresses import link_code, new_address
from service.channels.mail.kinds import KINDS, Kind, player_of
from service.channels.mail.smtp import MailServer, open_mail_server
from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from tests.engine.toy import GAME as TOY
from tests.match.table import NOON
from tests.projections.recorded import RecordedMatch
from tests.support.mail_server import Mail
from workers.dispatch.long_waits import LongWaits
from workers.jobs.mail import MailSender

FROM, PUBLIC = "annals@example.com", "https://annals.example"
MINUTE_MS, HOUR_MS = 60_000, 3_600_000


class Kill(BaseException):
    """A process ends here."""


class Post:
    """The service, its players, and what the server has taken for them."""

    def __init__(self, redis: Redis, url: str, mail: Mail, port: int) -> None:
        self.now, self.mail = NOON, mail
        settings = Settings(
            redis_url=url, events_url=url, queue_url=url, public_url=PUBLIC, mail_from=FROM,
            smtp_host="127.0.0.1", smtp_port=port, smtp_security="none",
        )  # fmt: skip
        opened = open_annals(settings, {**GAMES, TOY.key: TOY})
        self.annals: Annals = replace(opened, now=lambda: self.now)
        self.store = self.annals.store
        self.kill = ""
        """Before or after the server takes a mail, if a process is to be killed then."""
        self.sender = MailSender(self.annals, self._open_server)
        self.addresses = self.sender.addresses
        self.long_waits = LongWaits(self.store, range(self.store.partitions))
        self._projectors = [
            Projector(redis, self.store, some, PROJECTIONS, outbox=Outbox(redis))
            for some in group_by_slot(redis, range(self.store.partitions))
        ]

    @contextmanager
    def _open_server(self, settings: Settings) -> Iterator[MailServer]:
        with open_mail_server(settings) as server:
            if self.kill == "before":
                raise Kill
            yield server
        if self.kill == "after":
            raise Kill

    def player(
        self, name: str, kinds: tuple[Kind, ...] = KINDS, language: str = "en", zone: str = "UTC"
    ) -> str:
        """A player with a confirmed address, which has their name."""
        player = self.annals.players.register(name, self.now)[0].id
        wanted = new_address(f"{name.lower()}@example.org", kinds, language, zone)
        self.addresses.request(player, wanted, self.now)
        assert self.addresses.confirm(link_code(player, wanted)) == player
        return player

    def table(self, seats: str, **more: Any) -> RecordedMatch:
        """A match that begins, opened by another player."""
        expires = NOON + 1_000 * HOUR_MS
        table = RecordedMatch(self.store, seats, host="zoe", expires=expires, **more)
        table.is_compared = False
        return table

    def run(self) -> list[EmailMessage]:
        """Send what is due now; return what the server took."""
        self.mail.taken.clear()
        for projector in self._projectors:
            while projector.fold_next(1_000):
                pass
        self.long_waits.end(self.now)
        for _ in range(3):  # the dispatcher looks again and again
            for name in due_subscriptions(self.store.redis, range(self.store.partitions), self.now):
                if player := player_of(name):  # else it is a channel of Discord
                    self.sender.send_due(player)
        return [message for _, _, message in self.mail.taken]

    def wait(self, ms: int) -> list[EmailMessage]:
        """Let time go by, and send what is due then."""
        self.now += ms
        return self.run()


def recipients(messages: list[EmailMessage]) -> list[str]:
    return sorted(str(one["To"]) for one in messages)


def text_of(message: EmailMessage, kind: str = "plain") -> str:
    part = message.get_body((kind,))
    assert part
    return str(part.get_content())
