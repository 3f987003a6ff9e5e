"""When players could reach the service, as recorded in the store.

While web processes run and the store accepts writes, one of them records every few seconds that
the service is up. A gap in this record is an outage: the service was stopped, crashed, was paused
or restored from a backup, or a clock that was slow was set right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import msgspec
import structlog
from redis import Redis

from domain.match.outages import Outage, outage_ms
from service.runtime.event_loop import pause
from service.runtime.logs import is_redis_error
from service.store.redis_client import store_errors

UPTIME_KEY = "annals:uptime"
"""The key of the record (JSON)."""
BEAT_MS = 2_000
"""How often a process records that the service is up."""
LOOK_S = 1.0
"""How often each web process looks whether another one has done so."""
MAX_SILENCE_MS = 5_000
"""The longest gap in the record that is no outage."""
MAX_OUTAGES = 100
"""Number of outages that the record keeps, the latest ones."""
REPLACE_SCRIPT = """
if (redis.call('GET', KEYS[1]) or '') == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
"""
"""A process that was paused before it writes must not overwrite a later record."""
log = structlog.get_logger("annals.web")


class UptimeRecord(msgspec.Struct, frozen=True):
    """When the service was last known to be up (ms since the epoch), how often that was recorded,
    and the outages before, oldest first.
    """

    at: int
    beats: int = 0
    outages: tuple[Outage, ...] = ()

    def is_silent(self, now: int) -> bool:
        """Return whether the last beat is too long ago."""
        return now - self.at > MAX_SILENCE_MS

    def outages_until(self, now: int) -> tuple[Outage, ...]:
        """Return the outages, with one that lasts until now if the service is silent."""
        return (*self.outages, Outage(self.at, now)) if self.is_silent(now) else self.outages

    def after_beat(self, now: int) -> UptimeRecord:
        """Return the record after another beat. If the clock was set back, outages that were
        recorded later than now are dropped.
        """
        past = [
            Outage(one.start, min(one.end, now))
            for one in self.outages_until(now)
            if one.start < now
        ]
        return UptimeRecord(now, self.beats + 1, tuple(past[-MAX_OUTAGES:]))


class Uptime:
    """The record as this process knows it: it is read again once it may lack an outage."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._known: UptimeRecord | None = None

    def record(self, now: int) -> UptimeRecord:
        """Return the record, read again if it may lack an outage."""
        known = self._known
        if known is None or known.at > now or known.is_silent(now):
            known = self._known = _decode(_read(self._redis)) or UptimeRecord(now)
        return known

    def outages(self, now: int) -> tuple[Outage, ...]:
        """Return all outages, with one that lasts until now if the service cannot be reached."""
        return self.record(now).outages_until(now)

    def elapsed_ms(self, since: int, now: int) -> int:
        """Return how much time has passed since then in which the service could be reached."""
        return now - since - outage_ms(self.outages(now), since, now)

    def beat(self, now: int) -> None:
        """Record that the service is up, unless a process has done so just before."""
        stored = _read(self._redis)
        known = _decode(stored)
        if known is None or not 0 <= now - known.at < BEAT_MS:
            known = (known or UptimeRecord(now)).after_beat(now)
            with store_errors():
                self._redis.eval(REPLACE_SCRIPT, 1, UPTIME_KEY, stored, msgspec.json.encode(known))
        self._known = known


def count_beats(redis: Redis) -> int:
    """Return how often the store has recorded that the service is up."""
    known = _decode(_read(redis))
    return known.beats if known else 0


def keep_beating(uptime: Uptime, now: Callable[[], int]) -> None:
    """Record that the service is up until this process ends."""
    while True:
        try:
            uptime.beat(now())
        except Exception as error:  # a store that accepts no writes is an outage
            if not is_redis_error(error):
                log.exception("uptime_not_recorded")
        pause(LOOK_S)


def _read(redis: Redis) -> bytes:
    with store_errors():
        return cast("bytes | None", redis.get(UPTIME_KEY)) or b""


def _decode(stored: bytes) -> UptimeRecord | None:
    """Return a stored record; None if there is none, or it is corrupt and has to start again."""
    try:
        return msgspec.json.decode(stored, type=UptimeRecord)
    except msgspec.MsgspecError:
        return None
