"""Seeds: the next one of each host is fixed, and its hash known, before they ask for a match."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from functools import partial
from typing import Any, cast

from msgspec import Struct
from redis import Redis
from redis.exceptions import RedisError

from domain.match.dice import NONCE_BYTES, seed_hash
from service.store.redis_client import answering
from service.store.replicas import Replicas

KEY = "seeds:key"
"""The key with what all seeds follow from. No backup holds it: after a restore the numbers of seeds
may come again, and would bring seeds that were revealed.
"""
# One number for each match of a host, whoever asks how often: 1, 2, 3 in the order of asking. It is
# written each time, so that a replica can be asked for it on the connection on which it was told.
_NUMBER = """
local number = redis.call('HGET', KEYS[1], ARGV[1]) or redis.call('HLEN', KEYS[1]) + 1
redis.call('HSET', KEYS[1], ARGV[1], number)
return {'appended', tonumber(number)}
"""


class Seed(Struct, frozen=True):
    """A seed, and which one of its host it is, from 1."""

    index: int
    secret: bytes

    @property
    def hash(self) -> str:
        """What is published of it."""
        return seed_hash(self.secret)


class Seeds:
    """The seeds of all hosts: each is a hash of a key, the host and a number, so none is lost."""

    def __init__(self, redis: Redis, replicas: Replicas | None = None) -> None:
        """With replicas, a number is used once one has it, too: else it might be given again."""
        self._redis = redis
        self._replicas = replicas

    def get_ready(self) -> None:
        """Make the key while it can be kept: a full Redis can only be read."""
        with suppress(RedisError):
            self._kept() or self._made()

    def next(self, host: str) -> Seed:
        """The seed of the next table that this player opens."""
        with answering():
            return self._seed(host, self._redis.hlen(_taken(host)) + 1)

    def take(self, host: str, match: str) -> Seed:
        """The seed of this match: the next one of its host, or the same again."""
        key = _taken(host)
        ask = partial(self._replicas.written, key) if self._replicas else self._ask
        with answering():
            _, number = ask("EVAL", _NUMBER, 1, key, match)
            return self._seed(host, number)

    def _ask(self, *command: str | int) -> Any:  # noqa: ANN401 - as Redis has it
        return self._redis.execute_command(*command)  # type: ignore[no-untyped-call]

    def _seed(self, host: str, number: int) -> Seed:
        what = f"annals/seed|{host}|{number}".encode()
        return Seed(number, hmac.digest(self._kept() or self._made(), what, hashlib.sha256))

    def _kept(self) -> bytes | None:
        return cast("bytes | None", self._redis.get(KEY))

    def _made(self) -> bytes:
        self._redis.set(KEY, secrets.token_bytes(NONCE_BYTES), nx=True)
        kept = self._kept()
        assert kept
        return kept


def _taken(host: str) -> str:
    """The key with the number of the seed of each match that a player opened."""
    return f"player:{host}:seeds"
