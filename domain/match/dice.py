"""Verifiable dice: a keyed generator whose seed is committed to by its hash."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

NONCE_BYTES = 32
"""Length of a seed and of a nonce."""
_NO_NONCE = bytes(NONCE_BYTES)
_RANGE = 1 << 64


class KeyedDice:
    """The dice of one draw of a match. docs/dice.md shows how to verify them."""

    __slots__ = ("_counter", "_mac", "_prefix")

    def __init__(self, key: bytes, draw: int, purpose: str = "") -> None:
        self._mac = hmac.new(key, digestmod=hashlib.sha256)
        self._prefix = f"{draw}|{purpose}" if purpose else f"{draw}"
        self._counter = 0

    @property
    def used(self) -> bool:
        """Whether any number was drawn."""
        return self._counter > 0

    def below(self, n: int) -> int:
        """A uniform whole number from 0 to n - 1, by rejection sampling.

        Raises ValueError unless 1 <= n <= 2 ** 64.
        """
        if not 1 <= n <= _RANGE:
            raise ValueError(f"A die with {n} sides.")
        limit = _RANGE - _RANGE % n
        while (number := self._next()) >= limit:
            pass
        return number % n

    def _next(self) -> int:
        mac = self._mac.copy()
        mac.update(f"{self._prefix}|{self._counter}".encode())
        self._counter += 1
        return int.from_bytes(mac.digest()[:8], "big")


def seed_hash(seed: bytes) -> str:
    """The commitment to a seed that is public before the end: its SHA-256 in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def commitment_to(nonce: bytes) -> str:
    """The commitment to a nonce that is public before the start: its SHA-256 in hexadecimal."""
    return hashlib.sha256(nonce).hexdigest()


def split_nonces(concatenated: bytes) -> dict[str, bytes]:
    """Concatenated nonces, by their commitments."""
    places = range(0, len(concatenated), NONCE_BYTES)
    nonces = (concatenated[place : place + NONCE_BYTES] for place in places)
    return {commitment_to(nonce): nonce for nonce in nonces}


def dice_key(seed: bytes, nonces: Iterable[str | None]) -> bytes:
    """The key of all dice of a match: a hash of the seed and of the nonces (in hexadecimal) by
    seat.

    A seat without a nonce counts as 32 zero bytes, so that the service cannot choose a value for
    it.
    """
    parts = (bytes.fromhex(nonce) if nonce else _NO_NONCE for nonce in nonces)
    return hashlib.sha256(b"".join((b"annals/seed/1", seed, *parts))).digest()
