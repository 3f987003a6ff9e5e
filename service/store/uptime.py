"""When players could reach the service, as recorded in the store.

While web processes run and the store accepts writes, one of them records every few seconds that
the service is up. A gap in this record is an outage: the service was stopped, crashed, was paused
or restored from a backup, or a clock that was slow was set right. A gap in which Redis was started
again is an outage however short it is.
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
"""The longest gap in the record that is no outage, in one run of Redis."""
MAX_OUTAGES = 100
"""Number of outages that the record keeps, the latest ones."""
READ_SCRIPT = """
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
return {redis.call('GET', KEYS[1]) or '', server}
"""
"""Returns the stored record, and the run of Redis that has it."""
REPLACE_SCRIPT = """
if (redis.call('GET', KEYS[1]) or '') == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
"""
"""A process that was paused before it writes must not overwrite a later record."""
log = structlog.get_logger("annals.web")


class UptimeRecord(msgspec.Struct, frozen=True):
    """When the service was last known to be up (ms since the epoch), how often that was recorded,
    the outages before, oldest first, and the run of Redis at that time; empty in older records.
    """

    at: int
    beats: int = 0
    outages: tuple[Outage, ...] = ()
    server: str = ""

    def is_silent(self, now: int, server: str) -> bool:
        """Return whether the last beat is too long ago, or was in another run of Redis."""
        return self.server not in ("", server) or now - self.at > MAX_SILENCE_MS

    def outages_until(self, now: int, server: str) -> tuple[Outage, ...]:
        """Return the outages, with one that lasts until now if the service is silent."""
        if self.is_silent(now, server):
            return (*self.outages, Outage(self.at, now))
        return self.outages

    def after_beat(self, now: int, server: str) -> UptimeRecord:
        """Return the record after another beat. If the clock was set back, outages that were
        recorded later than now are dropped.
        """
        past = [
            Outage(one.start, min(one.end, now))
            for one in self.outages_until(now, server)
            if one.start < now
        ]
        return UptimeRecord(now, self.beats + 1, tuple(past[-MAX_OUTAGES:]), server)


DECODER = msgspec.json.Decoder(UptimeRecord)


class Uptime:
    """The record as this process knows it: it is read again once it may lack an outage."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._known: UptimeRecord | None = None
        self._server = ""
        """The run of Redis in which the record was last read."""

    def record(self, now: int) -> UptimeRecord:
        """Return the record, read again if it may lack an outage."""
        known = self._known
        if known is None or known.at > now or known.is_silent(now, self._server):
            stored, self._server = _read(self._redis)
            known = self._known = _decode(stored) or UptimeRecord(now)
        return known

    def forget(self) -> None:
        """Read the record again at the next question: before a decision that must not miss an
        outage, however short or recent.
        """
        self._known = None

    def is_silent(self, now: int) -> bool:
        """Return whether the service cannot be reached now."""
        return self.record(now).is_silent(now, self._server)

    def outages(self, now: int) -> tuple[Outage, ...]:
        """Return all outages, with one that lasts until now if the service cannot be reached."""
        return self.record(now).outages_until(now, self._server)

    def elapsed_ms(self, since: int, now: int) -> int:
        """Return how much time has passed since then in which the service could be reached."""
        return now - since - outage_ms(self.outages(now), since, now)

    def beat(self, now: int) -> None:
        """Record that the service is up, unless a process has done so just before."""
        stored, server = _read(self._redis)
        known = _decode(stored)
        if known is None or known.server != server or not 0 <= now - known.at < BEAT_MS:
            known = (known or UptimeRecord(now)).after_beat(now, server)
            with store_errors():
                self._redis.eval(REPLACE_SCRIPT, 1, UPTIME_KEY, stored, msgspec.json.encode(known))
        self._known, self._server = known, server


def count_beats(redis: Redis) -> int:
    """Return how often the store has recorded that the service is up."""
    known = _decode(_read(redis)[0])
    return known.beats if known else 0


def keep_beating(uptime: Uptime, now: Callable[[], int]) -> None:
    """Record that the service is up until this process ends."""
    while True:
        try:
            uptime.beat(now())
        except Exception as error:  # a store that accepts no writes is an outage
            uptime.forget()
            if not is_redis_error(error):
                log.exception("uptime_not_recorded")
        pause(LOOK_S)


def _read(redis: Redis) -> tuple[bytes, str]:
    """Return the stored record, empty if there is none, and the run of Redis."""
    with store_errors():
        stored, server = cast("list[bytes]", redis.eval(READ_SCRIPT, 1, UPTIME_KEY))
    return stored, server.decode()


def _decode(stored: bytes) -> UptimeRecord | None:
    """Return a stored record; None if there is none, or it is corrupt and has to start again."""
    try:
        return DECODER.decode(stored)
    except msgspec.MsgspecError:
        return None
