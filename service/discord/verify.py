"""Whether what came is from Discord: its signature of the raw body."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LONGEST = 32
"""Digits of a time that we take for one."""


def is_signed(key: str, signature: str, timestamp: str, body: bytes) -> bool:
    """Whether the owner of a public key (64 hex digits) signed this body at this time."""
    try:
        signed = timestamp[:LONGEST].encode("ascii") + body
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), signed
        )
    except (InvalidSignature, ValueError):
        return False
    return True
