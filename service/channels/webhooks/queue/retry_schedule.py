"""When what failed is tried again, and when nothing is tried for a while."""

from __future__ import annotations

from collections.abc import Callable
from email.utils import parsedate_to_datetime

DELAYS_S = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""After each failure of a message; after one more it is given up. They are the example of Standard
Webhooks: 75 hours, 35 minutes and 5 seconds in all.
"""
JITTER = 0.2
"""A delay is longer or shorter by up to this share, so that not all come again at once."""
RETRY_AFTER_S = 3_600
"""As long as a receiver may ask us to wait, if the delay is not longer anyway."""
NOTICE_AFTER = 4
"""Failures in a row after which the owner is told, and only one message at a time is tried."""
PAUSE_S = (30, 600)
"""How long nothing is tried then: at first, at most; twice as long each time."""
OFF_AFTER_MS = 5 * 86_400_000
"""How long it may fail without a success in between, until it is turned off."""

Chance = Callable[[], float]
"""A number from 0 to 1."""


def next_try_s(attempts: int, retry_after_s: int | None, chance: Chance) -> float | None:
    """The delay after so many attempts of a message; None if it is given up."""
    if attempts > len(DELAYS_S):
        return None
    delay = _jittered(DELAYS_S[attempts - 1], chance)
    return delay if retry_after_s is None else max(delay, min(retry_after_s, RETRY_AFTER_S))


def pause_s(failures: int, chance: Chance) -> float:
    """For how long nothing is tried after so many failures in a row."""
    first, most = PAUSE_S
    if failures < NOTICE_AFTER:
        return 0
    return _jittered(min(most, first * 2 ** min(failures - NOTICE_AFTER, 10)), chance)


def read_retry_after(text: str | None, now: int) -> int | None:
    """The seconds that a `Retry-After` asks for, at a time in ms; None if it means nothing."""
    if text is None:
        return None
    if text.strip().isascii() and text.strip().isdigit():
        return int(text.strip()[:9])  # nobody waits for that long anyway
    try:
        at = parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0, int(at - now / 1000))


def _jittered(seconds: float, chance: Chance) -> float:
    return seconds * (1 - JITTER + 2 * JITTER * chance())
