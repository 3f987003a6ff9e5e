"""What the owner of a webhook should know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.channels.webhooks.queue.retry_schedule import NOTICE_AFTER, OFF_AFTER_MS
from service.channels.webhooks.subscriptions import Health, Subscriptions, WhyOff
from service.matches.queries import iso


def notice(health: Health) -> str | None:
    """What is wrong, in a sentence; None if nothing is."""
    if health.off is not None:
        return _WHY_OFF[health.off].format(error=health.error)
    if health.failures < NOTICE_AFTER or health.failing_since is None:
        return None
    until = iso(health.failing_since + OFF_AFTER_MS)
    return (
        f"The last {health.failures} tries failed; it is turned off at {until} unless one succeeds."
    )


def notices(subscriptions: Subscriptions, player: str) -> Sequence[Mapping[str, str]]:
    """What a player should know of their webhooks, unless they did it themselves."""
    return [
        {"webhook": known.subscription.id, "notice": said}
        for known in subscriptions.of(player)
        if known.health.off != "by_owner" and (said := notice(known.health))
    ]


_WHY_OFF: Mapping[WhyOff, str] = {
    "by_owner": "You turned it off.",
    "gone": "{error}",
    "failing": "Nothing arrived for five days. Once the receiver works again, recover it.",
    "banned": "You may not play here.",
    "behind": "More waited to be told than is kept. Recover it when it can follow, or "
    "from a later time on.",
}
