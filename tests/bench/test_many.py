"""Copies of a few played matches."""

import pytest

from bench.load.many import MAX_MOVES, copy_match
from domain.games import GAMES
from domain.match.log import fold_match


@pytest.mark.parametrize("kind", MAX_MOVES)
def test_a_copy_with_other_ids_is_a_valid_match(kind):
    entries = copy_match(kind, "m000000001", "everywhere", "friend0", 1_700_000_000_000)
    match = fold_match(GAMES, entries)
    assert match.id == "m000000001"
    assert match.seats_of("everywhere") == (0,)
    assert match.seats_of("friend0") == (() if kind == "open" else (1,))
