"""Who may say what: new accounts and guests have phrases only, muted players nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from redis import Redis

from service.matches.queries import iso
from service.runtime.errors import BannedPlayer, MutedPlayer, NotFound, PhrasesOnly

HOUR_MS = 3_600_000
MAX_MUTE_DAYS = 3_650
"""How long a mute that ends by itself can last."""
Speech = Literal["text", "phrases", "nothing"]
"""What a player may say."""
_MUTE_FIELDS = ("muted", "muted_until")


class OperatorMute(NamedTuple):
    """Why an operator has muted a player, and until when (ms since the epoch; None: no end)."""

    reason: str
    until: int | None = None

    def holds_at(self, now: int) -> bool:
        """Return whether the mute has not ended at a time (ms since the epoch)."""
        return self.until is None or now < self.until


class Speaker(NamedTuple):
    """A player as a speaker: what they may say, and whether an operator has muted them."""

    speech: Speech
    mute: OperatorMute | None = None


class Speakers:
    """All players as speakers. Read anew each time: a mute has its effect at once."""

    def __init__(self, redis: Redis, min_age_hours: float) -> None:
        self._redis = redis
        self._min_age_ms = int(min_age_hours * HOUR_MS)

    def read(self, player: str, now: int) -> Speaker:
        """Return what a player may say at a time (ms since the epoch). Raises NotFound if they are
        deleted, BannedPlayer if they are banned.
        """
        fields: Any = self._redis.hmget(
            _key(player), ["at", "guest", "deleted", "banned", *_MUTE_FIELDS]
        )
        at, guest, deleted, banned, *of_mute = fields
        if at is None or deleted is not None:
            raise NotFound("There is no such player.")
        if banned is not None:
            raise BannedPlayer(banned.decode())
        if mute := _read_mute(of_mute, now):
            return Speaker("nothing", mute)
        is_new = now < int(at) + self._min_age_ms
        return Speaker("phrases" if guest is not None or is_new else "text")

    def check(self, player: str, now: int, *, text: bool) -> None:
        """Raise MutedPlayer or PhrasesOnly if a player may not say a text, or a phrase; and what
        `read` raises.
        """
        speaker = self.read(player, now)
        if speaker.mute:
            reason, until = speaker.mute
            end = "" if until is None else f" until {iso(until)}"
            raise MutedPlayer(f"An operator has muted you{end}: {reason}")
        if text and speaker.speech != "text":
            raise PhrasesOnly("New accounts and guests talk in phrases.")

    def mute(self, player: str, mute: OperatorMute) -> None:
        """Mute a player, in place of an earlier mute."""
        if mute.until is None:
            self._redis.hdel(_key(player), "muted_until")
        else:
            self._redis.hset(_key(player), "muted_until", mute.until)
        self._redis.hset(_key(player), "muted", mute.reason)

    def lift_mute(self, player: str) -> None:
        """Let a player talk again, and erase why they were muted."""
        self._redis.hdel(_key(player), *_MUTE_FIELDS)

    def find_mute(self, player: str, now: int) -> OperatorMute | None:
        """Return the mute of a player that holds at a time (ms since the epoch)."""
        fields: Any = self._redis.hmget(_key(player), [*_MUTE_FIELDS])
        return _read_mute(fields, now)

    def has_mute(self, player: str) -> bool:
        """Return whether a mute of a player is stored, also if it has ended."""
        return bool(self._redis.hexists(_key(player), "muted"))


def _read_mute(fields: Sequence[bytes | None], now: int) -> OperatorMute | None:
    """Return a stored mute, if it holds at a time."""
    reason, until = fields
    if reason is None:
        return None
    mute = OperatorMute(reason.decode(), None if until is None else int(until))
    return mute if mute.holds_at(now) else None


def _key(player: str) -> str:
    return f"player:{player}"
