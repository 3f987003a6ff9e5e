"""The threads that send mail, beside those of webhooks: a mail server that does not answer keeps no
webhook waiting.
"""

from __future__ import annotations

from functools import cache, partial
from os import environ

from service.channels.mail.kinds import subscription_id_of
from service.matches.container import open_annals
from service.runtime.settings import read_settings
from service.runtime.shares.fair_queue import Payer
from workers.jobs.mail import MailSender
from workers.processes.sender_pool import Receiver, ReceiverSpeeds, SenderPool

MAX_THREADS = 2
"""Number of threads, of which the mail server, as one host, gets one: it takes mail in turn."""


def send(player: str) -> None:
    """Send what is due to a player, in a thread; a job."""
    receiver = Receiver(Payer(player, player), "")
    _pool().submit(subscription_id_of(player), receiver, partial(_send, player))


def open_mailer() -> None:
    """Open the event store at startup. Raises BadSetting if it cannot be used."""
    _sender()


def stop_mailer() -> None:
    """Let the thread finish its mail, for a moment."""
    _pool().stop()


def _send(player: str, _may_continue: object) -> None:
    _sender().send_due(player)


@cache
def _pool() -> SenderPool:
    return SenderPool(MAX_THREADS, ReceiverSpeeds())


@cache
def _sender() -> MailSender:
    return MailSender(open_annals(read_settings(environ)))
