"""Begins requests that arrive together for a moment at a time."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

MAX_BEGINNING_S = 0.001
"""Seconds in which requests begin in one pass of the loop: a crowd that arrives together must not
hold up others while each of its requests begins.
"""

Begin = Callable[[], None]


class Arrivals:
    """The requests that have arrived and not begun yet; addresses take turns."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._until: float | None = None
        """Until when requests begin in this pass; None before the first one."""
        self._waiting: dict[str, deque[Begin]] = {}
        """By address; the next one to begin is first."""

    def add(self, address: Callable[[], str], begin: Begin) -> None:
        """Begin a request now, or in the turn of its address if many arrive; only then the
        function that returns the address is called.
        """
        if self._until is None:
            self._until = self._clock() + MAX_BEGINNING_S
            asyncio.get_running_loop().call_soon(self._begin_some)
        elif self._waiting or self._clock() >= self._until:
            self._waiting.setdefault(address(), deque()).append(begin)
            return
        begin()

    def _begin_some(self) -> None:
        self._until = None
        if not self._waiting:
            return
        loop = asyncio.get_running_loop()
        self._until = self._clock() + MAX_BEGINNING_S
        loop.call_soon(self._begin_some)
        is_first = True
        while self._waiting and (is_first or self._clock() < self._until):
            is_first = False
            try:
                self._take_next()()
            except Exception as error:  # must not keep others
                loop.call_exception_handler({"message": "a request failed", "exception": error})

    def _take_next(self) -> Begin:
        address, own = next(iter(self._waiting.items()))
        del self._waiting[address]
        begin = own.popleft()
        if own:
            self._waiting[address] = own  # behind all others
        return begin
