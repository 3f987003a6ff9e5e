"""An address that has used more than its rate waits before its next request begins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from math import ceil
from typing import Any

import pytest

from service.runtime.errors import TooManyRequests
from service.runtime.shares import pace as pace_module
from service.runtime.shares.pace import BURST_S, MAX_DEBT_S, MAX_WAITING, RESERVE_S, Pace
from tests.support.patience import PATIENCE_S

RATE = 0.5
LITTLE_S = 0.001


class Request:
    """A request of an address: whether it has begun, its refusal, and its end."""

    def __init__(self, pace: Pace, address: str) -> None:
        self.has_begun = False
        self.refusal: TooManyRequests | None = None
        self._end = asyncio.Event()
        self.task = asyncio.create_task(self._run(pace, address))

    async def _run(self, pace: Pace, address: str) -> None:
        async with pace.admit(address) as self.refusal:
            self.has_begun = True
            await self._end.wait()

    async def begin(self) -> None:
        """Return once it has begun."""
        while not self.has_begun:
            await asyncio.sleep(0)

    async def end(self) -> None:
        """Let it end."""
        self._end.set()
        await self.task


class Addresses:
    """A pace with a clock of its own."""

    def __init__(self, seconds_per_minute: float = 60 * RATE) -> None:
        self.now = 100.0
        self.pace = Pace(seconds_per_minute, lambda: self.now)

    async def request(self, address: str) -> Request:
        """A request, once it has begun or waits."""
        request = Request(self.pace, address)
        await asyncio.sleep(0)
        return request


def play(script: Callable[[Addresses], Coroutine[Any, Any, None]], rate: float = RATE) -> None:
    asyncio.run(asyncio.wait_for(script(Addresses(60 * rate)), PATIENCE_S))


def test_an_address_may_use_a_burst_before_it_waits() -> None:
    async def script(addresses: Addresses) -> None:
        addresses.pace.charge("ann", BURST_S)
        first = await addresses.request("ann")
        assert first.has_begun
        await first.end()
        addresses.pace.charge("ann", LITTLE_S)
        late = await addresses.request("ann")
        assert not late.has_begun
        addresses.now += LITTLE_S / RATE
        await late.begin()
        await late.end()
        assert late.refusal is None

    play(script)


def test_others_do_not_wait() -> None:
    async def script(addresses: Addresses) -> None:
        addresses.pace.charge("crowd", 60)
        crowd = [await addresses.request("crowd") for _ in range(3)]
        assert (await addresses.request("ann")).has_begun
        assert not any(one.has_begun for one in crowd)

    play(script)


def test_of_many_requests_at_once_some_wait_for_the_end_of_others() -> None:
    async def script(addresses: Addresses) -> None:
        crowd = [await addresses.request("crowd") for _ in range(20)]
        begun = sum(one.has_begun for one in crowd)
        assert begun == ceil(BURST_S / RESERVE_S)
        for ended, waiting in enumerate(crowd[begun:]):
            await crowd[ended].end()
            await waiting.begin()
            assert sum(one.has_begun for one in crowd) == begun + ended + 1

    play(script)


def test_a_request_that_lasts_holds_up_others_for_a_moment_only() -> None:
    async def script(addresses: Addresses) -> None:
        for _ in range(20):
            assert (await addresses.request("ann")).has_begun
            addresses.now += RESERVE_S / RATE

    play(script)


def test_a_request_that_waits_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace_module, "MAX_WAIT_S", 0)

    async def script(addresses: Addresses) -> None:
        addresses.pace.charge("ann", 60)
        late = await addresses.request("ann")
        await late.begin()
        assert late.refusal
        assert (late.refusal.policy, late.refusal.seconds) == ("processor", MAX_DEBT_S)
        assert "30 seconds of processor time" in str(late.refusal)

    play(script)


def test_a_crowd_above_the_bound_is_refused_at_once() -> None:
    async def script(addresses: Addresses) -> None:
        addresses.pace.charge("crowd", 60)
        waiting = [await addresses.request("crowd") for _ in range(MAX_WAITING)]
        refused = await addresses.request("crowd")
        await refused.begin()
        assert refused.refusal
        assert not any(one.has_begun for one in waiting)
        assert (await addresses.request("ann")).has_begun

    play(script)


def test_what_must_not_be_refused_goes_on_without_a_place() -> None:
    async def script(addresses: Addresses) -> None:
        addresses.pace.charge("ann", 60)
        async with addresses.pace.delay("ann", 0) as refusal:
            assert refusal

    play(script)


def test_the_end_of_many_requests_pays_nothing_of_what_they_used() -> None:
    async def script(addresses: Addresses) -> None:
        crowd = [await addresses.request("crowd") for _ in range(6)]
        addresses.pace.charge("crowd", 30)
        for one in crowd:
            await one.end()
        addresses.now += MAX_DEBT_S - LITTLE_S
        early = await addresses.request("crowd")
        assert not early.has_begun
        addresses.now += 2 * LITTLE_S
        await early.begin()

    play(script)


@pytest.mark.parametrize("turns", range(4))
def test_callers_who_leave_take_no_place_with_them(turns: int) -> None:
    """Whenever they leave, before or after it is their turn."""

    async def script(addresses: Addresses) -> None:
        addresses.pace.charge("ann", BURST_S + LITTLE_S)
        leaving = await addresses.request("ann")
        addresses.now += LITTLE_S / RATE
        await asyncio.sleep(pace_module.CHECK_INTERVAL_S)
        for _ in range(turns):
            await asyncio.sleep(0)
        leaving.task.cancel()
        await asyncio.gather(leaving.task, return_exceptions=True)
        begun = 0
        while (await addresses.request("ann")).has_begun:
            begun += 1
        assert begun == 1

    play(script)


def test_after_the_dearest_request_an_address_waits_for_a_moment_only() -> None:
    async def script(addresses: Addresses) -> None:
        addresses.pace.charge("ann", 60)
        later = await addresses.request("ann")
        addresses.now += MAX_DEBT_S
        await later.begin()
        assert later.refusal is None

    play(script)


def test_callers_who_left_hold_up_none_behind_them() -> None:
    async def script(addresses: Addresses) -> None:
        addresses.pace.charge("ann", BURST_S + LITTLE_S)
        left, stays = await addresses.request("ann"), await addresses.request("ann")
        left.task.cancel()
        await asyncio.sleep(0)
        assert addresses.pace.waiting("ann") == 1
        addresses.now += LITTLE_S / RATE
        await stays.begin()
        assert not left.has_begun

    play(script)


def test_a_rate_of_zero_is_no_limit() -> None:
    async def script(addresses: Addresses) -> None:
        addresses.pace.charge("ann", 1_000)
        assert (await addresses.request("ann")).has_begun

    play(script, rate=0)


def test_addresses_are_forgotten() -> None:
    pace = Pace(60 * RATE, max_addresses=3)
    for number in range(9):
        pace.charge(f"a{number}", 1.0)
    assert len(pace._uses) == 3
