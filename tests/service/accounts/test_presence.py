"""Presence: only with consent, at most one write a minute, and no request fails because of it."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unconnected

from service.accounts.people import presence
from service.accounts.people.presence import (
    PresenceRecorder,
    find_presence,
    hide_presence,
    show_presence,
)

ANN, BOB = "u0000000000000001", "u0000000000000002"
MINUTE = presence.MINUTE_MS


class Times:
    """A time of day, and a clock of a process, that only a test moves."""

    def __init__(self) -> None:
        self.now, self.s = 1_000 * MINUTE, 0.0

    def move(self, seconds: float) -> None:
        self.now += int(seconds * 1_000)
        self.s += seconds


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
def recorder(redis_client: Redis, times: Times) -> PresenceRecorder:
    return PresenceRecorder(redis_client, lambda: times.now, lambda: times.s)


def writes(redis: Redis) -> int:
    stats: Any = redis.info("commandstats")
    return int(stats.get("cmdstat_zadd", {"calls": 0})["calls"])


def states(redis: Redis, times: Times) -> dict[str, tuple[str, int]]:
    found = find_presence(redis, 1, [ANN, BOB], times.now)
    return {
        who: (one.state, times.now // MINUTE - one.seen_at // MINUTE) for who, one in found.items()
    }


def test_only_who_consents_is_seen(
    redis_client: Redis, recorder: PresenceRecorder, times: Times
) -> None:
    for who in (ANN, BOB):
        recorder.note(who)
        times.move(6)
    assert states(redis_client, times) == {}
    assert not redis_client.exists("presence")
    show_presence(redis_client, ANN, times.now)
    times.move(60)
    recorder.note(ANN)
    times.move(6)
    recorder.note(BOB)
    assert states(redis_client, times) == {ANN: ("online", 0)}
    times.move(6 * 60)
    assert states(redis_client, times) == {ANN: ("away", 6)}
    hide_presence(redis_client, ANN)
    recorder.note(ANN)
    times.move(60)
    recorder.note(BOB)
    assert states(redis_client, times) == {}


def test_a_flood_of_requests_is_one_write_a_minute(
    redis_client: Redis, recorder: PresenceRecorder, times: Times
) -> None:
    """And that of many players is one in five seconds."""
    show_presence(redis_client, ANN, 0)
    redis_client.config_resetstat()
    for _ in range(1_000):
        recorder.note(ANN)
    assert writes(redis_client) == 1
    for number in range(1_000):
        recorder.note(f"u{number:016x}")
        times.move(0.01)
    assert writes(redis_client) <= 3
    assert states(redis_client, times) == {ANN: ("online", 0)}


def test_what_a_process_gathers_is_bounded(
    redis_client: Redis,
    recorder: PresenceRecorder,
    times: Times,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(presence, "MAX_NOTED", 2)
    show_presence(redis_client, BOB, 0)
    for who in ("u1", "u2", BOB):
        recorder.note(who)
    times.move(6)
    recorder.note(BOB)
    assert states(redis_client, times)[BOB][0] == "away"
    times.move(60)
    recorder.note(BOB)
    assert states(redis_client, times)[BOB] == ("online", 0)


def test_no_request_fails_because_redis_is_down(times: Times) -> None:
    nowhere = Redis.from_url("unix:///nowhere/redis.sock", retry=None)
    PresenceRecorder(nowhere, lambda: times.now, lambda: times.s).note(ANN)
    with pytest.raises(Unconnected):
        show_presence(nowhere, ANN, times.now)
