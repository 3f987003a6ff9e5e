"""Recovery codes: each yields one new token for its player; stored as SHA-256."""

from __future__ import annotations

import hashlib
import secrets

from redis import Redis

CODES_PER_PLAYER = 8
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # without letters that look alike (Crockford)
_GROUPS, _GROUP = 4, 5  # 100 bits
_LOOK_ALIKES = str.maketrans({"o": "0", "i": "1", "l": "1", "-": "", " ": ""})


class RecoveryCodes:
    """The unused recovery codes of all players."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def issue(self, player: str) -> list[str]:
        """Replace the codes of a player; return the new ones."""
        codes = [_new_code() for _ in range(CODES_PER_PLAYER)]
        self.delete_all(player)
        self._redis.sadd(_key(player), *(_hash(player, code) for code in codes))
        return codes

    def use(self, player: str, code: str) -> bool:
        """Use up a code; return whether the player had it.

        Redis looks up a salted hash, which no caller can choose, so the timing reveals nothing
        about codes.
        """
        return self._redis.srem(_key(player), _hash(player, code)) == 1

    def count(self, player: str) -> int:
        """Return how many unused codes a player has."""
        return self._redis.scard(_key(player))

    def delete_all(self, player: str) -> None:
        """Delete all codes of a player."""
        self._redis.delete(_key(player))


def _new_code() -> str:
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def _hash(player: str, code: str) -> str:
    """Return the hash of a code, ignoring case, hyphens, spaces and look-alike letters."""
    plain = code.strip().lower().translate(_LOOK_ALIKES)
    return hashlib.sha256(f"{player}|{plain}".encode()).hexdigest()


def _key(player: str) -> str:
    return f"player:{player}:recovery"
