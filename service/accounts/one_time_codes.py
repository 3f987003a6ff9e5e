"""Codes that people read aloud or copy by hand: good once, for ten minutes, kept as SHA-256."""

from __future__ import annotations

import hashlib
import secrets

CODE_S = 600
"""How long a code is good."""
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without those that are taken for another
_LENGTH = 10  # letters: 50 bits


def new_code() -> str:
    """A code that nobody has: ten letters and digits with a hyphen in the middle."""
    code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    return f"{code[:5]}-{code[5:]}"


def hashed(code: str) -> str:
    """The hash of a code, however it is typed."""
    typed = code.upper().replace("-", "").replace(" ", "")
    return hashlib.sha256(typed.encode()).hexdigest()
