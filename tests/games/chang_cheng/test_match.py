"""Whole matches: every entry goes through JSON and is folded in three ways."""

from __future__ import annotations

import pytest

from domain.games.chang_cheng import GAME
from tests.match.table import Table


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        ("ann bob", {}),
        ("ann bob cid dan", {"events": "random", "face": "b"}),
    ],
    ids=["two players", "four with event cards"],
)
def test_a_match_is_played_to_its_result(seats, options):
    """CC-11.1, CC-12.1, CC-13.1"""
    table = Table(seats, game=GAME, options=options).play_out()
    assert table.match.status != "active"
    scoring = GAME.scoring(table.match.state)
    assert scoring.winners
    assert all(line.points == sum(line.breakdown.values()) for line in scoring.lines)
