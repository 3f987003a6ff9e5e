"""A bound for long bodies that wait in memory for their readers.

A reader may take a part of a body every few seconds, for minutes. Many of them at one address would
fill the memory of the process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

MAX_BYTES = 32_000_000
"""How much may wait in all."""
MAX_STALE = 100
"""How many outdated entries the heap may have besides as many as there are addresses, twice."""
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
        self._held: dict[str, dict[_Body, None]] = {}
        """By address, in the order in which they began."""
        self._sizes: dict[str, int] = {}
        self._total = 0
        self._largest: list[tuple[int, str]] = []
        """A heap of what addresses held at some time, as a negative number: each part that a reader
        takes asks who holds most, and there may be thousands.
        """

    @contextmanager
    def hold(self, address: str, size: int, end: Callable[[], object]) -> Iterator[None]:
        """Count a body while it waits; `end` is called if its response has to end before."""
        one = _Body(address, size, self._clock(), end)
        self._held.setdefault(address, {})[one] = None
        self._add(address, size)
        self.end_slowest()
        try:
            yield
        finally:
            self._release(one)

    def end_slowest(self) -> None:
        """End the responses of slow readers while too much waits."""
        while self._total > self._max_bytes:
            slowest = next(iter(self._held[self._find_most()]))
            if self._clock() - slowest.since < PATIENCE_S:
                return
            self._release(slowest)
            slowest.end()

    def _find_most(self) -> str:
        """Return the address that holds most."""
        while True:
            size, address = self._largest[0]
            if self._sizes.get(address) == -size:
                return address
            heappop(self._largest)  # it has changed since

    def _release(self, one: _Body) -> None:
        own = self._held.get(one.address, {})
        if one in own:
            del own[one]
            if not own:
                del self._held[one.address]
            self._add(one.address, -one.size)

    def _add(self, address: str, size: int) -> None:
        self._total += size
        self._sizes[address] = now = self._sizes.get(address, 0) + size
        if now:
            heappush(self._largest, (-now, address))
        else:
            del self._sizes[address]
        if len(self._largest) > MAX_STALE + 2 * len(self._sizes):
            self._largest = [(-size, one) for one, size in self._sizes.items()]
            heapify(self._largest)
