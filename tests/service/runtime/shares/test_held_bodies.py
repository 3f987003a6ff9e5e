"""Long bodies that wait for slow readers have a bound."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from service.runtime.shares.held_bodies import MAX_STALE, PATIENCE_S, HeldBodies

MAX_BYTES, SIZE = 100, 10


class Readers:
    """Readers who never end, at a time that the test sets."""

    def __init__(self, stack: ExitStack) -> None:
        self.now, self.ended = 0.0, list[str]()
        self.bodies = HeldBodies(MAX_BYTES, lambda: self.now)
        self._stack = stack

    def begin(self, address: str, name: str) -> None:
        """A reader begins to read a body."""
        end = self.bodies.hold(address, SIZE, lambda: self.ended.append(name))
        self._stack.enter_context(end)


@pytest.fixture
def readers() -> Iterator[Readers]:
    with ExitStack() as stack:
        yield Readers(stack)


def test_the_slowest_reader_of_the_address_that_holds_most_is_cut_off(readers: Readers) -> None:
    readers.begin("innocent", "first of all")
    for number in range(9):
        readers.begin("slow", f"slow {number}")
    assert readers.ended == []
    readers.now = PATIENCE_S
    readers.begin("another", "one more")
    readers.begin("another", "two more")
    assert readers.ended == ["slow 0", "slow 1"]


def test_readers_who_have_just_begun_are_not_slow(readers: Readers) -> None:
    for number in range(20):
        readers.begin("crowd", str(number))
    assert readers.ended == []
    readers.now = PATIENCE_S
    readers.bodies.end_slowest()  # one of them has read a part
    assert readers.ended == [str(number) for number in range(10)]


def test_those_who_have_read_all_leave_room(readers: Readers) -> None:
    for _ in range(100):
        with readers.bodies.hold("quick", SIZE, lambda: readers.ended.append("quick")):
            readers.now += PATIENCE_S
    readers.begin("slow", "slow")
    assert readers.ended == []


def test_a_crowd_of_addresses_costs_each_reader_little() -> None:
    """Counted in addresses looked at: who holds most is known without looking at all."""
    looked = 0

    class Address(str):
        __slots__ = ()

        def __hash__(self) -> int:
            nonlocal looked
            looked += 1
            return super().__hash__()

    crowd = 1_000
    bodies = HeldBodies(MAX_BYTES, lambda: 0.0)
    with ExitStack() as stack:
        for number in range(crowd):
            stack.enter_context(bodies.hold(Address(number), SIZE, lambda: None))
        looked = 0
        for _ in range(crowd):
            bodies.end_slowest()
        assert looked <= 3 * crowd
        for _ in range(crowd):
            with bodies.hold(Address("quick"), SIZE, lambda: None):
                pass
        assert len(bodies._largest) <= 3 * crowd + MAX_STALE
