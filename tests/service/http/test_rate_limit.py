"""The rate limit: a minute for each caller, which begins with a request."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from flask import Response

from service.errors import TooManyRequests
from service.http import rate_limit
from service.http.rate_limit import RateLimit


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limit(clock: Clock) -> RateLimit:
    return RateLimit(3, clock)


def ask(limit: RateLimit, callers: Iterable[str]) -> list[int]:
    """After how many seconds each caller may go on; 0 if the request was let through."""
    waits = []
    for caller in callers:
        try:
            limit.count(caller)
        except TooManyRequests as refusal:
            waits.append(refusal.seconds)
        else:
            waits.append(0)
    return waits


def told(limit: RateLimit, caller: str) -> dict[str, str]:
    response = Response()
    limit.tell(caller, response)
    return {name: value for name, value in response.headers if name.startswith("RateLimit")}


def test_one_too_many_waits_for_the_end_of_the_minute(limit: RateLimit, clock: Clock) -> None:
    assert ask(limit, ["ann"] * 4) == [0, 0, 0, 60]
    clock.seconds += 59.5
    assert ask(limit, ["ann"]) == [1]
    clock.seconds += 0.5
    assert ask(limit, ["ann"] * 4) == [0, 0, 0, 60]


def test_each_caller_has_a_minute_of_their_own(limit: RateLimit, clock: Clock) -> None:
    ask(limit, ["ann"] * 3)
    clock.seconds += 30
    assert ask(limit, ["bob", "ann", "bob", "bob", "bob"]) == [0, 30, 0, 0, 60]


def test_the_headers_tell_how_many_there_may_be_and_how_many_are_left(
    limit: RateLimit, clock: Clock
) -> None:
    assert told(limit, "ann") == {}
    ask(limit, ["ann", "ann"])
    clock.seconds += 12.2
    assert told(limit, "ann") == {
        "RateLimit-Policy": '"default";q=3;w=60',
        "RateLimit": '"default";r=1;t=48',
    }
    ask(limit, ["ann"] * 5)
    assert told(limit, "ann")["RateLimit"] == '"default";r=0;t=48'


def test_a_limit_of_0_is_none(clock: Clock) -> None:
    limit = RateLimit(0, clock)
    assert set(ask(limit, ["ann"] * 100)) == {0}
    assert told(limit, "ann") == {}


def test_many_callers_make_it_drop_those_alone_whose_minute_is_over(
    limit: RateLimit, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "MOST_CALLERS", 2)
    ask(limit, ["ann"] * 3)
    clock.seconds += 40
    ask(limit, ["bob"] * 3)
    clock.seconds += 30
    assert ask(limit, ["cid", "bob"]) == [0, 30]
    assert told(limit, "ann") == {}
