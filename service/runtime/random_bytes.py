"""Random ids, drawn from the system in blocks: a system call for each would dominate their use."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress

ID_BYTES = 8
"""Size of an id in bytes: unguessable and unique."""
IDS_PER_DRAW = 512
_pool: deque[bytes] = deque()
os.register_at_fork(after_in_child=_pool.clear)  # or parent and child would use the same bytes


def random_id() -> bytes:
    """Return random bytes that were never returned before. Safe in any thread."""
    while True:
        with suppress(IndexError):  # another thread may have taken the last one
            return _pool.popleft()
        drawn = os.urandom(ID_BYTES * IDS_PER_DRAW)
        _pool.extend(drawn[at : at + ID_BYTES] for at in range(0, len(drawn), ID_BYTES))
