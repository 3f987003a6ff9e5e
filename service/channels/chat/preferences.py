"""Who in Discord players are, and how they want to be answered there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct
from redis import Redis

Form = Literal["picture", "text"]


class Wishes(Struct, frozen=True):
    """How somebody wants to be answered: called when it is their turn, and shown pictures."""

    ping: bool = True
    form: Form = "picture"


Called = Mapping[str, tuple[str, Wishes]]
"""Who in Discord players are, by id, and how they want to be answered."""


def users_of(redis: Redis, players: Iterable[str]) -> Called:
    """Who in Discord these players are, of those who are somebody there."""
    found = {}
    for player in sorted(players):
        user = redis.get(player_key(player))
        if isinstance(user, bytes):
            found[player] = (user.decode(), wishes_of(redis, user.decode()))
    return found


def wishes_of(redis: Redis, user: str) -> Wishes:
    """How somebody in Discord wants to be answered."""
    fields = fields_of(redis, user)
    form: Form = "text" if fields.get("form") == "text" else "picture"
    return Wishes(fields.get("ping") != "0", form)


def fields_of(redis: Redis, user: str) -> Mapping[str, str]:
    """All that is known of somebody in Discord."""
    found: Any = redis.hgetall(user_key(user))
    return {name.decode(): text.decode() for name, text in found.items()}


def user_key(user: str) -> str:
    """The hash of somebody in Discord."""
    return f"discord:user:{user}"


def player_key(player: str) -> str:
    """Who in Discord a player is."""
    return f"discord:player:{player}"
