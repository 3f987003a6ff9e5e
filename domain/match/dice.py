"""Dice that can be checked afterwards: a keyed generator, committed to by its hash."""

from __future__ import annotations

import hashlib
import hmac

_RANGE = 1 << 64


class KeyedDice:
    """The dice of one version of one match; docs/dice.md tells how to check every draw."""

    __slots__ = ("_counter", "_mac", "_prefix")

    def __init__(self, seed: bytes, match: str, version: int, purpose: str = "") -> None:
        self._mac = hmac.new(seed, digestmod=hashlib.sha256)
        self._prefix = f"{match}|{version}|{purpose}" if purpose else f"{match}|{version}"
        self._counter = 0

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, without bias: the remainder is drawn again.

        ValueError unless n is from 1 to 2 to the power of 64.
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
    """What is published of a seed before the end: its SHA-256, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()
