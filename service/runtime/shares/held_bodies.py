"""A bound for long bodies that wait in memory for their readers.

A reader may take a part of a body every few seconds, for minutes. Many of them at one address would
fill the memory of the process.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MAX_BYTES = 32_000_000
"""How much may wait in all."""
PATIENCE_S = 5.0
"""A reader who has had less time is not slow."""


@dataclass(frozen=True, eq=False, slots=True)
class _Body:
    """A body that waits: of which address, its size, since when, and how to end its response."""

    address: str
    size: int
    since: float
    end: Callable[[], object]


class HeldBodies:
    """The long bodies that wait. If they are too many, it ends the response that has waited longest
    of the address that holds most.
    """

    def __init__(
        self, max_bytes: int = MAX_BYTES, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._max_bytes, self._clock = max_bytes, clock
        self._held: dict[_Body, None] = {}
        """In the order in which they began."""
        self._sizes: Counter[str] = Counter()

    @contextmanager
    def hold(self, address: str, size: int, end: Callable[[], object]) -> Iterator[None]:
        """Count a body while it waits; `end` is called if its response has to end before."""
        one = _Body(address, size, self._clock(), end)
        self._held[one] = None
        self._sizes[address] += size
        self.end_slowest()
        try:
            yield
        finally:
            self._release(one)

    def end_slowest(self) -> None:
        """End the responses of slow readers while too much waits."""
        while self._sizes.total() > self._max_bytes:
            [(most, _)] = self._sizes.most_common(1)
            slowest = next(one for one in self._held if one.address == most)
            if self._clock() - slowest.since < PATIENCE_S:
                return
            self._release(slowest)
            slowest.end()

    def _release(self, one: _Body) -> None:
        if one in self._held:
            del self._held[one]
            self._sizes[one.address] -= one.size
            if not self._sizes[one.address]:
                del self._sizes[one.address]
