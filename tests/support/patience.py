"""How tests wait: for what has to happen, as long as it takes on the slowest machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from redis.exceptions import RedisError

PATIENCE_S = 300
"""Only what never happens takes so long."""


def eventually(holds: Callable[[], object]) -> None:
    """Return once this holds; whatever cannot be reached meanwhile does not."""
    until = time.monotonic() + PATIENCE_S
    while not _tried(holds):
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.02)


def _tried(holds: Callable[[], object]) -> bool:
    with suppress(RedisError, OSError):
        return bool(holds())
    return False
