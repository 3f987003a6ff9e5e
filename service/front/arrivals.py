"""Begins requests that arrive together a few at a time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

MAX_BEGUN_AT_ONCE = 4
"""How many requests begin in one pass of the loop: a crowd that arrives together must not hold up
others while each of its requests begins.
"""

Begin = Callable[[], None]


class Arrivals:
    """The requests that have arrived and not begun yet; addresses take turns."""

    def __init__(self) -> None:
        self._begun = 0
        """Number of requests that have begun in this pass."""
        self._waiting: dict[str, deque[Begin]] = {}
        """By address; the next one to begin is first."""

    def add(self, address: Callable[[], str], begin: Begin) -> None:
        """Begin a request now, or in the turn of its address if many arrive; only then the
        function that returns the address is called.
        """
        if self._waiting or self._begun >= MAX_BEGUN_AT_ONCE:
            self._waiting.setdefault(address(), deque()).append(begin)
            return
        if not self._begun:
            asyncio.get_running_loop().call_soon(self._begin_some)
        self._begun += 1
        begin()

    def _begin_some(self) -> None:
        self._begun, loop = 0, asyncio.get_running_loop()
        while self._waiting and self._begun < MAX_BEGUN_AT_ONCE:
            self._begun += 1
            loop.call_soon(self._take_next())  # an error in one must not keep others
        if self._begun:
            loop.call_soon(self._begin_some)

    def _take_next(self) -> Begin:
        address, own = next(iter(self._waiting.items()))
        del self._waiting[address]
        begin = own.popleft()
        if own:
            self._waiting[address] = own  # behind all others
        return begin
