"""The process that sends webhooks: each job hands a subscription to a pool of threads.

A job never waits. If a thread is killed, its unsent notices are still in the outbox.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from os import environ

from service.channels.webhooks.messages.discord_format import DiscordFormat
from service.channels.webhooks.messages.formats import Format, StandardFormat
from service.channels.webhooks.queue.delivery_log import DeliveryLog
from service.channels.webhooks.sending.sender import Sender
from service.channels.webhooks.signing import SigningKey
from service.channels.webhooks.subscriptions import DELETED, Subscriptions
from service.drawing.pictures.cache import PictureCache
from service.matches.container import open_annals
from service.runtime.errors import NotFound
from service.runtime.settings import Settings, read_settings
from workers.processes.sender_pool import Receiver, ReceiverSpeeds, SenderPool
from workers.processes.timed_client import TimedClient, host_of

NICE = 10
"""Niceness of the process: moves come before webhooks."""
SPEEDS = ReceiverSpeeds()


def deliver(name: str) -> None:
    """Send what is due for a subscription, in a thread; a job."""
    pool().submit(name, _receiver(name), partial(_sender().send_due, name))


def _receiver(name: str) -> Receiver:
    """Return whose shares a subscription takes; deleted ones share one."""
    try:
        one = _sender().subscriptions.get(name).subscription
    except NotFound:
        return Receiver(DELETED, "")
    host = host_of(one.url)
    if not SPEEDS.knows(host):
        _recall_speed(name, host)
    return Receiver(one.payer, host)


def _recall_speed(name: str, host: str) -> None:
    """Let a host be as quick after a restart as at its last delivery."""
    for last in DeliveryLog(_sender().annals.store.redis, name).page(None, None, 1):
        if last.duration_ms is not None:
            SPEEDS.record(host, last.duration_ms / 1000)


@cache
def pool() -> SenderPool:
    """Return the threads of this process."""
    return SenderPool(_settings().webhook_senders, SPEEDS)


def open_sender() -> None:
    """Open the event store at startup. Raises BadSetting if it cannot be used."""
    _sender()


@cache
def _settings() -> Settings:
    return read_settings(environ)


@cache
def _sender() -> Sender:
    annals = open_annals(_settings())
    store = annals.store
    subscriptions = Subscriptions(store.redis, store.partitions, annals.settings.webhooks)
    formats: Mapping[str, Format] = {
        "standard": StandardFormat(annals, SigningKey(store.redis)),
        "discord": DiscordFormat(annals, _gallery(annals.settings)),
    }
    return Sender(annals, subscriptions, formats, client=partial(TimedClient, SPEEDS))


def _gallery(settings: Settings) -> PictureCache:
    """Pictures for all threads; each may wait for one."""
    return PictureCache(1, 2 * settings.webhook_senders, settings.picture_mb * 1_000_000)
