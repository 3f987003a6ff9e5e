"""The check whether browsers can get push messages."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from service.channels.push.house import takes_subscriptions
from service.channels.push.vapid import VapidKey
from service.runtime.errors import REDIS_ERRORS
from workers.tools.doctor.finding import Finding, Patient


def check_push(patient: Patient) -> Iterator[Finding]:
    """Yield whether browsers can subscribe, and whether a process sends to them; no message is
    sent, and no key is made.
    """
    if not patient.public_url:
        yield Finding("push", "ok", "Push messages are off: they need a public address.")
    elif not takes_subscriptions(patient.public_url, patient.settings):
        text = f"No push messages: browsers want https, not {urlsplit(patient.public_url).scheme}."
        yield Finding("push", "warn", text, "Let a proxy add TLS: docs/hosting.md.")
    elif not patient.settings.has_deliveries:
        text = "No push messages: webhooks and e-mail are off, so no process sends."
        yield Finding("push", "warn", text, "Set ANNALS_WEBHOOKS to 1 or more.")
    else:
        yield check_key(patient)


def check_key(patient: Patient) -> Finding:
    """Return whether the key by which push services know the service can be read."""
    if patient.redis is None:
        return Finding("push", "ok", "Browsers can subscribe while the service runs.")
    try:
        key = VapidKey(patient.redis).find_public_key()
    except REDIS_ERRORS:
        return Finding("push", "fail", "The key of push messages can't be read.", "See `redis`.")
    except ValueError:
        text = "The key of push messages in Redis is damaged."
        cure = "Delete `push:key` and restart: browsers subscribe again."
        return Finding("push", "fail", text, cure)
    text = "Browsers can subscribe" + (f" with the key {key}." if key else "; they make the key.")
    return Finding("push", "ok", text)
