"""A loop whose requests run in turn, by a clock of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from service.runtime.event_loop import pause, run
from service.runtime.shares.step_queue import StepQueue

STEP_S = 0.01


class Loop:
    """Requests on a loop of which each step takes STEP_S by a clock of its own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.order: list[str] = []
        self.passes = 0
        """How often the loop has looked for new requests, while it is `counted`."""
        self.charged: dict[str, float] = {}
        self.queue = StepQueue(self.charge, clock=lambda: self.now)

    def charge(self, address: str, seconds: float) -> None:
        self.charged[address] = self.charged.get(address, 0) + seconds

    def work(self, address: str, steps: int, step_s: float = STEP_S) -> Callable[[], None]:
        """Work of this number of steps, which others may interrupt."""

        def do() -> None:
            for _ in range(steps):
                self.order.append(address)
                self.now += step_s
                pause(0)

        return do

    def start(self, address: str, work: Callable[[], object]) -> asyncio.Task[object]:
        return asyncio.create_task(run(work, share=self.queue.share_of(address)))

    @asynccontextmanager
    async def counted(self) -> AsyncIterator[None]:
        """Count the passes of the loop during the block."""

        async def count() -> None:
            while True:
                self.passes += 1
                await asyncio.sleep(0)

        counter = asyncio.create_task(count())
        yield
        counter.cancel()
