"""How tests wait: for a condition, as long as the slowest machine needs."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from redis.exceptions import RedisError

PATIENCE_S = 300
"""Timeout in seconds, reached only by what never happens."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.02, 0.1
"""The longer a test waits, the less often it checks."""


def eventually(holds: Callable[[], object]) -> None:
    """Return once this holds; a connection error counts as not yet."""
    until, pause = time.monotonic() + PATIENCE_S, FIRST_PAUSE_S
    while not _try(holds):
        assert time.monotonic() < until, "it never happened"
        time.sleep(pause)
        pause = min(pause * 1.2, LONGEST_PAUSE_S)


def _try(holds: Callable[[], object]) -> bool:
    with suppress(RedisError, OSError):
        return bool(holds())
    return False
