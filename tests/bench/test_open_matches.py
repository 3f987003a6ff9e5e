"""Idle open matches are copies of one started match of each game."""

import pytest

from bench.store.open_matches import MOVES, copy_match, measure
from domain.games import GAMES
from domain.match.log import fold_match
from domain.match.scheduled_work import due_work

HOUR_MS = 3_600_000
SIZE = 40


@pytest.mark.parametrize("game", GAMES)
def test_a_later_copy_has_a_later_timer(game):
    now, later = (copy_match(game, "m1", "u1", "u2", ms) for ms in (0, HOUR_MS))
    match = fold_match(GAMES, [entry for entry, _ in later])
    assert (match.id, match.status, match.version) == ("m1", "active", 1 + MOVES)
    assert [match.seats_of(who) for who in ("u1", "u2")] == [(0,), (1,)]
    last = [[work["deadline"] for _, work in one if "deadline" in work][-1] for one in (now, later)]
    assert last == [due_work(match)["deadline"], due_work(match)["deadline"] + HOUR_MS]


@pytest.mark.long
def test_a_few_open_matches_are_measured(tmp_path):
    found = dict(measure(tmp_path, SIZE))
    assert found["timers"] == SIZE
    assert found["feeds: entries"] == SIZE * (1 + MOVES)
    assert found["jobs handed out when all are due"] == SIZE
    assert found["keys: match"] == SIZE
    assert found["bytes per match: match"] > 1_000
    assert found["a start from that, s"] > 0
