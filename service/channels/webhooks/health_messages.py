"""Warnings about the health of a webhook, for its owner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.channels.webhooks.queue.retry_schedule import DISABLE_AFTER_MS, FAILURES_BEFORE_WARNING
from service.channels.webhooks.subscriptions import DisabledReason, Health, Subscriptions
from service.matches.queries import iso


def health_message(health: Health) -> str | None:
    """Return what is wrong with a webhook, in a sentence, or None if nothing is."""
    if health.disabled_reason is not None:
        return _DISABLED_TEXTS[health.disabled_reason].format(error=health.last_error)
    if health.failures < FAILURES_BEFORE_WARNING or health.failing_since is None:
        return None
    until = iso(health.failing_since + DISABLE_AFTER_MS)
    return (
        f"The last {health.failures} attempts failed. It will be turned off at {until} unless one "
        "succeeds."
    )


def health_messages(subscriptions: Subscriptions, player: str) -> Sequence[Mapping[str, str]]:
    """Return the warnings about a player's webhooks, except those that the player turned off."""
    return [
        {"webhook": record.subscription.id, "warning": text}
        for record in subscriptions.list_for(player)
        if record.health.disabled_reason != "by_owner" and (text := health_message(record.health))
    ]


_DISABLED_TEXTS: Mapping[DisabledReason, str] = {
    "by_owner": "You turned it off, or got your account back: with a recovery code, or from an "
    "operator.",
    "gone": "{error}",
    "failing": "No delivery succeeded for five days. Recover it once the receiver works again.",
    "banned": "Your account is banned.",
    "queue_full": "Its delivery queue was full. Recover it once the receiver is fast enough, or "
    "recover from a later time.",
}
