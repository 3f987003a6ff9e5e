"""What a store keeps of players, held together: their names, the list of names, their tokens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from msgspec import MsgspecError
from redis import Redis

from service.accounts.players import DELETED, Player, folded_name, listed_as, name_key
from service.accounts.tokens import read_token
from service.store.redis_client import answering

PAGE = 500
PAUSE_S = 1.0


def wrong_accounts(redis: Redis) -> Iterator[str]:
    """What is wrong with accounts. A service may be in the middle of it, so they are looked at
    twice.
    """
    if found := set(_faults(redis)):
        time.sleep(PAUSE_S)
        yield from sorted(found & set(_faults(redis)))


def _faults(redis: Redis) -> Iterator[str]:
    with answering():
        for key in redis.scan_iter("player:*", count=PAGE):
            _, who, *more = key.decode(errors="replace").split(":")
            if not more:
                yield from _wrong_player(redis, who)
            elif more == ["tokens"]:
                yield from _wrong_tokens(redis, who)
        for key in redis.scan_iter("name:*", count=PAGE):
            yield from _wrong_name(redis, key)
        for place, _ in redis.zscan_iter("players"):
            who = place.decode(errors="replace").rpartition("\0")[2]
            if not redis.exists(f"player:{who}"):
                yield f"player {who}: in the list, but there is no account."


def _wrong_player(redis: Redis, who: str) -> Iterator[str]:
    fields: Any = redis.hgetall(f"player:{who}")
    name, at = (fields.get(field, b"").decode(errors="replace") for field in (b"name", b"at"))
    if not (name and at.isdecimal()):
        yield f"player {who}: the account is not whole."
        return
    is_listed = redis.zscore("players", listed_as(Player(who, name))) is not None
    owner = redis.get(name_key(name))
    if name == DELETED:
        if redis.exists(f"player:{who}:tokens"):
            yield f"player {who}: deleted, and has tokens."
    elif is_listed != (owner == who.encode()):  # neither, if they never came to an end of joining
        yield f"player {who}: the name {name} is {'not ' * is_listed}theirs, and the list differs."


def _wrong_name(redis: Redis, key: bytes) -> Iterator[str]:
    owner: Any = redis.get(key)
    name: Any = redis.hget(f"player:{owner.decode(errors='replace')}", "name") if owner else b""
    called = folded_name(name.decode(errors="replace")) if name else None
    if owner and f"name:{called}".encode() != key:
        yield f"{key.decode(errors='replace')}: whoever has it is called otherwise."


def _wrong_tokens(redis: Redis, who: str) -> Iterator[str]:
    tokens: Any = redis.hgetall(f"player:{who}:tokens")
    for token, key in tokens.items():
        try:
            found = read_token(redis.get(key))
        except MsgspecError:
            yield f"player {who}: the token {token.decode(errors='replace')} is damaged."
            continue
        if found and (found.player, found.id.encode()) != (who, token):
            yield f"player {who}: the token {token.decode(errors='replace')} is somebody else's."
