"""Dice that can be checked afterwards: a keyed generator, committed to by its hash."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

NONCE_BYTES = 32
"""The length of a seed, of a nonce and of what takes the place of one that is not there."""
_NONE = bytes(NONCE_BYTES)
_RANGE = 1 << 64


class KeyedDice:
    """The dice of one draw of a match; docs/dice.md tells how to check every one."""

    __slots__ = ("_counter", "_mac", "_prefix")

    def __init__(self, key: bytes, draw: int, purpose: str = "") -> None:
        self._mac = hmac.new(key, digestmod=hashlib.sha256)
        self._prefix = f"{draw}|{purpose}" if purpose else f"{draw}"
        self._counter = 0

    @property
    def fell(self) -> bool:
        """Whether they were used at all."""
        return self._counter > 0

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


def commitment_to(nonce: bytes) -> str:
    """What is published of a nonce before the start: its SHA-256, in hexadecimal."""
    return hashlib.sha256(nonce).hexdigest()


def nonces_in(handed_in: bytes) -> dict[str, bytes]:
    """Nonces that were written one after another, by what is published of them."""
    places = range(0, len(handed_in), NONCE_BYTES)
    nonces = (handed_in[place : place + NONCE_BYTES] for place in places)
    return {commitment_to(nonce): nonce for nonce in nonces}


def dice_key(seed: bytes, nonces: Iterable[str | None]) -> bytes:
    """What all dice of a match follow from: the seed and the nonces (in hexadecimal) by seat.

    A seat without one counts as 32 zero bytes: what the service put there, it could choose last.
    """
    parts = (bytes.fromhex(nonce) if nonce else _NONE for nonce in nonces)
    return hashlib.sha256(b"".join((b"annals/seed/1", seed, *parts))).digest()
