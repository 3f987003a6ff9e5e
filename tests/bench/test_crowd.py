"""Many open matches, made from one of each game that was begun."""

import pytest

from bench.store.open_matches import MOVES, as_match, measured
from domain.games import GAMES
from domain.match.log import fold_match
from domain.match.scheduled_work import due

HOUR_MS = 3_600_000
SIZE = 40


@pytest.mark.parametrize("game", GAMES)
def test_a_match_at_another_time_is_a_match_whose_timer_is_as_much_later(game):
    now, later = (as_match(game, "m1", "u1", "u2", ms) for ms in (0, HOUR_MS))
    match = fold_match(GAMES, [entry for entry, _ in later])
    assert (match.id, match.status, match.version) == ("m1", "active", 1 + MOVES)
    assert [match.seats_of(who) for who in ("u1", "u2")] == [(0,), (1,)]
    last = [[work["deadline"] for _, work in one if "deadline" in work][-1] for one in (now, later)]
    assert last == [due(match)["deadline"], due(match)["deadline"] + HOUR_MS]


@pytest.mark.slow
def test_a_small_crowd_is_filled_weighed_and_found(tmp_path):
    found = dict(measured(tmp_path, SIZE))
    assert found["timers"] == SIZE
    assert found["feeds: entries in all"] == SIZE * (1 + MOVES)
    assert found["jobs handed out of all"] == SIZE
    assert found["keys: match"] == SIZE
    assert found["bytes a match: match"] > 1_000
    assert found["a start from that, s"] > 0
