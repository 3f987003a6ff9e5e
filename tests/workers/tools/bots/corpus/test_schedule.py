"""Which match of a corpus comes next."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from workers.tools.bots.corpus.player import Played
from workers.tools.bots.corpus.schedule import Schedule, Standing, standing_of

FRESH = standing_of([])


def drawn(schedule: Schedule, matches: int) -> list[tuple[str, int]]:
    return [schedule.next() for _ in range(matches)]


def test_games_of_which_nothing_is_known_come_equally_often() -> None:
    schedule = Schedule({"slow": FRESH, "quick": FRESH})
    assert drawn(schedule, 4) == [("slow", 0), ("quick", 0), ("slow", 1), ("quick", 1)]


def test_a_game_that_takes_four_times_as_long_comes_half_as_often() -> None:
    schedule = Schedule({"slow": FRESH, "quick": FRESH})
    schedule.note(Played("slow", 10, 8.0))
    schedule.note(Played("quick", 10, 2.0))
    assert Counter(game for game, _ in drawn(schedule, 300)) == {"slow": 100, "quick": 200}


def test_what_was_begun_comes_first_then_what_was_left_out() -> None:
    standing = standing_of([True, False, None, True])
    assert standing == Standing(over=2, begun=(1,), missing=(2,), next=4)
    schedule = Schedule({"qin": standing, "other": FRESH})
    assert drawn(schedule, 1) == [("qin", 1)]
    assert [*islice((n for game, n in drawn(schedule, 20) if game == "qin"), 3)] == [2, 4, 5]
