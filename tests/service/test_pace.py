"""Entries gather only while many come."""

from __future__ import annotations

from service.pace import Pace

PAUSE_S = 0.025


def pauses(each_s: float, seconds: float) -> list[float]:
    now = [0.0]
    pace, found = Pace(PAUSE_S, lambda: now[0]), []
    while now[0] < seconds:
        now[0] += each_s
        found.append(pace.pause(1))
    return found


def test_what_comes_now_and_then_is_read_at_once() -> None:
    assert set(pauses(each_s=0.02, seconds=10)) == {0.0}


def test_what_comes_thick_and_fast_is_read_together() -> None:
    assert pauses(each_s=0.005, seconds=10)[-1] == PAUSE_S


def test_after_a_rush_it_is_read_at_once_again() -> None:
    now = [0.0]
    pace = Pace(PAUSE_S, lambda: now[0])
    while not pace.pause(3):
        now[0] += 0.001
    now[0] += 5
    assert pace.pause(1) == 0
