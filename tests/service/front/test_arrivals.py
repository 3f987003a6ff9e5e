"""Requests that arrive together begin for a moment at a time, and addresses take turns."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from service.front.arrivals import MAX_BEGINNING_S, Arrivals
from tests.support.patience import PATIENCE_S

FITTING = 4
"""How many requests begin within MAX_BEGINNING_S here."""
MAX_IN_A_PASS = 2 * FITTING
"""For some arrive before, others after the turn of those that wait."""
CROWD = 5 * FITTING


class Clock:
    """Goes on by the time that a request takes to begin."""

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        return self._now

    def begin(self) -> None:
        self._now += MAX_BEGINNING_S / FITTING


async def begin_all(addresses: list[str], later: list[str]) -> list[tuple[int, str]]:
    """When requests of these addresses arrive in one pass, and others in the next, in which pass
    each begins, in order.
    """
    begun: list[tuple[int, str]] = []
    clock, passes = Clock(), 0
    arrivals = Arrivals(clock)

    def begin(address: str) -> None:
        clock.begin()
        begun.append((passes, address))

    def arrive(address: str) -> None:
        arrivals.add(lambda: address, partial(begin, address))

    for address in addresses:
        arrive(address)
    while len(begun) < len(addresses) + len(later):
        await asyncio.sleep(0)
        passes += 1
        if passes == 1:
            for address in later:
                arrive(address)
    return begun


@given(addresses=st.lists(st.sampled_from("abc"), max_size=CROWD), later=st.lists(st.just("d")))
def test_each_request_begins_once_and_few_in_a_pass(addresses: list[str], later: list[str]) -> None:
    begun = asyncio.run(begin_all(addresses, later))
    assert sorted(address for _, address in begun) == sorted(addresses + later)
    assert max(Counter(number for number, _ in begun).values(), default=0) <= MAX_IN_A_PASS


def test_one_request_begins_at_once() -> None:
    assert asyncio.run(begin_all(["192.0.2.1"], [])) == [(0, "192.0.2.1")]


def test_a_crowd_of_one_address_does_not_hold_up_another() -> None:
    begun = asyncio.run(begin_all(["192.0.2.1"] * CROWD, ["198.51.100.1"]))
    [other] = [number for number, address in begun if address == "198.51.100.1"]
    assert other <= 2


def test_a_request_that_fails_keeps_no_other_from_beginning() -> None:
    begun: list[int] = []

    clock = Clock()

    def begin(number: int) -> None:
        clock.begin()
        if number == FITTING:
            raise ZeroDivisionError
        begun.append(number)

    async def play() -> None:
        failed: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, what: failed.append(what))
        arrivals = Arrivals(clock)
        for number in range(CROWD):
            arrivals.add(lambda: "192.0.2.1", partial(begin, number))
        while len(begun) + len(failed) < CROWD:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(play(), PATIENCE_S))
    assert len(begun) == CROWD - 1


def test_a_request_that_takes_long_to_begin_keeps_no_other_waiting_for_ever() -> None:
    clock = Clock()
    begun: list[int] = []

    def begin(number: int) -> None:
        for _ in range(FITTING + 1):
            clock.begin()
        begun.append(number)

    async def play() -> None:
        arrivals = Arrivals(clock)
        for number in range(3):
            arrivals.add(lambda: "192.0.2.1", partial(begin, number))
        for expected in (1, 2, 3):
            assert len(begun) == expected
            await asyncio.sleep(0)

    asyncio.run(play())
