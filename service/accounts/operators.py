"""Operators: the players who operate the service, and the link that makes a player one."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from redis import Redis

from service.runtime.errors import BadCode

LINK_LIFETIME_S = 86_400
"""How long a link is valid, in seconds."""
LINK_PATH = "/setup"
OPERATORS_KEY, CODE_KEY = "operators", "operators:code"
REDEEM_SCRIPT = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local left_ms = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1])
return left_ms
"""
"""Of two requests with the same code only one finds it."""


class Operators:
    """The ids of all operators, and the SHA-256 of the code in the latest link, in Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def ids(self) -> list[str]:
        """Return the ids of all operators."""
        found: Any = self._redis.smembers(OPERATORS_KEY)
        return sorted(one.decode() for one in found)

    def has(self, player: str) -> bool:
        """Return whether a player is an operator."""
        return bool(self._redis.sismember(OPERATORS_KEY, player))

    def add(self, player: str) -> None:
        """Make a player an operator."""
        self._redis.sadd(OPERATORS_KEY, player)

    def remove(self, player: str) -> bool:
        """Make a player no operator; return whether they were one."""
        return bool(self._redis.srem(OPERATORS_KEY, player))

    def issue_link(self, base_url: str) -> str:
        """Return a link that makes its visitor an operator, once; earlier links end."""
        code = secrets.token_urlsafe(24)
        self._redis.set(CODE_KEY, _hash(code), ex=LINK_LIFETIME_S)
        return f"{base_url}{LINK_PATH}?code={code}"

    def restore(self, code: str, left_ms: int) -> None:
        """Make a redeemed code valid again, unless there is a later link."""
        self._redis.set(CODE_KEY, _hash(code), px=left_ms, nx=True)

    def has_link(self) -> bool:
        """Return whether a link is valid."""
        return bool(self._redis.exists(CODE_KEY))

    def is_valid(self, code: str) -> bool:
        """Return whether this is the code of the latest link, and unused."""
        return self._redis.get(CODE_KEY) == _hash(code).encode()

    def redeem(self, code: str) -> int:
        """Use up a code; return for how many ms it was still valid. Raises BadCode."""
        left_ms: Any = self._redis.eval(REDEEM_SCRIPT, 1, CODE_KEY, _hash(code))
        if not left_ms:
            raise BadCode("This link has expired or was used.")
        return int(left_ms)


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
