"""Ends the requests of callers who have left."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

MAX_ENDED_AT_ONCE = 4
"""How many requests end in one pass of the loop: a crowd that leaves together must not hold up
others while each of its requests ends.
"""

Call = Callable[[], None]
Calls = list[Call]


class Departures:
    """The callers who have left, and whose requests have not ended yet."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Calls, Call]] = deque()

    def add(self, calls: Calls) -> None:
        """Add what ends the requests of a caller who has left. What is removed from the list before
        its turn, such as a command that has begun, does not end.
        """
        is_first = not self._waiting
        self._waiting.extend((calls, call) for call in calls)
        if is_first and self._waiting:
            asyncio.get_running_loop().call_soon(self._end_some)

    def _end_some(self) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(min(MAX_ENDED_AT_ONCE, len(self._waiting))):
            loop.call_soon(_end, *self._waiting.popleft())  # an error in one must not keep others
        if self._waiting:
            loop.call_soon(self._end_some)


def _end(calls: Calls, call: Call) -> None:
    if call in calls:
        call()
