"""Who may say what: new accounts and guests have phrases only, muted players nothing."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from redis import Redis

from service.runtime.errors import BannedPlayer, MutedPlayer, NotFound, PhrasesOnly

HOUR_MS = 3_600_000
Speech = Literal["text", "phrases", "nothing"]
"""What a player may say."""


class Speaker(NamedTuple):
    """A player as a speaker: what they may say, and why an operator has muted them."""

    speech: Speech
    muted: str | None = None


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
            _key(player), ["at", "guest", "muted", "deleted", "banned"]
        )  # fmt: skip
        at, guest, muted, deleted, banned = fields
        if at is None or deleted is not None:
            raise NotFound("There is no such player.")
        if banned is not None:
            raise BannedPlayer(banned.decode())
        if muted is not None:
            return Speaker("nothing", muted.decode())
        is_new = now < int(at) + self._min_age_ms
        return Speaker("phrases" if guest is not None or is_new else "text")

    def check(self, player: str, now: int, *, text: bool) -> None:
        """Raise MutedPlayer or PhrasesOnly if a player may not say a text, or a phrase; and what
        `read` raises.
        """
        speaker = self.read(player, now)
        if speaker.muted is not None:
            raise MutedPlayer(f"An operator has muted you: {speaker.muted}")
        if text and speaker.speech != "text":
            raise PhrasesOnly("New accounts and guests talk in phrases.")

    def mute(self, player: str, reason: str | None) -> None:
        """Mute a player for this reason; None lets them talk again."""
        if reason is None:
            self._redis.hdel(_key(player), "muted")
        else:
            self._redis.hset(_key(player), "muted", reason)

    def mute_reason(self, player: str) -> str | None:
        """Return why a player is muted; None if they are not."""
        found: Any = self._redis.hget(_key(player), "muted")
        return found.decode() if found is not None else None


def _key(player: str) -> str:
    return f"player:{player}"
