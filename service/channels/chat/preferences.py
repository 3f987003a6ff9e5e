"""Discord users of players, and their preferences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace
from redis import Redis

from service.accounts.notices.settings import MatchChoices, read_notice_settings

BoardFormat = Literal["picture", "text"]


class Preferences(Struct, frozen=True):
    """Whether to mention a user when it is their turn, and how to show boards."""

    ping: bool = True
    board: BoardFormat = "picture"


DiscordUsers = Mapping[str, tuple[str, Preferences]]
"""The Discord user id and the preferences of players, by player id."""


def users_about(redis: Redis, match: str, players: Iterable[str], now: int) -> DiscordUsers:
    """Return the Discord users of these players, with what they prefer in a match now (ms)."""
    return {
        player: (
            user,
            replace(preferences, ping=_wants_mention(redis, match, player, preferences, now)),
        )
        for player, (user, preferences) in users_of(redis, players).items()
    }


def _wants_mention(
    redis: Redis, match: str, player: str, preferences: Preferences, now: int
) -> bool:
    choice = MatchChoices(redis, player).of_match(match)
    if not (preferences.ping if choice == "usual" else choice == "all"):
        return False
    quiet = read_notice_settings(redis, player).quiet
    return quiet is None or quiet.end_after(now) is None


def users_of(redis: Redis, players: Iterable[str]) -> DiscordUsers:
    """Return the Discord users of these players; players without one are left out."""
    found = {}
    for player in sorted(players):
        user = redis.get(player_key(player))
        if isinstance(user, bytes):
            found[player] = (user.decode(), preferences_of(redis, user.decode()))
    return found


def preferences_of(redis: Redis, user: str) -> Preferences:
    """Return the preferences of a Discord user."""
    fields = user_fields(redis, user)
    board: BoardFormat = "text" if fields.get("board") == "text" else "picture"
    return Preferences(fields.get("ping") != "0", board)


def user_fields(redis: Redis, user: str) -> Mapping[str, str]:
    """Return all stored fields of a Discord user."""
    found: Any = redis.hgetall(user_key(user))
    return {name.decode(): text.decode() for name, text in found.items()}


def user_key(user: str) -> str:
    """Return the hash of a Discord user."""
    return f"discord:user:{user}"


def player_key(player: str) -> str:
    """Return the key that holds the Discord user of a player."""
    return f"discord:player:{player}"
