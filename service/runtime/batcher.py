"""Lets entries gather under load, so that they are read in batches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

BUSY_ENTRIES_PER_S = 100  # entries per second
_MEMORY_S = 1.0


class Batcher:
    """Measures the recent rate of entries and how long a batch takes."""

    def __init__(
        self,
        pause_s: float,
        clock: Callable[[], float] = time.monotonic,
        busy: float = BUSY_ENTRIES_PER_S,
    ) -> None:
        """Above `busy` entries per second, entries gather for up to `pause_s` seconds, including
        the time it takes to process them. 0 means that no caller waits for the entries.
        """
        self._pause_s = pause_s
        self._busy = busy
        self._clock = clock
        self._at = clock()
        self._recent = 0.0
        self._took_s = 0.0

    def pause(self, entries: int, took_s: float = 0.0) -> float:
        """Return how many seconds to let entries gather, after a batch of `entries` took `took_s`;
        0 unless many arrive.

        An entry that arrives just after a batch was read waits for that batch, for the pause and
        for its own batch. The pause is at least half of `pause_s`.
        """
        now = self._clock()
        passed = math.exp((self._at - now) / _MEMORY_S)
        self._recent = entries + self._recent * passed
        self._took_s = took_s + (self._took_s - took_s) * passed
        self._at = now
        if self._recent <= self._busy * _MEMORY_S:
            return 0.0
        return max(self._pause_s / 2, self._pause_s - 2 * self._took_s)
