"""Players by name or id, as a viewer may find them.

Each function does the same work whether there is no such player, or they are hidden, so that the
time of a response says nothing either.
"""

from __future__ import annotations

from redis import Redis

from service.accounts.people.meeting import is_hidden_from, may_meet
from service.accounts.players import Player, Players

NO_PLAYER = "u0000000000000000"
"""An id that takes the place of one that does not exist."""


def find_by_id(redis: Redis, players: Players, player: str, viewer: str | None) -> Player | None:
    """Return the player with this id; None if there is none, or if they are hidden from the
    viewer.
    """
    found = players.by_id(player)
    return None if is_hidden_from(redis, viewer, player) else found


def find_by_name(redis: Redis, players: Players, name: str, viewer: str | None) -> Player | None:
    """Return the player with this name; None as for `find_by_id`."""
    found = players.by_name(name) or players.by_id(NO_PLAYER)
    return None if is_hidden_from(redis, viewer, found.id if found else NO_PLAYER) else found


def find_invitee(redis: Redis, players: Players, name: str, host: str) -> Player | None:
    """Return the player with this name, whom a host may invite; None if there is none, or if the
    two may not meet.
    """
    found = players.by_name(name) or players.by_id(NO_PLAYER)
    return found if may_meet(redis, host, found.id if found else NO_PLAYER) else None
