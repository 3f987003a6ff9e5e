"""Requests that arrive together begin a few at a time, and addresses take turns."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from service.front.arrivals import MAX_BEGUN_AT_ONCE, Arrivals
from tests.support.patience import PATIENCE_S

MAX_IN_A_PASS = 2 * MAX_BEGUN_AT_ONCE
"""For some arrive before, others after the turn of those that wait."""
CROWD = 5 * MAX_BEGUN_AT_ONCE


async def begin_all(addresses: list[str], later: list[str]) -> list[tuple[int, str]]:
    """When requests of these addresses arrive in one pass, and others in the next, in which pass
    each begins, in order.
    """
    begun: list[tuple[int, str]] = []
    arrivals, passes = Arrivals(), 0

    def arrive(address: str) -> None:
        arrivals.add(lambda: address, lambda: begun.append((passes, address)))

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

    def begin(number: int) -> None:
        if number == MAX_BEGUN_AT_ONCE:
            raise ZeroDivisionError
        begun.append(number)

    async def play() -> None:
        failed: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, what: failed.append(what))
        arrivals = Arrivals()
        for number in range(CROWD):
            arrivals.add(lambda: "192.0.2.1", partial(begin, number))
        while len(begun) + len(failed) < CROWD:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(play(), PATIENCE_S))
    assert len(begun) == CROWD - 1
