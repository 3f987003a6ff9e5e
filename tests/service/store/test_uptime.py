"""The record of when the service was up: cheap to write, cheap to ask, and never wrong by much."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from redis import Redis

from domain.match.outages import Outage
from service.runtime.errors import StoreUnavailable
from service.store import uptime as uptime_module
from service.store.uptime import (
    BEAT_MS,
    MAX_OUTAGES,
    MAX_SILENCE_MS,
    UPTIME_KEY,
    Uptime,
    count_beats,
    keep_beating,
)

NOON = 1_700_000_000_000
DAY_MS = 86_400_000


@pytest.fixture
def uptime(redis_client: Redis) -> Uptime:
    return Uptime(redis_client)


def test_a_store_without_a_record_had_no_outage(uptime: Uptime) -> None:
    assert uptime.outages(NOON) == uptime.outages(NOON + DAY_MS) == ()


def test_many_processes_write_as_seldom_as_one(redis_client: Redis) -> None:
    processes = [Uptime(redis_client) for _ in range(8)]
    for second in range(21):
        for number, process in enumerate(processes):
            process.beat(NOON + 1000 * second + number)
    assert count_beats(redis_client) == 1 + 20_000 // BEAT_MS
    assert processes[-1].outages(NOON + 20_000) == ()


@pytest.mark.parametrize(
    ("silence_ms", "lost"), [(MAX_SILENCE_MS, 0), (MAX_SILENCE_MS + 1, MAX_SILENCE_MS + 1)]
)
def test_a_longer_silence_is_an_outage_while_it_lasts_and_afterwards(
    redis_client: Redis, uptime: Uptime, silence_ms: int, lost: int
) -> None:
    uptime.beat(NOON)
    other, now = Uptime(redis_client), NOON + silence_ms
    assert other.elapsed_ms(NOON, now) == silence_ms - lost
    uptime.beat(now)
    assert other.elapsed_ms(NOON, now) == silence_ms - lost
    assert other.elapsed_ms(NOON, now + 1000) == silence_ms - lost + 1000


def test_a_silence_in_which_redis_was_started_again_is_an_outage_however_short(
    redis_client: Redis, uptime: Uptime
) -> None:
    uptime.beat(NOON)
    record = uptime.record(NOON)
    assert record.server == redis_client.info("server")["run_id"]
    redis_client.set(UPTIME_KEY, msgspec.json.encode(replace(record, server="an earlier run")))
    other, now = Uptime(redis_client), NOON + BEAT_MS // 2
    assert other.is_silent(now)
    assert other.elapsed_ms(NOON, now) == 0
    other.beat(now)
    assert not other.is_silent(now)
    assert Uptime(redis_client).outages(now + 1000) == (Outage(NOON, now),)


def test_the_record_is_read_only_when_it_may_lack_an_outage(
    uptime: Uptime, monkeypatch: pytest.MonkeyPatch
) -> None:
    uptime.beat(NOON)
    reads, read = list[tuple[bytes, str]](), uptime_module._read

    def count_read(redis: Redis) -> tuple[bytes, str]:
        reads.append(read(redis))
        return reads[-1]

    monkeypatch.setattr(uptime_module, "_read", count_read)
    for ms in range(0, MAX_SILENCE_MS + 1, 500):
        uptime.outages(NOON + ms)
    assert not reads
    uptime.outages(NOON + MAX_SILENCE_MS + 1)
    assert len(reads) == 1


def test_a_process_that_was_paused_overwrites_no_later_record(
    redis_client: Redis, uptime: Uptime, monkeypatch: pytest.MonkeyPatch
) -> None:
    uptime.beat(NOON)
    paused, other = Uptime(redis_client), Uptime(redis_client)
    read = uptime_module._read

    def read_and_pause(redis: Redis) -> tuple[bytes, str]:
        found = read(redis)
        monkeypatch.setattr(uptime_module, "_read", read)
        other.beat(NOON + 600_000)
        return found

    monkeypatch.setattr(uptime_module, "_read", read_and_pause)
    paused.beat(NOON + 3000)
    outage = Outage(NOON, NOON + 600_000)
    assert Uptime(redis_client).outages(NOON + 600_001) == (outage,)


def test_a_clock_that_is_set_back_forgets_outages_that_are_to_come(uptime: Uptime) -> None:
    uptime.beat(NOON)
    uptime.beat(NOON + DAY_MS)
    uptime.beat(NOON + 60_000)
    assert uptime.outages(NOON + 60_000) == (Outage(NOON, NOON + 60_000),)
    uptime.beat(NOON - 60_000)
    assert uptime.outages(NOON) == (Outage(NOON - 60_000, NOON),)


def test_a_corrupt_record_starts_again(redis_client: Redis, uptime: Uptime) -> None:
    redis_client.set(UPTIME_KEY, b"{")
    assert uptime.outages(NOON) == ()
    uptime.beat(NOON)
    assert count_beats(redis_client) == 1


def test_the_record_does_not_grow_for_ever(uptime: Uptime) -> None:
    now = NOON
    for _ in range(MAX_OUTAGES + 2):
        uptime.beat(now)
        now += 2 * MAX_SILENCE_MS
    uptime.beat(now)
    found = uptime.outages(now)
    assert (len(found), found[-1].end) == (MAX_OUTAGES, now)


def test_a_store_that_accepts_no_writes_ends_no_process(
    uptime: Uptime, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter([NOON, NOON + BEAT_MS])

    def beat(now: int) -> None:
        seen.append(now)
        raise StoreUnavailable("full")

    seen = list[int]()
    monkeypatch.setattr(uptime, "beat", beat)
    monkeypatch.setattr(uptime_module, "pause", lambda seconds: None)
    with pytest.raises(SystemExit):
        keep_beating(uptime, lambda: next(moments, None) or stop())
    assert seen == [NOON, NOON + BEAT_MS]


def test_after_a_beat_that_failed_the_record_is_read_again(
    redis_client: Redis, uptime: Uptime, monkeypatch: pytest.MonkeyPatch
) -> None:
    uptime.beat(NOON)
    restarted = replace(uptime.record(NOON), server="an earlier run")
    redis_client.set(UPTIME_KEY, msgspec.json.encode(restarted))

    def beat(now: int) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(uptime, "beat", beat)
    monkeypatch.setattr(uptime_module, "pause", lambda seconds: stop())
    with pytest.raises(SystemExit):
        keep_beating(uptime, lambda: NOON + 1000)
    assert uptime.outages(NOON + 3000) == (Outage(NOON, NOON + 3000),)


def stop() -> int:
    raise SystemExit
