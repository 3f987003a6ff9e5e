"""One-time codes, to read aloud or copy by hand: valid for ten minutes, stored as SHA-256."""

from __future__ import annotations

import hashlib
import secrets

CODE_LIFETIME_S = 600
"""How long a code is valid, in seconds."""
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without letters that look alike
_LENGTH = 10  # letters: 50 bits


def new_code() -> str:
    """Return a new random code: ten letters and digits with a hyphen in the middle."""
    code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    return f"{code[:5]}-{code[5:]}"


def hash_code(code: str) -> str:
    """Return the hash of a code, ignoring case, hyphens and spaces."""
    typed = code.upper().replace("-", "").replace(" ", "")
    return hashlib.sha256(typed.encode()).hexdigest()
