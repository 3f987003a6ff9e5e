"""The threads that send push messages, beside those of webhooks and mail: a push service that does
not answer keeps neither waiting.
"""

from __future__ import annotations

from functools import cache, partial
from os import environ

from service.channels.push.kinds import Device
from service.matches.container import open_annals
from service.runtime.settings import read_settings
from service.runtime.shares.fair_queue import Payer
from workers.jobs.push import PushSender
from workers.processes.sender_pool import Receiver, ReceiverSpeeds, SenderPool
from workers.processes.timed_client import TimedClient, host_of

MAX_THREADS = 16
"""Number of threads, which start when there is something to send. Most browsers have one of three
push services, and each host gets a quarter.
"""
SPEEDS = ReceiverSpeeds()


def send(player: str, subscription: str) -> None:
    """Send what is due to a browser of a player, in a thread; a job."""
    hand_out(_pool(), _sender(), Device(player, subscription))


def hand_out(pool: SenderPool, sender: PushSender, device: Device) -> None:
    """Let a thread send what is due to a browser, in the share of its player and network."""
    found = sender.subscriptions.read(device)
    network, host = (found.network, host_of(found.endpoint)) if found else ("", "")
    receiver = Receiver(Payer(network or device.player, device.player), host)
    pool.submit(device.outbox_id, receiver, partial(sender.send_due, device))


def open_pusher() -> None:
    """Open the event store at startup. Raises BadSetting if it cannot be used."""
    _sender()


def stop_pusher() -> None:
    """Let the threads finish their requests, for a moment."""
    _pool().stop()


@cache
def _pool() -> SenderPool:
    return SenderPool(MAX_THREADS, SPEEDS)


@cache
def _sender() -> PushSender:
    return PushSender(open_annals(read_settings(environ)), partial(TimedClient, SPEEDS))
