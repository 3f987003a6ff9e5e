"""When a failed delivery is retried, and when a failing receiver gets a pause."""

from __future__ import annotations

from collections.abc import Callable
from email.utils import parsedate_to_datetime
from math import ceil

RETRY_DELAYS_S = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""The delay after each failed attempt of a message; after one more failure it is given up.

They are the example of Standard Webhooks: 75 hours, 35 minutes and 5 seconds in all.
"""
TOO_MANY_REQUESTS = 429
JITTER_SHARE = 0.2
"""Each delay varies by up to this share, so that retries spread out."""
MAX_RETRY_AFTER_S = 3_600
"""The longest delay that a receiver can choose in place of the schedule."""
FAILURES_BEFORE_WARNING = 4
"""Failures in a row after which the owner gets a warning and one message at a time is tried."""
PAUSE_S = (30, 600)
"""The first and the longest pause after these failures; each pause doubles the one before."""
MAX_CHOSEN_DELAYS = 20
"""Failures in a row after which the schedule applies again, whatever delay a receiver chose."""
DISABLE_AFTER_MS = 5 * 86_400_000
"""How long deliveries may fail without one success before the webhook is disabled."""

RandomSource = Callable[[], float]
"""Returns a random number from 0 to 1."""


def next_attempt_delay_s(
    attempts: int, failures: int, retry_after_s: int | None, random: RandomSource
) -> float | None:
    """Return the delay in seconds after this number of attempts of a message and of failures in a
    row, or None if the message is given up.
    """
    if (chosen := chosen_delay_s(retry_after_s, failures)) is not None:
        return chosen
    if attempts > len(RETRY_DELAYS_S):
        return None
    delay = _add_jitter(RETRY_DELAYS_S[attempts - 1], random)
    return max(delay, min(retry_after_s or 0, MAX_RETRY_AFTER_S))


def pause_s(
    failures: int, retry_after_s: int | None, random: RandomSource, code: int | None
) -> float:
    """Return the pause in seconds after this number of failures in a row, the last with a status
    code. A receiver that answers 429 is well: it may choose a shorter pause for longer.
    """
    chosen = chosen_delay_s(retry_after_s, failures)
    if chosen is not None and code == TOO_MANY_REQUESTS:
        return chosen
    requested = chosen or min(retry_after_s or 0, MAX_RETRY_AFTER_S)
    if failures < FAILURES_BEFORE_WARNING:
        return requested
    first, most = PAUSE_S
    doubled = first * 2 ** min(failures - FAILURES_BEFORE_WARNING, 10)
    return max(requested, _add_jitter(min(most, doubled), random))


def chosen_delay_s(retry_after_s: int | None, failures: int = 0) -> int | None:
    """Return the delay in seconds, at least 1, that a receiver chose in place of the schedule, or
    None if it chose none or one that is too long, or has failed too often in a row.

    An attempt with such an answer counts as none: many short delays would use up the schedule.
    """
    if retry_after_s is None or retry_after_s > MAX_RETRY_AFTER_S or failures > MAX_CHOSEN_DELAYS:
        return None
    return max(1, retry_after_s)


def read_retry_after(text: str | None, now: int) -> int | None:
    """Return the seconds in a `Retry-After` header at a time (ms), or None if the header is
    invalid.
    """
    if text is None:
        return None
    if text.strip().isascii() and text.strip().isdigit():
        return int(text.strip()[:9])  # longer than any limit
    try:
        at = parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0, ceil(at - now / 1000))


def _add_jitter(seconds: float, random: RandomSource) -> float:
    return seconds * (1 - JITTER_SHARE + 2 * JITTER_SHARE * random())
