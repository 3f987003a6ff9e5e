"""The order of the matches of a corpus."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from workers.tools.bots.corpus.player import PlayedMatch
from workers.tools.bots.corpus.schedule import GameProgress, Schedule, build_progress

FRESH = build_progress([])


def draw(schedule: Schedule, matches: int) -> list[tuple[str, int]]:
    return [schedule.next() for _ in range(matches)]


def test_unknown_games_come_equally_often() -> None:
    schedule = Schedule({"slow": FRESH, "quick": FRESH})
    assert draw(schedule, 4) == [("slow", 0), ("quick", 0), ("slow", 1), ("quick", 1)]


def test_a_game_that_takes_four_times_as_long_comes_half_as_often() -> None:
    schedule = Schedule({"slow": FRESH, "quick": FRESH})
    schedule.record(PlayedMatch("slow", 10, 8.0))
    schedule.record(PlayedMatch("quick", 10, 2.0))
    assert Counter(game for game, _ in draw(schedule, 300)) == {"slow": 100, "quick": 200}


def test_unfinished_matches_come_first_then_missing_ones() -> None:
    standing = build_progress([True, False, None, True])
    assert standing == GameProgress(over=2, unfinished=(1,), missing=(2,), next=4)
    schedule = Schedule({"qin": standing, "other": FRESH})
    assert draw(schedule, 1) == [("qin", 1)]
    assert [*islice((n for game, n in draw(schedule, 20) if game == "qin"), 3)] == [2, 4, 5]
