"""What a player has chosen about notices besides what each channel keeps itself: for all channels,
and for single matches. Nobody else can read it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, cast, get_args

import msgspec
from redis import Redis

from service.accounts.notices.quiet_hours import QuietHours

MatchChoice = Literal["usual", "all", "none"]
"""What a player gets about one match: as about others, all that there is, or nothing."""
MATCH_CHOICES: tuple[MatchChoice, ...] = get_args(MatchChoice)
MAX_CHOICES = 200
"""How many choices for matches are kept before those for matches that are over are deleted."""


class NoticeSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """What holds for all channels of a player."""

    twice: bool = False
    """Whether each channel sends what another one has sent already."""
    quiet: QuietHours | None = None


_SETTINGS = msgspec.json.Decoder(NoticeSettings)


def read_notice_settings(redis: Redis, player: str) -> NoticeSettings:
    """Return what a player has chosen for all channels."""
    found: Any = redis.get(_key(player))
    return _SETTINGS.decode(found) if found else NoticeSettings()


def write_notice_settings(redis: Redis, player: str, settings: NoticeSettings) -> None:
    """Record what a player has chosen for all channels."""
    redis.set(_key(player), msgspec.json.encode(settings))


class MatchChoices:
    """What players have chosen for single matches, in Redis."""

    def __init__(self, redis: Redis, player: str) -> None:
        self._redis, self._key = redis, _matches_key(player)

    def of_match(self, match: str) -> MatchChoice:
        """Return what the player has chosen for a match."""
        found: Any = self._redis.hget(self._key, match)
        return cast(MatchChoice, found.decode()) if found else "usual"

    def read(self) -> Mapping[str, MatchChoice]:
        """Return all choices but the usual one, by match."""
        found: Any = self._redis.hgetall(self._key)
        return {match.decode(): choice.decode() for match, choice in found.items()}

    def choose(self, match: str, choice: MatchChoice) -> None:
        """Record what the player chooses for a match."""
        if choice == "usual":
            self._redis.hdel(self._key, match)
        else:
            self._redis.hset(self._key, match, choice)

    def is_full(self) -> bool:
        """Return whether choices for matches that are over should be deleted."""
        return self._redis.hlen(self._key) > MAX_CHOICES

    def keep(self, matches: Collection[str]) -> None:
        """Delete the choices for all matches but these."""
        if over := sorted(self.read().keys() - set(matches)):
            self._redis.hdel(self._key, *over)


def count_settings(redis: Redis, player: str) -> int:
    """Return how many choices of a player are stored."""
    return redis.exists(_key(player)) + redis.hlen(_matches_key(player))


def erase_settings(redis: Redis, player: str) -> None:
    """Erase all that a player has chosen."""
    redis.delete(_key(player))
    redis.delete(_matches_key(player))


def _key(player: str) -> str:
    return f"player:{player}:notices"


def _matches_key(player: str) -> str:
    return f"{_key(player)}:matches"
