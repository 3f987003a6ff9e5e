"""Whether what came is from Discord, and just now: its signature of the time and the raw body."""

from __future__ import annotations

import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FRESH_S = 900
"""How far a time may be off: as long as an interaction lives, and as Discord tries again. Whoever
finds an older request cannot have it answered once more: the answer may be a code.
"""
_TIME = re.compile(r"[0-9]{1,12}", re.ASCII)


def is_signed(key: str, signature: str, timestamp: str, body: bytes, now: int) -> bool:
    """Whether the owner of a public key (64 hex digits) signed this body at this time (seconds
    since the epoch, in digits), and that is about now (ms).
    """
    if not _TIME.fullmatch(timestamp) or abs(now // 1000 - int(timestamp)) > FRESH_S:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), timestamp.encode() + body
        )
    except (InvalidSignature, ValueError):
        return False
    return True
