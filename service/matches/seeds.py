"""Seeds: the next seed of each host is fixed, and its hash public, before they open a match."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from functools import partial
from typing import Any, cast

from msgspec import Struct
from redis import Redis

from domain.match.dice import NONCE_BYTES, seed_hash
from service.runtime.errors import REDIS_ERRORS
from service.store.redis_client import store_errors
from service.store.replicas import Replicas

SEEDS_KEY = "seeds:key"
"""The Redis key of the secret from which all seeds follow. Backups exclude it: after a restore,
seed numbers may repeat, and with the same secret they would give seeds that are already revealed.
"""
# One number for each match of a host, in the order of the first requests; repeated requests get the
# same one. It is written each time, so that the same connection can wait for a replica.
_NUMBER_SCRIPT = """
local number = redis.call('HGET', KEYS[1], ARGV[1]) or redis.call('HLEN', KEYS[1]) + 1
redis.call('HSET', KEYS[1], ARGV[1], number)
return {'appended', tonumber(number)}
"""


class MatchSeed(Struct, frozen=True):
    """A seed and its number among those of its host, from 1."""

    index: int
    secret: bytes

    @property
    def hash(self) -> str:
        """The public hash of the seed."""
        return seed_hash(self.secret)


class Seeds:
    """The seeds of all hosts. Each is a hash of a secret, the host and a number, so none can be
    lost.
    """

    def __init__(self, redis: Redis, replicas: Replicas | None = None) -> None:
        """With `replicas`, a number is used once a replica has it, so that a failover cannot repeat
        it.
        """
        self._redis = redis
        self._replicas = replicas

    def prepare(self) -> None:
        """Create the secret early, while Redis accepts writes."""
        with suppress(*REDIS_ERRORS):
            self._read_secret() or self._create_secret()

    def next(self, host: str) -> MatchSeed:
        """Return the seed of the next table that this player opens."""
        with store_errors():
            return self._seed(host, self._redis.hlen(_numbers_key(host)) + 1)

    def take(self, host: str, match: str) -> MatchSeed:
        """Return the seed of this match: the next of its host, or the same one on a repeated
        call.
        """
        key = _numbers_key(host)
        ask = partial(self._replicas.run_script, key) if self._replicas else self._ask
        with store_errors():
            _, number = ask("EVAL", _NUMBER_SCRIPT, 1, key, match)
            return self._seed(host, number)

    def _ask(self, *command: str | int) -> Any:  # noqa: ANN401 - as Redis has it
        return self._redis.execute_command(*command)  # type: ignore[no-untyped-call]

    def _seed(self, host: str, number: int) -> MatchSeed:
        what = f"annals/seed|{host}|{number}".encode()
        return MatchSeed(
            number, hmac.digest(self._read_secret() or self._create_secret(), what, hashlib.sha256)
        )

    def _read_secret(self) -> bytes | None:
        return cast("bytes | None", self._redis.get(SEEDS_KEY))

    def _create_secret(self) -> bytes:
        self._redis.set(SEEDS_KEY, secrets.token_bytes(NONCE_BYTES), nx=True)
        secret = self._read_secret()
        assert secret
        return secret


def _numbers_key(host: str) -> str:
    """Return the key of a player's seed numbers by match."""
    return f"player:{host}:seeds"
