"""Expensive work waits in a bounded queue that is fair by address."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from service.runtime.errors import ExportsBusy
from service.runtime.event_loop import pause, run
from service.runtime.shares.fair_queue import Payer
from service.runtime.shares.fair_slots import ADDRESS_SHARE, FairSlots
from tests.support.patience import PATIENCE_S

MAX_WAITING = 8


class Work:
    """Slots, and who got one in which order."""

    def __init__(self) -> None:
        self.slots = FairSlots(1, MAX_WAITING, ExportsBusy)
        self.order: list[str] = []
        self.done: list[str] = []
        self.go_on = False

    def start(self, address: str, wait_s: float = PATIENCE_S) -> asyncio.Task[str]:
        """Start work that holds a slot until `go_on`."""

        def work() -> str:
            self.order.append(address)
            while not self.go_on:
                pause(0)
            self.done.append(address)
            return address

        return asyncio.create_task(run(self.slots.run, Payer(address, address), wait_s, work))


def play(scene: Callable[[Work], Coroutine[Any, Any, None]]) -> Work:
    """Play a scene on a loop."""
    work = Work()
    asyncio.run(scene(work))
    return work


def test_who_was_served_longest_ago_comes_next() -> None:
    async def scene(work: Work) -> None:
        tasks = [work.start("crowd") for _ in range(3)]
        await asyncio.sleep(0)
        tasks += [work.start("ann"), work.start("bob")]
        await asyncio.sleep(0)
        work.go_on = True
        await asyncio.gather(*tasks)

    assert play(scene).order == ["crowd", "ann", "bob", "crowd", "crowd"]


def test_an_address_takes_a_share_of_the_queue_and_all_together_no_more_than_it_holds() -> None:
    async def scene(work: Work) -> None:
        crowd = [work.start("crowd") for _ in range(100)]
        await asyncio.sleep(0)
        others = [work.start(f"a{number}") for number in range(MAX_WAITING)]
        await asyncio.sleep(0)
        work.go_on = True
        for tasks in (crowd, others):
            found = await asyncio.gather(*tasks, return_exceptions=True)
            refused.append(sum(map(_is_refused, found)))

    refused: list[int] = []
    work = play(scene)
    share = MAX_WAITING // ADDRESS_SHARE
    assert refused == [100 - 1 - share, share]
    assert len(work.order) == 1 + MAX_WAITING


def test_a_caller_who_leaves_loses_their_place_and_holds_up_no_other() -> None:
    async def scene(work: Work) -> None:
        first = work.start("crowd")
        await asyncio.sleep(0)
        leaving, staying = work.start("ann"), work.start("bob")
        await asyncio.sleep(0)
        leaving.cancel()
        first.cancel()  # the one who holds the slot leaves as well
        work.go_on = True
        await asyncio.gather(first, leaving, staying, return_exceptions=True)

    work = play(scene)
    assert work.order == ["crowd", "bob"]
    assert (work.slots._free, len(work.slots._queue)) == (1, 0)


def test_work_that_has_begun_is_done_although_its_caller_leaves() -> None:
    """And whoever waits for the slot gets it then."""

    async def scene(work: Work) -> None:
        leaving, staying = work.start("crowd"), work.start("ann")
        while not work.order:
            await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        assert (work.order, work.done) == (["crowd"], [])
        work.go_on = True
        assert await staying == "ann"

    assert play(scene).done == ["crowd", "ann"]


def test_a_caller_who_leaves_when_it_is_their_turn_passes_it_on() -> None:
    async def scene(work: Work) -> None:
        first = work.start("crowd")
        await asyncio.sleep(0)
        leaving = work.start("ann")
        await asyncio.sleep(0)
        work.go_on = True
        while not work.slots._queue._count > 1:  # granted, but not awake yet
            await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.gather(first, leaving, return_exceptions=True)

    assert play(scene).slots._free == 1


def test_nobody_waits_for_ever() -> None:
    async def scene(work: Work) -> None:
        first, late = work.start("crowd"), work.start("ann", wait_s=0.001)
        [found] = await asyncio.gather(late, return_exceptions=True)
        assert _is_refused(found)
        work.go_on = True
        await first

    assert play(scene).order == ["crowd"]


def _is_refused(found: object) -> bool:
    return isinstance(found, ExportsBusy)
