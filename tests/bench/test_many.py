"""Matches made from a few that were played."""

import pytest

from bench.load.many import MOVES, as_match
from domain.games import GAMES
from domain.match.log import fold_match


@pytest.mark.parametrize("kind", MOVES)
def test_a_match_under_another_id_and_other_names_is_a_match(kind):
    entries = as_match(kind, "m000000001", "everywhere", "friend0", 1_700_000_000_000)
    match = fold_match(GAMES, entries)
    assert match.id == "m000000001"
    assert match.seats_of("everywhere") == (0,)
    assert match.seats_of("friend0") == (() if kind == "open" else (1,))
