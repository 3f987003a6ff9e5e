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


class CallerLeft(Exception):
    """The caller disconnected before the response."""


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


class EndOnDisconnect:
    """Cancels the current task if the caller disconnects during a block, which raises CallerLeft
    then. It is itself what the server calls: a closure and a generator would take thrice as long.
    """

    __slots__ = ("_calls", "_has_left", "_task")

    def __init__(self, calls: Calls) -> None:
        """`calls` is the list that the server calls."""
        self._calls = calls
        self._task = asyncio.current_task()
        self._has_left = False

    def __call__(self) -> None:
        """End the request: its caller has left."""
        assert self._task
        self._has_left = True
        self._task.cancel()

    def revoke(self) -> None:
        """Let the request go on: a command that has begun may be recorded already."""
        if self in self._calls:
            self._calls.remove(self)

    def __enter__(self) -> EndOnDisconnect:
        self._calls.append(self)
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self.revoke()
        if self._has_left and isinstance(error, asyncio.CancelledError):
            assert self._task
            self._task.uncancel()
            raise CallerLeft from None
