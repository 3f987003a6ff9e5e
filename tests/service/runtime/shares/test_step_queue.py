"""Steps of requests run in turn by address, whoever sends more of them."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from threading import Event

import pytest

from service.runtime.event_loop import Lock, pause, run_in_thread
from service.runtime.shares import step_queue
from service.runtime.shares.step_queue import TURN_S, StepQueue
from tests.service.runtime.shares.loop import STEP_S, Loop
from tests.support.patience import PATIENCE_S


@pytest.fixture
def loop() -> Loop:
    return Loop()


def test_one_caller_among_many_of_one_address_waits_for_one_step_at_a_time(loop: Loop) -> None:
    async def play() -> None:
        crowd = [loop.start("crowd", loop.work("crowd", 20)) for _ in range(32)]
        await asyncio.sleep(0)  # they all wait
        await loop.start("ann", loop.work("ann", 5))
        assert loop.order.count("ann") == 5
        assert loop.order.count("crowd") <= 2 + 2 * 5
        await asyncio.gather(*crowd)

    asyncio.run(play())
    assert loop.charged == pytest.approx({"crowd": 640 * STEP_S, "ann": 5 * STEP_S})


def test_addresses_get_the_same_time_and_not_the_same_number_of_steps(loop: Loop) -> None:
    async def play() -> None:
        def heavy() -> None:
            for _ in range(10):
                loop.now += 4 * STEP_S
                loop.work("heavy", 1)()

        both = [
            loop.start("heavy", heavy),
            *[loop.start("light", loop.work("light", 10)) for _ in range(5)],
        ]
        await asyncio.gather(*both)

    asyncio.run(play())
    for light, heavy in ((25, 5), (50, 10)):  # heavy steps take the time of 5 light ones
        at = [n for n, address in enumerate(loop.order) if address == "light"][light - 1]
        assert abs(loop.order[:at].count("heavy") - heavy) <= 1


def test_short_steps_get_the_same_time_as_long_ones(loop: Loop) -> None:
    """Also where a look of the loop is for several short steps."""

    def steps(seconds: float, number: int) -> None:
        for _ in range(number):
            loop.now += seconds
            pause(0)

    async def play() -> None:
        long = [loop.start("long", lambda: steps(15 * TURN_S, 100)) for _ in range(20)]
        short = [loop.start("short", lambda: steps(0.4 * TURN_S, 100)) for _ in range(20)]
        await asyncio.gather(*short)
        assert loop.charged["long"] < 1.2 * loop.charged["short"]
        for one in long:
            one.cancel()
        await asyncio.gather(*long, return_exceptions=True)

    asyncio.run(play())


def test_time_without_others_is_not_held_against_an_address(loop: Loop) -> None:
    async def play() -> None:
        await loop.start("ann", loop.work("ann", 1_000))
        loop.order.clear()
        both = [loop.start(name, loop.work(name, 10)) for name in ("new", "ann")]
        await asyncio.gather(*both)

    asyncio.run(play())
    assert {*loop.order[:4]} == {"ann", "new"}


def test_a_caller_who_leaves_ends_the_work_that_waits_for_its_turn(loop: Loop) -> None:
    async def play() -> None:
        ended: list[str] = []

        def work() -> None:
            try:
                loop.work("ann", 100)()
            finally:
                ended.append("ann")

        crowd = loop.start("crowd", loop.work("crowd", 20))
        task = loop.start("ann", work)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == ["ann"]
        await crowd

    asyncio.run(play())


def test_a_caller_who_leaves_keeps_no_lock(loop: Loop) -> None:
    """Not even one that they got while the step that would learn of it waited."""

    async def play() -> None:
        lock = Lock()

        def hold() -> None:
            with lock:
                loop.now += STEP_S
                pause(0)

        crowd = [loop.start("crowd", loop.work("crowd", 20)) for _ in range(3)]
        await asyncio.sleep(0)
        for turns in range(6):
            holder = loop.start("bob", hold)
            task = loop.start("ann", hold)
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await holder
            assert not lock._turns.locked(), turns
            assert not lock._threads.locked(), turns
        await asyncio.gather(*crowd)

    asyncio.run(play())


def test_work_in_a_thread_is_charged_although_its_caller_has_left(loop: Loop) -> None:
    async def play() -> None:
        began, go_on = asyncio.Event(), Event()
        here = asyncio.get_running_loop()

        def work() -> None:
            here.call_soon_threadsafe(began.set)
            go_on.wait(PATIENCE_S)
            sum(range(100_000))

        task = loop.start("ann", lambda: run_in_thread(work))
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        before = loop.charged["ann"]
        go_on.set()
        while loop.charged["ann"] == before:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(play(), PATIENCE_S))


def test_only_steps_block_the_loop(loop: Loop) -> None:
    blocked: list[float] = []
    loop.queue = StepQueue(loop.charge, blocked.append, lambda: loop.now)

    def work() -> None:
        run_in_thread(sum, range(1000))
        loop.now += TURN_S

    async def play() -> None:
        await loop.start("ann", work)

    asyncio.run(play())
    assert blocked == [TURN_S]  # not the thread
    assert len(loop.charged) == 1


def test_an_error_reaches_its_request_and_no_other(loop: Loop) -> None:
    async def play() -> None:
        def fail() -> None:
            pause(0)
            raise ZeroDivisionError

        crowd = loop.start("crowd", loop.work("crowd", 5))
        with pytest.raises(ZeroDivisionError):
            await loop.start("ann", fail)
        await crowd

    asyncio.run(play())
    assert loop.order == ["crowd"] * 5


def test_threads_are_charged_too(loop: Loop) -> None:
    async def play() -> None:
        await loop.start("ann", lambda: run_in_thread(sum, range(100_000)))

    asyncio.run(play())
    assert loop.charged["ann"] > 0


def test_addresses_are_forgotten() -> None:
    queue = StepQueue(max_addresses=3)
    for number in range(9):
        queue.share_of(f"a{number}").charge(1.0)
    assert len(queue._shares) == 3


def steps_per_pass(loop: Loop, addresses: list[str]) -> list[int]:
    """The number of steps after each look of the loop; each request has two steps."""

    async def play() -> list[int]:
        some = [loop.start(one, loop.work(one, 2)) for one in addresses]
        counts = [len(loop.order)]
        while not all(one.done() for one in some):
            await asyncio.sleep(0)
            counts.append(len(loop.order))
        await asyncio.gather(*some)
        return [after - before for before, after in pairwise(counts)]

    return asyncio.run(play())


def test_many_callers_share_a_look_for_new_requests_and_one_gets_little_of_it(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_queue, "TURN_S", 1.5 * STEP_S)
    monkeypatch.setattr(step_queue, "PASS_S", 7.5 * STEP_S)
    assert max(steps_per_pass(loop, ["crowd"] * 20)) == 2
    assert max(steps_per_pass(loop, [f"player {n}" for n in range(20)])) == 8


def test_a_long_step_ends_no_pass_if_its_address_has_no_other(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_queue, "TURN_S", 0.5 * STEP_S)
    monkeypatch.setattr(step_queue, "PASS_S", 7.5 * STEP_S)
    monkeypatch.setattr(step_queue, "LONG_PASS_S", 3.5 * STEP_S)
    assert max(steps_per_pass(loop, [f"player {n}" for n in range(20)])) == 4
    assert max(steps_per_pass(loop, ["crowd"] * 20)) <= 2


def test_short_steps_beside_long_ones_do_not_end_a_pass(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_queue, "TURN_S", 1.5 * STEP_S)
    monkeypatch.setattr(step_queue, "PASS_S", 19.5 * STEP_S)
    monkeypatch.setattr(step_queue, "LONG_PASS_S", 3.5 * STEP_S)

    async def play() -> int:
        lengths = [2.0 if n in (2, 9) else 0.5 for n in range(20)]
        some = [loop.start(f"{n}", loop.work(f"{n}", 2, x * STEP_S)) for n, x in enumerate(lengths)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        began = len(loop.order)
        await asyncio.gather(*some)
        return began

    assert 10 <= asyncio.run(play()) < 20


def test_one_address_alone_runs_more_steps_until_another_comes(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_queue, "TURN_S", 1.5 * STEP_S)
    monkeypatch.setattr(step_queue, "ALONE_S", 4.5 * STEP_S)
    monkeypatch.setattr(step_queue, "PASS_S", 7.5 * STEP_S)
    monkeypatch.setattr(step_queue, "SHARED_S", 100 * STEP_S)
    steps_per_pass(loop, ["crowd"])
    loop.now += 100 * STEP_S
    assert max(steps_per_pass(loop, ["crowd"] * 20)) == 5
    steps_per_pass(loop, ["ann"])
    assert max(steps_per_pass(loop, ["crowd"] * 20)) == 2
