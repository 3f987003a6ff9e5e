"""Bytes by chance for what is named by them, many of which are drawn at a time.

Asking the system for each takes longer than what most of them are for.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress

SIZE = 8
"""Bytes: nobody guesses them, and no two are ever the same."""
DRAWN = 512
_waiting: deque[bytes] = deque()
os.register_at_fork(after_in_child=_waiting.clear)  # or both would go on with the same


def by_chance() -> bytes:
    """Some bytes that nobody has had before; in any thread."""
    while True:
        with suppress(IndexError):  # of a deque, as two threads may want the last one
            return _waiting.popleft()
        drawn = os.urandom(SIZE * DRAWN)
        _waiting.extend(drawn[at : at + SIZE] for at in range(0, len(drawn), SIZE))
