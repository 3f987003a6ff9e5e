"""Hours of the day in which a player wants no notices, in their time zone."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec


class QuietHours(msgspec.Struct, frozen=True):
    """From one minute of the day until another, perhaps of the next day."""

    start: int
    end: int
    time_zone: str

    def end_after(self, now: int) -> int | None:
        """Return when the quiet hours end in which a time is; None if it is in none (both in ms
        since the epoch). Days are those of the time zone, also if its clocks change.
        """
        zone = find_zone(self.time_zone) or UTC
        here = datetime.fromtimestamp(now / 1000, zone)
        minute = here.hour * 60 + here.minute
        until_midnight = self.start > self.end and minute >= self.start
        if not (
            until_midnight or self.start <= minute < self.end or minute < self.end < self.start
        ):
            return None
        day = here.date() + timedelta(days=until_midnight)
        for fold in (0, 1):  # an hour that comes twice ends twice
            end = datetime.combine(day, _time_of(self.end).replace(fold=fold), zone)
            if (at := int(end.timestamp() * 1000)) > now:
                return at
        return None


def find_zone(name: str) -> ZoneInfo | None:
    """Return a time zone; None if this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def read_minute(text: str) -> int:
    """Return the minute of the day of a time such as `22:30`."""
    hours, minutes = map(int, text.split(":"))
    return 60 * hours + minutes


def write_minute(minute: int) -> str:
    """Return a time such as `22:30`."""
    return f"{_time_of(minute):%H:%M}"


def _time_of(minute: int) -> time:
    return time(*divmod(minute, 60))
