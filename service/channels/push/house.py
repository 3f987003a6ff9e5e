"""Whether this service can send push messages, and how it names itself to push services."""

from __future__ import annotations

from urllib.parse import urlsplit

from service.matches.container import Annals
from service.runtime.address_guard import is_this_machine
from service.runtime.settings import Settings


def sends_push(annals: Annals) -> bool:
    """Return whether the service sends push messages: it has a process that does, and an address at
    which browsers let a page subscribe.
    """
    settings = annals.settings
    return settings.has_deliveries and takes_subscriptions(annals.public_url, settings)


def takes_subscriptions(public_url: str, settings: Settings) -> bool:
    """Return whether browsers let a page at this address subscribe: they ask for https, except on
    this machine, where `ANNALS_WEBHOOKS_LOOPBACK` has to allow it.
    """
    parts = urlsplit(public_url)
    is_here = is_this_machine(parts.hostname or "", bool(settings.webhooks_loopback))
    return parts.scheme == "https" or is_here


def subject_of(annals: Annals) -> str:
    """Return where a push service can reach the operator."""
    sender = annals.settings.mail_from
    return f"mailto:{sender}" if sender else annals.public_url
