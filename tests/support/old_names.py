"""Names as older versions stored them, with the look in capitals only."""

from __future__ import annotations

from redis import Redis

from service.accounts.names.looks import look_of
from service.accounts.names.name_index import name_key
from service.accounts.players import Player, name_list_member

STEVE = "Ste\u03bde"
"""With a Greek nu, whose capital is an N: as it is written, this looks like Steve."""


def put_old(redis: Redis, number: int, name: str) -> Player:
    """Store a player as versions did whose names had one look: that in capitals."""
    player = Player(f"u{number:016}", name)
    redis.hset(f"player:{player.id}", mapping={"name": name, "at": 1_700_000_000_000})
    redis.set(name_key(name), player.id)
    redis.set(f"look:{look_of(name)}", player.id, nx=True)
    redis.zadd("players", {name_list_member(player): 0})
    return player
