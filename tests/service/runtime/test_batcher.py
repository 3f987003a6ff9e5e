"""Entries are batched only under load."""

from __future__ import annotations

import pytest

from service.runtime.batcher import Batcher

PAUSE_S = 0.025


def pauses(each_s: float, seconds: float, took_s: float = 0.0) -> list[float]:
    now = [0.0]
    pace, found = Batcher(PAUSE_S, lambda: now[0]), []
    while now[0] < seconds:
        now[0] += each_s
        found.append(pace.pause(1, took_s))
    return found


def test_occasional_items_are_read_at_once() -> None:
    assert set(pauses(each_s=0.02, seconds=10)) == {0.0}


def test_occasional_items_are_batched_too_if_no_caller_waits() -> None:
    pace = Batcher(PAUSE_S, lambda: 0.0, busy=0)
    assert [pace.pause(1), pace.pause(1)] == [PAUSE_S, PAUSE_S]


def test_frequent_items_are_read_in_batches() -> None:
    assert pauses(each_s=0.005, seconds=10)[-1] == PAUSE_S


def test_the_longer_it_takes_the_less_is_left_to_wait() -> None:
    last = pauses(each_s=0.005, seconds=10, took_s=0.005)[-1]
    assert last == pytest.approx(PAUSE_S - 0.01, rel=0.01)
    assert pauses(each_s=0.005, seconds=10, took_s=0.1)[-1] == PAUSE_S / 2


def test_after_a_rush_it_is_read_at_once_again() -> None:
    now = [0.0]
    pace = Batcher(PAUSE_S, lambda: now[0])
    while not pace.pause(3):
        now[0] += 0.001
    now[0] += 5
    assert pace.pause(1) == 0
