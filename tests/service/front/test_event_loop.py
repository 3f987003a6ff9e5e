"""Code that waits on an event loop without blocking it."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from functools import partial

import pytest
from greenlet import getcurrent  # type: ignore[import-untyped]  # it has no annotations
from prometheus_client import REGISTRY

from service.front.asgi import record_blocked
from service.runtime.event_loop import (
    STEPS_PER_TURN,
    Lock,
    Wakeup,
    call_each,
    on_loop,
    pause,
    run,
    run_in_thread,
    run_to_end,
    start_background,
    wait,
)
from service.runtime.shares.step_queue import StepQueue
from tests.support.patience import PATIENCE_S


def together(*functions: Callable[[], object]) -> list[object]:
    """The results of these functions, each called in a separate turn of one loop."""

    async def all_of_them() -> list[object]:
        return list(await asyncio.gather(*map(run, functions)))

    return asyncio.run(all_of_them())


def test_what_waits_lets_others_go_on() -> None:
    said = []

    def patient() -> None:
        bell.wait(PATIENCE_S)
        said.append("patient")

    def quick() -> None:
        said.append("quick")
        bell.wake()

    def both() -> None:
        nonlocal bell
        bell = Wakeup()
        start_background(quick)
        patient()

    bell = Wakeup()
    together(both)
    assert said == ["quick", "patient"]


def test_functions_share_a_greenlet_but_no_context_variables() -> None:
    """Also after one that failed and one whose caller left."""
    name: ContextVar[str] = ContextVar("name", default="nobody")
    greenlets, names = [], []

    def visit(guest: str, goes_on: Callable[[], object]) -> str:
        greenlets.append(getcurrent())
        names.append(name.get())
        name.set(guest)
        goes_on()
        return guest

    def fail() -> None:
        pause(0)
        raise ZeroDivisionError

    async def visit_in_turn() -> str:
        with pytest.raises(ZeroDivisionError):
            await run(visit, "ann", fail)
        leaving = asyncio.create_task(run(visit, "bob", partial(pause, PATIENCE_S)))
        await asyncio.sleep(0)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        return await run(visit, "cyd", partial(pause, 0))

    assert asyncio.run(visit_in_turn()) == "cyd"
    assert names == ["nobody"] * 3
    assert len({*map(id, greenlets)}) == 1


async def _fail() -> None:
    raise ZeroDivisionError


def _begin_failure() -> asyncio.Future[None]:
    failing = asyncio.get_running_loop().create_future()
    failing.get_loop().call_soon(failing.set_exception, ZeroDivisionError())
    return failing


ENDS = [
    lambda: 1 // 0,
    lambda: wait(_fail()),
    lambda: run_in_thread(lambda: 1 // 0),
    lambda: run_to_end(lambda: 1 // 0),
    lambda: wait(_begin_failure()),
]


@pytest.mark.parametrize(
    ("end", "leaves"), [*((end, False) for end in ENDS), (partial(pause, PATIENCE_S), True)]
)
@pytest.mark.parametrize("has_share", [False, True])
def test_what_a_function_held_is_free_once_it_failed_or_its_caller_left(
    end: Callable[[], object], leaves: bool, has_share: bool
) -> None:
    """At once, not only when the garbage collector runs."""

    class HeldObject:
        pass

    held = list[weakref.ref[HeldObject]]()

    def hold() -> None:
        one = HeldObject()
        held.append(weakref.ref(one))
        end()

    async def fail_or_leave() -> None:
        share = StepQueue().share_of("ann") if has_share else None
        running = asyncio.create_task(run(hold, share=share))
        await asyncio.sleep(0)
        if leaves:
            running.cancel()
        await asyncio.wait([running])  # to await it would let its error refer to this frame
        with suppress(asyncio.CancelledError):
            running.exception()
        del running
        await asyncio.sleep(0)  # asyncio lets go of what it has just called

    gc.disable()
    try:
        asyncio.run(fail_or_leave())
        assert [one() for one in held] == [None]
    finally:
        gc.enable()


def test_a_lock_is_held_by_one_turn_while_it_waits() -> None:
    lock, inside, most = Lock(), 0, 0

    def enter() -> None:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
            pause(0)
            inside -= 1

    together(*[enter] * 20)
    assert most == 1


def test_a_lock_that_no_turn_holds_takes_no_further_step() -> None:
    lock, steps = Lock(), list[float]()
    queue = StepQueue(lambda _, seconds: steps.append(seconds))

    def enter() -> None:
        with lock:
            pass

    asyncio.run(run(enter, share=queue.share_of("ann")))
    assert len(steps) == 1


def test_turns_get_a_lock_in_the_order_in_which_they_ask() -> None:
    """Also a turn that asks again while another one has been woken."""
    lock, order = Lock(), list[int]()

    def enter_twice(number: int) -> None:
        for _ in range(2):
            with lock:
                order.append(number)
                pause(0)

    together(*(partial(enter_twice, number) for number in range(3)))
    assert order == [0, 1, 2, 0, 1, 2]


def test_a_lock_is_free_again_after_an_error() -> None:
    lock = Lock()

    def fail() -> None:
        with lock:
            pause(0)
            raise ValueError

    def enter() -> bool:
        with lock:
            return True

    with pytest.raises(ValueError):  # noqa: PT011 - it says nothing
        together(fail)
    assert together(enter) == [True]


def test_waiting_for_a_wakeup_that_does_not_come_times_out() -> None:
    assert together(lambda: Wakeup().wait(0.01)) == [False]
    assert not Wakeup().wait(0.01)


def test_what_takes_long_runs_in_a_thread() -> None:
    assert together(lambda: run_in_thread(threading.get_ident)) != [threading.get_ident()]
    assert together(lambda: run_in_thread(on_loop)) == [False]
    assert run_in_thread(threading.get_ident) == threading.get_ident()


def test_an_error_of_an_awaitable_is_raised_at_the_await() -> None:
    def work() -> str:
        with pytest.raises(ZeroDivisionError):
            run_in_thread(lambda: 1 // 0)
        return "went on"

    assert together(work) == ["went on"]


def test_one_that_has_to_wait_does_not_hold_up_the_rest() -> None:
    done: list[str] = []

    def do(what: str) -> None:
        if what == "slow":
            bell.wait(PATIENCE_S)
        done.append(what)
        if what == "last":
            bell.wake()

    def all_of_them() -> None:
        nonlocal bell
        bell = Wakeup()
        call_each(do, ["first", "slow", "second", "last"])
        assert done == ["first", "second", "last"]
        while len(done) < 4:
            pause(0.01)

    bell = Wakeup()
    together(all_of_them)
    assert done[-1] == "slow"


def test_what_had_to_wait_goes_on_where_it_was_begun_by_another_that_waits() -> None:
    done: list[int] = []

    def do(depth: int) -> None:
        if depth:
            call_each(do, [depth - 1])
        pause(0.01)
        done.append(depth)

    def all_of_them() -> None:
        call_each(do, [3])
        while len(done) < 4:
            pause(0.01)

    together(all_of_them)
    assert sorted(done) == [0, 1, 2, 3]


def test_many_small_things_let_others_have_their_turn() -> None:
    done: list[int] = []
    seen: list[int] = []

    def another() -> None:
        for _ in range(3):
            seen.append(len(done))
            pause(0)

    together(lambda: call_each(done.append, range(10 * STEPS_PER_TURN)), another)
    assert done == [*range(10 * STEPS_PER_TURN)]
    assert 0 < seen[0] < len(done)


def test_without_a_loop_calls_run_in_order() -> None:
    done: list[int] = []
    call_each(done.append, range(3 * STEPS_PER_TURN))
    assert done == [*range(3 * STEPS_PER_TURN)]


@pytest.mark.parametrize(("seconds", "counted"), [(0.02, 0), (0.021, 1)])
def test_what_keeps_the_loop_from_all_others_for_long_is_counted(
    seconds: float, counted: int
) -> None:
    before = REGISTRY.get_sample_value("annals_loop_blocked_total") or 0
    record_blocked(seconds)
    assert REGISTRY.get_sample_value("annals_loop_blocked_total") == before + counted
