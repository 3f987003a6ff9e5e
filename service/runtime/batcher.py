"""Lets entries gather while many come, so that they are read together."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

BUSY = 100  # entries a second
_MEMORY_S = 1.0


class Pace:
    """How many entries came lately, and how long it took to do with them what is done."""

    def __init__(
        self, pause_s: float, clock: Callable[[], float] = time.monotonic, busy: float = BUSY
    ) -> None:
        """`pause_s` is how long they may gather, and be done, while more than `busy` come a second:
        0 if nobody waits for them.
        """
        self._pause_s = pause_s
        self._busy = busy
        self._clock = clock
        self._at = clock()
        self._lately = 0.0
        self._took_s = 0.0

    def pause(self, entries: int, took_s: float = 0.0) -> float:
        """How long to let entries gather after some were done, which took so long: not at all
        unless many come.

        One that comes just after others were read waits for these, for the pause, and for those
        with which it is done itself; the pause is half as long at least.
        """
        now = self._clock()
        passed = math.exp((self._at - now) / _MEMORY_S)
        self._lately = entries + self._lately * passed
        self._took_s = took_s + (self._took_s - took_s) * passed
        self._at = now
        if self._lately <= self._busy * _MEMORY_S:
            return 0.0
        return max(self._pause_s / 2, self._pause_s - 2 * self._took_s)
