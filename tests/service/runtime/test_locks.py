"""Of the turns that want a lock, one holds it, whenever others are cancelled."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from service.runtime.event_loop import Lock, pause, run
from service.runtime.shares.step_queue import StepQueue

ADDRESSES, TURNS, CANCELLED, ROUNDS = 3, 40, 15, 5


class NoThreads:
    """Stands for the part of a lock that keeps threads apart: with it, two turns would block the
    loop instead of failing.
    """

    def acquire(self) -> None:
        """Let all in."""

    def release(self) -> None:
        """Let all out."""


class Visitors:
    """Count the turns that hold a lock."""

    def __init__(self, random: Random) -> None:
        self.random, self.lock = random, Lock()
        self.lock._threads = NoThreads()  # type: ignore[assignment]
        self.inside, self.most, self.left = 0, 0, 0

    def visit(self) -> None:
        """Hold the lock three times, and wait now and then while holding it."""
        for _ in range(3):
            with self.lock:
                self.inside += 1
                self.most = max(self.most, self.inside)
                try:
                    pause(0)
                finally:
                    self.inside -= 1
            if self.random.random() < 0.5:
                pause(0)
        self.left += 1


async def visit_and_cancel(visitors: Visitors, queue: StepQueue | None) -> None:
    shares = [queue.share_of(f"192.0.2.{n}") if queue else None for n in range(ADDRESSES)]
    tasks = [
        asyncio.create_task(run(visitors.visit, share=shares[n % ADDRESSES])) for n in range(TURNS)
    ]
    for task in visitors.random.sample(tasks, CANCELLED):
        await asyncio.sleep(0)
        task.cancel()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(end is None or isinstance(end, asyncio.CancelledError) for end in ends), ends
    await run(visitors.visit)  # it is free again


@pytest.mark.parametrize("is_fair", [False, True], ids=["at once", "in fair steps"])
def test_one_turn_holds_a_lock_whenever_others_are_cancelled(is_fair: bool) -> None:
    visitors = Visitors(Random(1))

    async def visit() -> None:
        queue = StepQueue(lambda *_: None, lambda _: None) if is_fair else None
        for _ in range(ROUNDS):
            await visit_and_cancel(visitors, queue)

    asyncio.run(visit())
    assert visitors.most == 1
    assert visitors.left >= ROUNDS * (TURNS - CANCELLED + 1)
