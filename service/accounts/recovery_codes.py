"""Recovery codes: each gives its player a new token once; stored as their SHA-256."""

from __future__ import annotations

import hashlib
import secrets

from redis import Redis

CODES = 8
_LETTERS = (
    "0123456789abcdefghjkmnpqrstvwxyz"  # without those that are taken for another (Crockford)
)
_GROUPS, _GROUP = 4, 5  # 100 bits
_TAKEN_FOR = str.maketrans({"o": "0", "i": "1", "l": "1", "-": "", " ": ""})


class RecoveryCodes:
    """The codes of all players that were not used yet."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def give(self, player: str) -> list[str]:
        """New codes instead of all that the player had."""
        codes = [_new_code() for _ in range(CODES)]
        self.forget(player)
        self._redis.sadd(_key(player), *(_hashed(player, code) for code in codes))
        return codes

    def use(self, player: str, code: str) -> bool:
        """Whether this was a code of the player's, which it is no more.

        Redis looks for a hash that nobody can choose, so how long it takes tells nothing of a code.
        """
        return self._redis.srem(_key(player), _hashed(player, code)) == 1

    def left(self, player: str) -> int:
        """How many codes a player has left."""
        return self._redis.scard(_key(player))

    def forget(self, player: str) -> None:
        """Let no code of a player's be good any more."""
        self._redis.delete(_key(player))


def _new_code() -> str:
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def _hashed(player: str, code: str) -> str:
    """The hash of a code however it was written down."""
    plain = code.strip().lower().translate(_TAKEN_FOR)
    return hashlib.sha256(f"{player}|{plain}".encode()).hexdigest()


def _key(player: str) -> str:
    return f"player:{player}:recovery"
