"""Lets entries gather while many come, so that they are read together."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

BUSY = 100  # entries a second
_MEMORY_S = 1.0


class Pace:
    """How many entries came lately."""

    def __init__(self, pause_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`pause_s` is how long they may gather."""
        self._pause_s = pause_s
        self._clock = clock
        self._at = clock()
        self._lately = 0.0

    def pause(self, entries: int) -> float:
        """How long to let entries gather after some have come: not at all unless many come."""
        now = self._clock()
        self._lately = entries + self._lately * math.exp((self._at - now) / _MEMORY_S)
        self._at = now
        return self._pause_s if self._lately > BUSY * _MEMORY_S else 0.0
