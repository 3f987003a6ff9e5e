"""Who is here: when players who want to show it were last seen, to the minute.

A player is in the sorted set only while they consent, so nothing is known of others. Processes note
the callers of a minute and write them together; to write the same minute again changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Literal, NamedTuple

from redis import Redis

from projections.core.query import query_all_partitions
from projections.lists.matches import MATCHES
from service.runtime.errors import REDIS_ERRORS

PresenceState = Literal["online", "playing", "away"]
MINUTE_MS = 60_000
ONLINE_MINUTES = 5
"""How long after their last request a player counts as here."""
FLUSH_S = 5.0
"""How long a process gathers players before it writes them."""
MAX_NOTED = 10_000
"""Maximum number of players whom a process notes in a minute; it misses others."""
_KEY = "presence"


class Presence(NamedTuple):
    """What a player shows: whether they are here, and when they were last seen, in ms since the
    epoch.
    """

    state: PresenceState
    seen_at: int


class PresenceRecorder:
    """Notes the callers of a process, each at most once a minute."""

    def __init__(
        self, redis: Redis, now: Callable[[], int], clock: Callable[[], float] = monotonic
    ) -> None:
        self._redis = redis
        self._now = now
        self._clock = clock
        self._minute = 0
        self._noted = set[str]()
        self._unwritten = list[str]()
        self._written_at = -FLUSH_S

    def note(self, player: str) -> None:
        """Note that a player is here. It never fails: presence is not worth a request."""
        minute = self._now() // MINUTE_MS
        if minute != self._minute:
            self._flush()
            self._minute, self._noted = minute, set()
        if player not in self._noted and len(self._noted) < MAX_NOTED:
            self._noted.add(player)
            self._unwritten.append(player)
        if self._unwritten and self._clock() - self._written_at >= FLUSH_S:
            self._flush()

    def _flush(self) -> None:
        players, self._unwritten = self._unwritten, []
        if players:
            self._written_at = self._clock()
            seen = dict.fromkeys(players, self._minute)
            with suppress(*REDIS_ERRORS):
                self._redis.zadd(_KEY, seen, xx=True, gt=True)  # only those who consent


def show_presence(redis: Redis, player: str, now: int) -> None:
    """Let followers of a player see whether they are here."""
    redis.zadd(_KEY, {player: now // MINUTE_MS}, gt=True)


def hide_presence(redis: Redis, player: str) -> None:
    """Hide from all whether a player is here, and erase when they were last seen."""
    redis.zrem(_KEY, player)


def shows_presence(redis: Redis, player: str) -> bool:
    """Return whether followers of a player see whether they are here."""
    return redis.zscore(_KEY, player) is not None


def find_presence(
    redis: Redis, partitions: int, players: Sequence[str], now: int
) -> Mapping[str, Presence]:
    """Return what players show, by id; nothing of those who do not consent."""
    if not players:
        return {}
    found: Any = redis.zmscore(_KEY, list(players))
    seen = {one: int(score) for one, score in zip(players, found, strict=True) if score is not None}
    since = now // MINUTE_MS - ONLINE_MINUTES
    playing = _find_playing(redis, partitions, [one for one in seen if seen[one] >= since])
    return {
        one: Presence(
            "playing" if one in playing else "online" if minute >= since else "away",
            minute * MINUTE_MS,
        )
        for one, minute in seen.items()
    }


def _find_playing(redis: Redis, partitions: int, players: Sequence[str]) -> Collection[str]:
    """Return those of these players who have a public match in play; private ones stay private."""
    if not players:
        return ()
    counts = query_all_partitions(
        redis, partitions, MATCHES, *(("ZCARD", f":of:{one}:*:active") for one in players)
    )
    totals = map(sum, zip(*counts, strict=True))
    return {one for one, total in zip(players, totals, strict=True) if total}
