"""Blocking-style code on an event loop.

A web process serves all requests on one event loop. Each request runs as ordinary code in a *turn*:
a greenlet that yields to the others while it waits. Elsewhere, as in a worker or under a WSGI
server with a thread per request, the same code blocks its thread.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context
from functools import cache, partial
from typing import Any, Protocol, TypeVar, cast

from greenlet import GreenletExit, getcurrent, greenlet  # type: ignore[import-untyped]  # it has no annotations

T = TypeVar("T")
MAX_THREADS = 256
"""Maximum number of threads; many of them only wait for another process."""
THREAD_SWITCH_S = 0.0005
"""After how many seconds a busy thread yields to another one. A request that calls Redis a few
times needs as many switches; with Python's default it would wait 5 ms before each.
"""
STEP_S = 0.001
"""How long work in steps goes on before other turns get the loop."""
STEPS_PER_TURN = 50
"""How many small steps run before other turns get the loop."""
MAX_IDLE_TURNS = 50
"""How many turns are kept for the next functions: a new one takes two system calls for its stack,
four times as long as one that is kept.
"""
_running: set[asyncio.Task[object]] = set()


class StepResult(asyncio.Future[T]):
    """The future result of a step. The step runs even if the task that waits for it is cancelled:
    it may be the one in which a turn learns that it holds a lock. `is_cancelled` says so then.
    """

    is_cancelled = False

    def cancel(self, msg: object = None) -> bool:
        """Note that the waiting task is cancelled."""
        self.is_cancelled = True
        return True


class Share(Protocol):
    """The share that a turn has of the event loop."""

    def run_step(self, step: Callable[[], T]) -> StepResult[T]:
        """Run a step of a turn, perhaps after steps of others; return its future result."""
        ...

    def charge(self, seconds: float) -> None:
        """Count processor time that a turn used in another thread."""
        ...


class Turn(greenlet):  # type: ignore[misc]  # likewise
    """Code that runs on the event loop: one function after another, each in a context of its own.
    A function begins when the loop switches to the turn with it.
    """

    def __init__(self) -> None:
        super().__init__(self._call_functions)
        self.share: Share | None = None
        self.is_over = False
        """Whether the function has ended."""
        self._result: object = None
        self._error: BaseException | None = None

    def _call_functions(self, function: Callable[[], object]) -> None:
        while True:
            try:
                self._result = Context().run(function)
            except GreenletExit:
                raise
            except BaseException as error:
                self._error = error
            del function
            self.is_over = True
            function = self.parent.switch()
            self.is_over = False

    def end(self) -> object:
        """Return what the function returned, or raise its error; keep the turn for another one."""
        result, error = self._result, self._error
        self.share = self._result = self._error = None
        if len(_idle.turns) < MAX_IDLE_TURNS:
            _idle.turns.append(self)
        if error is not None:
            try:
                raise error
            finally:
                del error  # a cycle with this frame would keep all that the function held
        return result


class _IdleTurns(threading.local):
    """The turns of a thread whose functions have ended."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def take(self) -> Turn:
        """Return one, or a new one."""
        return self.turns.pop() if self.turns else Turn()


_idle = _IdleTurns()


def on_loop() -> bool:
    """Return whether the caller runs on an event loop, where blocking would stop all other
    requests.
    """
    return isinstance(getcurrent(), Turn)


async def run(function: Callable[..., T], *args: object, share: Share | None = None) -> T:
    """Run a function in a turn and return its result. `share` runs each step between two waits;
    without it steps run at once.
    """
    turn = _idle.take()
    turn.share = share
    return cast(T, await _drive(turn, partial(turn.switch, partial(function, *args))))


async def _drive(turn: Turn, step: Callable[[], object]) -> object:
    """Drive a turn from this step on; return its result."""
    while True:
        if turn.share is None:
            awaitable, is_cancelled = cast(Any, step()), False
        else:
            ran = turn.share.run_step(step)
            awaitable, is_cancelled = cast(Any, await ran), ran.is_cancelled
        if turn.is_over:
            del step  # it may have thrown the error that `end` raises through this frame
            result = turn.end()
            if is_cancelled:
                raise asyncio.CancelledError
            return result
        if is_cancelled:
            _drop(awaitable)
            step = partial(turn.throw, asyncio.CancelledError())
            continue
        try:
            step = partial(turn.switch, await awaitable)
        except BaseException as error:
            step = partial(turn.throw, error)


def _drop(awaitable: object) -> None:
    """End what nobody will wait for."""
    if isinstance(awaitable, asyncio.Future):
        awaitable.cancel()
    elif asyncio.iscoroutine(awaitable):
        awaitable.close()


def wait(awaited: Awaitable[T]) -> T:
    """Return the result of an awaitable. Callable in a turn only."""
    driver = getcurrent().parent
    assert driver
    try:
        result: T = driver.switch(awaited)
        return result
    finally:
        del awaited  # a failed future has an error that refers to this frame: a cycle


def pause(seconds: float) -> None:
    """Sleep for this many seconds."""
    if on_loop():
        wait(asyncio.sleep(seconds))
    else:
        time.sleep(seconds)


def in_steps(items: Iterable[T]) -> Iterator[T]:
    """Yield the items; let others run whenever work on them has taken STEP_S."""
    began = time.perf_counter()
    for item in items:
        yield item
        if time.perf_counter() - began > STEP_S:
            pause(0)
            began = time.perf_counter()


def run_in_thread(function: Callable[..., T], *args: object) -> T:
    """Run a function and return its result; on a loop it runs in a thread, so that it does not
    block.
    """
    if not on_loop():
        return function(*args)
    loop = asyncio.get_running_loop()
    call = partial(_charged, loop, getcurrent().share, function, *args)
    return wait(loop.run_in_executor(_executor(), call))


def _charged(
    loop: asyncio.AbstractEventLoop,
    share: Share | None,
    function: Callable[..., T],
    *args: object,
) -> T:
    """Call a function; charge the processor time that it takes, also if its caller leaves."""
    began = time.thread_time()
    try:
        return function(*args)
    finally:
        if share is not None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(share.charge, time.thread_time() - began)


@cache
def _executor() -> ThreadPoolExecutor:
    sys.setswitchinterval(THREAD_SWITCH_S)
    return ThreadPoolExecutor(MAX_THREADS)  # it starts a thread only if all others are busy


def run_to_end(function: Callable[[], T]) -> T:
    """Call a function and return its result; on a loop it goes on to its end in another turn with
    the same share, even if the caller leaves meanwhile.
    """
    if not on_loop():
        return function()
    return wait(asyncio.shield(_spawn(run(function, share=getcurrent().share))))


def start_background(function: Callable[..., None], *args: object) -> None:
    """Start a function in the background: as a turn on the loop, or in a daemon thread."""
    if on_loop():
        start_turn(function, *args)
    else:
        threading.Thread(target=function, args=args, daemon=True).start()


def start_turn(function: Callable[..., None], *args: object) -> None:
    """Start a function as a turn in the background. Callbacks of the loop may call this.

    An error in it counts as one in a thread, which ends the process of a service.
    """
    _spawn(_run_in_background(function, *args))


async def _run_in_background(function: Callable[..., None], *args: object) -> None:
    try:
        await run(function, *args)
    except Exception:
        threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), None)))


def call_each(function: Callable[[T], None], things: Iterable[T]) -> None:
    """Call a function with each of the things; if one call waits, the next ones go on meanwhile.

    A turn for each would do the same, but starting a turn costs more than most of these calls.
    """
    left = deque(things)
    if not on_loop():
        _call_first(function, left, len(left))
    while left:
        turn = _idle.take()
        turn.parent = getcurrent()
        awaitable = turn.switch(partial(_call_first, function, left, STEPS_PER_TURN))
        turn.parent = _root()
        if not turn.is_over:
            _spawn(_drive(turn, partial(_identity, awaitable)))
            continue
        turn.end()
        if left:
            pause(0)


def _identity(value: T) -> T:
    return value


def _call_first(function: Callable[[T], None], queue: deque[T], limit: int) -> None:
    """Call a function with the first items, at most `limit` of them."""
    for _ in range(limit):
        if queue:
            function(queue.popleft())


def _root() -> greenlet:
    """Return the greenlet in which the loop runs."""
    found = getcurrent()
    while found.parent:
        found = found.parent
    return found


def _spawn(coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    task = asyncio.get_running_loop().create_task(coroutine)
    _running.add(task)  # the loop keeps only weak references
    task.add_done_callback(_running.discard)
    return task


class Lock:
    """A lock held by one thread and, on a loop, by one turn, which may wait while it holds it."""

    __slots__ = ("_threads", "_turns", "_waiting")

    def __init__(self) -> None:
        self._threads = threading.Lock()
        self._turns = asyncio.Lock()
        self._waiting = 0
        """Number of turns that wait for it."""

    def __enter__(self) -> None:
        if on_loop():
            self._take_turn()
        self._threads.acquire()

    def __exit__(self, *_: object) -> None:
        self._threads.release()
        if on_loop():
            self._turns.release()

    def _take_turn(self) -> None:
        """Wait until no other turn holds it. If none does, there is nothing to wait for: that saves
        a step and a pass of the loop.
        """
        acquiring = self._turns.acquire()
        if not (self._waiting or self._turns.locked()):
            with suppress(StopIteration):
                acquiring.send(None)
            return
        self._waiting += 1
        try:
            wait(acquiring)
        finally:
            self._waiting -= 1


class Wakeable(Protocol):
    """Can be woken up."""

    def wake(self) -> None:
        """Wake it up."""
        ...


class Wakeup:
    """Wakes the turn or thread that made it, and stays set until cleared."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = asyncio.Event() if on_loop() else threading.Event()

    def wake(self) -> None:
        """Wake the waiting turn or thread."""
        self._event.set()

    def clear(self) -> None:
        """Clear it: `wait` then waits for the next call of `wake`."""
        self._event.clear()

    def wait(self, seconds: float) -> bool:
        """Wait at most this many seconds; return whether a wake-up came in time."""
        if isinstance(self._event, threading.Event):
            return self._event.wait(seconds)
        return self._event.is_set() or wait(_in_time(self._event, seconds))


async def _in_time(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
