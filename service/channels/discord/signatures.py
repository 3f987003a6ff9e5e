"""Verifies that a request comes from Discord and is recent: the signature of time and raw body."""

from __future__ import annotations

import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MAX_AGE_S = 900
"""Maximum age of a request: an interaction lives and is retried this long.

An older, captured request gets no answer, since an answer may contain a code.
"""
_TIME = re.compile(r"[0-9]{1,12}", re.ASCII)


def is_signed(key: str, signature: str, timestamp: str, body: bytes, now: int) -> bool:
    """Return whether the owner of a public key (64 hex digits) signed this body, about now.

    `timestamp` is in seconds since the epoch, `now` in ms.
    """
    if not _TIME.fullmatch(timestamp) or abs(now // 1000 - int(timestamp)) > MAX_AGE_S:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), timestamp.encode() + body
        )
    except (InvalidSignature, ValueError):
        return False
    return True
