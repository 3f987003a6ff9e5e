"""Waiting, for code that does not know who else is served meanwhile.

A web process serves all requests on one event loop. Each runs as ordinary code in a *turn*, a
greenlet that gives way to the others while it waits. Elsewhere, as in a worker or under a WSGI
server with a thread for each request, the same code waits in its thread.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Protocol, TypeVar, cast

from greenlet import getcurrent, greenlet  # type: ignore[import-untyped]  # it has no annotations

T = TypeVar("T")
THREADS = 256
"""Most that run aside at once: many of them just wait for another process."""
SWITCH_S = 0.0005
"""After this time a busy loop lets a thread go on that wants to (seconds). Whoever asks Redis some
times needs as many turns, and would wait for five milliseconds before each.
"""
PORTION = 200
"""So many small things are done before others get their turn."""
_running: set[asyncio.Task[object]] = set()


class Turn(greenlet):  # type: ignore[misc]  # likewise
    """Code that runs on the event loop."""


def on_loop() -> bool:
    """Whether the caller runs on an event loop, so that whatever blocks would stop all others."""
    return isinstance(getcurrent(), Turn)


async def run(
    function: Callable[..., T], *args: object, held: Callable[[float], object] | None = None
) -> T:
    """What the function returns, run in a turn; `held` is told the seconds between two waits."""
    turn = Turn(function)
    return cast(T, await _to_its_end(turn, turn.switch, *args, held=held))


async def _to_its_end(
    turn: Turn,
    step: Callable[..., object],
    *args: object,
    held: Callable[[float], object] | None = None,
) -> object:
    """What a turn returns, if this is its next step."""
    while True:
        began = time.perf_counter()
        asked: Any = step(*args)
        if held is not None:
            held(time.perf_counter() - began)
        if turn.dead:
            return asked
        try:
            step, args = turn.switch, (await asked,)
        except BaseException as error:
            step, args = turn.throw, (error,)


def wait(awaited: Awaitable[T]) -> T:
    """What is awaited; only in a turn."""
    driver = getcurrent().parent
    assert driver
    result: T = driver.switch(awaited)
    return result


def pause(seconds: float) -> None:
    """Let this time pass."""
    if on_loop():
        wait(asyncio.sleep(seconds))
    else:
        time.sleep(seconds)


def aside(function: Callable[..., T], *args: object) -> T:
    """What the function returns; it runs in a thread if it would hold up a loop."""
    if not on_loop():
        return function(*args)
    return wait(asyncio.get_running_loop().run_in_executor(_executor(), function, *args))


@cache
def _executor() -> ThreadPoolExecutor:
    sys.setswitchinterval(SWITCH_S)
    return ThreadPoolExecutor(THREADS)  # it starts one when all others are busy


def begin(function: Callable[..., None], *args: object) -> None:
    """Let this go on by itself: on the loop, or in a thread that ends with the process."""
    if on_loop():
        begin_turn(function, *args)
    else:
        threading.Thread(target=function, args=args, daemon=True).start()


def begin_turn(function: Callable[..., None], *args: object) -> None:
    """Let this go on by itself on the loop; for what the loop itself calls, too."""
    _keep(run(function, *args))


def each(function: Callable[[T], None], things: Iterable[T]) -> None:
    """Call this with one after the other; what it waits for with one does not hold up the rest.

    A turn for each would do the same, but costs more than most of what is done in one.
    """
    left = deque(things)
    if not on_loop():
        _some(function, left, len(left))
    while left:
        turn = Turn(_some)
        asked = turn.switch(function, left, PORTION)
        if not turn.dead:
            turn.parent = _root()
            _keep(_to_its_end(turn, lambda awaited: awaited, asked))
        elif left:
            pause(0)


def _some(function: Callable[[T], None], left: deque[T], most: int) -> None:
    """Call this with the first ones, at most so many."""
    for _ in range(most):
        if left:
            function(left.popleft())


def _root() -> greenlet:
    """What the loop itself runs in."""
    found = getcurrent()
    while found.parent:
        found = found.parent
    return found


def _keep(going: Coroutine[Any, Any, object]) -> None:
    task = asyncio.get_running_loop().create_task(going)
    _running.add(task)  # the loop itself would let it be collected
    task.add_done_callback(_running.discard)


class Lock:
    """Held by one thread, and on a loop by one turn, which may wait meanwhile."""

    __slots__ = ("_threads", "_turns")

    def __init__(self) -> None:
        self._threads = threading.Lock()
        self._turns = asyncio.Lock()

    def __enter__(self) -> None:
        if on_loop():
            wait(self._turns.acquire())
        self._threads.acquire()

    def __exit__(self, *_: object) -> None:
        self._threads.release()
        if on_loop():
            self._turns.release()


class Rings(Protocol):
    """What is told that something has happened."""

    def ring(self) -> None:
        """Something has."""
        ...


class Bell:
    """Rings for whoever made it, and stays rung until it is cleared."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = asyncio.Event() if on_loop() else threading.Event()

    def ring(self) -> None:
        """Wake whoever waits."""
        self._event.set()

    def clear(self) -> None:
        """From now on, wait for the next ring."""
        self._event.clear()

    def wait(self, seconds: float) -> bool:
        """Wait for a ring; whether it came in time."""
        if isinstance(self._event, threading.Event):
            return self._event.wait(seconds)
        return self._event.is_set() or wait(_in_time(self._event, seconds))


async def _in_time(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
