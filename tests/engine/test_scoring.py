"""Places and winners."""

from __future__ import annotations

from domain.engine.scoring import ScoreLine, Scoring, ranks


def test_a_larger_standing_has_a_better_place():
    assert ranks([(3,), (9,), (5,)]) == [3, 1, 2]


def test_equal_standings_share_a_place_and_the_next_one_is_left_out():
    assert ranks([(5, 1), (7, 0), (5, 1), (5, 2)]) == [3, 1, 3, 2]


def test_no_players_have_no_places():
    assert ranks([]) == []


def test_all_who_are_first_have_won():
    lines = tuple(ScoreLine(seat, rank, 0, {}) for seat, rank in enumerate((1, 3, 1)))
    assert Scoring("rounds", lines).winners == (0, 2)
