"""After a long step its address rests, so that others meet few of them; nobody rests for others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.runtime.event_loop import pause, wait
from service.runtime.shares.step_queue import MAX_AHEAD_S, PASS_S, REST_PASSES, TURN_S
from tests.service.runtime.shares.loop import STEP_S, Loop

LONG_STEPS = [1.1 * TURN_S, 3 * TURN_S, 15 * TURN_S]


@pytest.fixture
def loop() -> Loop:
    return Loop()


async def pass_by(passes: int) -> None:
    """Wait for this number of passes of the loop."""
    for _ in range(passes):
        await asyncio.sleep(0)


async def receive() -> None:
    """Wait for a response of Redis, which passes through five callbacks until its step is ready."""
    await pass_by(REST_PASSES - 1)


@pytest.mark.parametrize(("step_s", "steps_at_once"), [(STEP_S, 1), (TURN_S / 4, 4)])
def test_a_caller_who_waits_for_redis_meets_one_long_step_of_others_each_time(
    loop: Loop, step_s: float, steps_at_once: int
) -> None:
    """Short steps that take as long together count as one."""

    def ask_three_times() -> None:
        for _ in range(3):
            wait(receive())

    async def play() -> None:
        crowd = [loop.start("crowd", loop.work("crowd", 100, step_s)) for _ in range(32)]
        await loop.start("ann", loop.work("ann", 1))  # not the first, so the loop is shared
        before = len(loop.order)
        await loop.start("ann", ask_three_times)
        assert len(loop.order) - before <= (1 + 3) * steps_at_once
        await asyncio.gather(*crowd)

    asyncio.run(play())


@pytest.mark.parametrize("step_s", LONG_STEPS)
@pytest.mark.parametrize(
    "own_steps", [(11, 0.5 * TURN_S), (11, 1.2 * TURN_S), (6, 1.6 * TURN_S), (6, 2 * TURN_S)]
)
@pytest.mark.parametrize("callers", [1, 2, 32])
def test_a_player_whose_steps_are_long_too_does_not_rest_for_others(
    callers: int, step_s: float, own_steps: tuple[int, float]
) -> None:
    """Between two of their steps they meet one long step, and no pass of the loop more than a
    response of Redis takes, besides the one in which their next step waits for its turn. Only once
    it is one more: when the crowd has used less for the first time, and so goes first.
    """
    number, own_step_s = own_steps
    for passes in range(REST_PASSES + 1):
        waits = _waits_of_a_move(callers, step_s, [own_step_s] * number, passes)
        assert sum(passes for passes, _ in waits) <= number * REST_PASSES + 1
        assert sum(steps for _, steps in waits) <= number + 1


def _waits_of_a_move(
    callers: int, step_s: float, own_steps_s: list[float], passes: int
) -> list[tuple[int, int]]:
    """The passes of the loop, and the steps of a crowd, in each wait of a player who arrives after
    this number of passes.
    """
    loop, waits = Loop(), list[tuple[int, int]]()

    def move() -> None:
        for own_step_s in own_steps_s:
            loop.now += own_step_s
            before = loop.passes, len(loop.order)
            wait(receive())
            waits.append((loop.passes - before[0], len(loop.order) - before[1]))

    async def play() -> None:
        async with loop.counted():
            crowd = [loop.start("crowd", loop.work("crowd", 100, step_s)) for _ in range(callers)]
            await loop.start("ann", lambda: wait(pass_by(passes)))
            await loop.start("ann", move)
            for one in crowd:
                one.cancel()
            await asyncio.gather(*crowd, return_exceptions=True)

    asyncio.run(play())
    assert loop.order, "they met nobody"
    return waits


@pytest.mark.parametrize("step_s", [1.1 * TURN_S, 3 * TURN_S])
def test_many_addresses_with_a_long_step_each_share_a_short_pass(loop: Loop, step_s: float) -> None:
    """A caller with three calls of Redis meets 18 passes or more, which others may not fill."""

    async def play() -> None:
        crowd = [loop.start(f"{n}", loop.work(f"{n}", 1_000, step_s)) for n in range(40)]
        await loop.start("ann", lambda: None)
        for _ in range(10):
            began = loop.now
            await loop.start("ann", lambda: [wait(receive()) for _ in range(3)])
            assert loop.now - began < 0.8 * 3 * REST_PASSES * PASS_S
        for one in crowd:
            one.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)

    asyncio.run(play())


@pytest.mark.parametrize("callers", [1, 32])
@pytest.mark.parametrize("step_s", [1.1 * TURN_S, 2.9 * TURN_S])
@pytest.mark.parametrize("has_player", [False, True])
def test_between_long_steps_of_an_address_the_loop_has_passes_for_others(
    loop: Loop, callers: int, step_s: float, has_player: bool
) -> None:
    began: list[int] = []

    def work() -> None:
        for _ in range(200 // callers):
            began.append(loop.passes)
            loop.now += step_s
            pause(0)

    async def play() -> None:
        async with loop.counted():
            others = [loop.start("ann", loop.work("ann", 200, 0.0))] if has_player else []
            await asyncio.gather(*(loop.start("crowd", work) for _ in range(callers)), *others)

    asyncio.run(play())
    assert len(began) > 100
    assert min(after - before for before, after in pairwise(began)) >= REST_PASSES


@given(
    callers=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    steps_s=st.tuples(*[st.sampled_from([*LONG_STEPS, 1.2 * TURN_S, 4 * TURN_S])] * 2),
)
def test_no_address_gets_far_ahead_of_another(
    callers: tuple[int, int], steps_s: tuple[float, float]
) -> None:
    """While both have long steps without end, however many callers each has."""
    loop, ahead_s = Loop(), [0.0]

    def work(address: str, step_s: float) -> Callable[[], None]:
        def do() -> None:
            while loop.now < 50 * max(steps_s):
                loop.work(address, 1, step_s)()
                ahead_s.append(abs(loop.charged.get("a", 0) - loop.charged.get("b", 0)))

        return do

    async def play() -> None:
        both = zip("ab", callers, steps_s, strict=True)
        await asyncio.gather(
            *(loop.start(name, work(name, step_s)) for name, n, step_s in both for _ in range(n))
        )

    asyncio.run(play())
    assert max(ahead_s) <= MAX_AHEAD_S + sum(steps_s)


@given(
    requests=st.lists(
        st.tuples(
            st.sampled_from("abc"),
            st.lists(st.sampled_from([0.0, 0.4 * TURN_S, *LONG_STEPS]), min_size=1, max_size=5),
            st.integers(0, 2 * REST_PASSES),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_each_step_runs_after_a_number_of_passes(
    requests: list[tuple[str, list[float], int]],
) -> None:
    """Whenever requests arrive, and however long their steps are."""
    loop = Loop()
    number = sum(len(steps_s) + 1 for _, steps_s, _ in requests)

    def work(steps_s: list[float]) -> Callable[[], None]:
        def do() -> None:
            for seconds in steps_s:
                loop.now += seconds
                wait(receive())

        return do

    async def play() -> bool:
        tasks = []
        for address, steps_s, passes in requests:
            tasks.append(loop.start(address, work(steps_s)))
            await pass_by(passes)
        await pass_by(3 * REST_PASSES * number)
        return all(task.done() for task in tasks)

    with closing(asyncio.new_event_loop()) as here:  # `asyncio.run` would wait for all tasks
        assert here.run_until_complete(play())
