"""The rate limit: a minute for each caller, which starts with a request."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import pytest

from service.http.rate_limit import Caller, RateLimit, RateLimits, network_of
from service.runtime.errors import TooManyRequests

MAX_CALLERS = 10


class Clock:
    """A clock in seconds that advances only when a test sets it."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limit(clock: Clock) -> RateLimit:
    return RateLimit("default", 3, clock)


def ask(limit: RateLimit, callers: Iterable[str]) -> list[int]:
    """After how many seconds each caller may continue; 0 if the request was allowed."""
    waits = []
    for caller in callers:
        try:
            limit.count(caller)
        except TooManyRequests as refusal:
            waits.append(refusal.seconds)
        else:
            waits.append(0)
    return waits


def headers_of(limits: RateLimits, share: Caller) -> dict[str, str]:
    return dict(limits.headers_for(share))


def test_one_too_many_waits_for_the_end_of_the_minute(limit: RateLimit, clock: Clock) -> None:
    assert ask(limit, ["ann"] * 4) == [0, 0, 0, 60]
    clock.seconds += 59.5
    assert ask(limit, ["ann"]) == [1]
    clock.seconds += 0.5
    assert ask(limit, ["ann"] * 4) == [0, 0, 0, 60]


def test_each_caller_has_a_separate_minute(limit: RateLimit, clock: Clock) -> None:
    ask(limit, ["ann"] * 3)
    clock.seconds += 30
    assert ask(limit, ["bob", "ann", "bob", "bob", "bob"]) == [0, 30, 0, 0, 60]


def test_the_headers_show_the_limit_and_the_remaining_requests(clock: Clock) -> None:
    limits, ann = RateLimits(3, 5, clock), Caller("ann", "192.0.2.1")
    assert headers_of(limits, ann) == {}
    limits.count(ann)
    limits.count(Caller("bob", "192.0.2.1"))
    clock.seconds += 12.2
    assert headers_of(limits, ann) == {
        "RateLimit-Policy": '"default";q=3;w=60, "address";q=5;w=60',
        "RateLimit": '"default";r=2;t=48, "address";r=3;t=48',
    }
    for _ in range(3):
        with suppress(TooManyRequests):
            limits.count(ann)
    assert headers_of(limits, ann)["RateLimit"] == '"default";r=0;t=48, "address";r=0;t=48'


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unix:", "unix:"),
        (None, "unknown"),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(address: str | None, block: str) -> None:
    assert network_of(address) == block


def test_a_limit_of_0_is_none(clock: Clock) -> None:
    limit = RateLimit("default", 0, clock)
    assert set(ask(limit, ["ann"] * 100)) == {0}
    assert limit.remaining("ann") is None


def test_a_minute_that_is_over_is_dropped(limit: RateLimit, clock: Clock) -> None:
    ask(limit, ["ann"] * 3)
    clock.seconds += 40
    ask(limit, ["bob"] * 3)
    clock.seconds += 30
    assert ask(limit, ["cid", "bob"]) == [0, 30]
    assert limit.remaining("ann") is None


def test_of_too_many_callers_those_are_dropped_whose_minute_ends_first(clock: Clock) -> None:
    limit = RateLimit("default", 3, clock, max_callers=MAX_CALLERS)
    for number in range(100):
        ask(limit, [f"caller {number}"])
        clock.seconds += 0.1
        assert len(limit._minutes) <= MAX_CALLERS
    left = [number for number in range(100) if limit.remaining(f"caller {number}")]
    assert left == [*range(100 - MAX_CALLERS, 100)]
