"""The calendar months by which matches are counted."""

from __future__ import annotations

from datetime import UTC, datetime


def month_of(at: int) -> str:
    """Return the month of a time (ms since the epoch), in UTC, such as `2026-11`."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m}"
