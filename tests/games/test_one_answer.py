"""Where a game asks although only one answer is legal, its rules say why."""

from __future__ import annotations

from itertools import chain

import pytest

from domain.engine.game import legal_moves
from domain.games import GAMES
from tests.games.modes import map_tables
from tests.games.record import record
from tests.games.seen import AnyGame

RULES = {
    ("chang_cheng", "BuildSingle"): "CC-4.1",  # one space is left
    ("hansa_teutonica", "EndTurn"): "HT-3.3",
    ("hansa_teutonica", "RelocatePiece"): "HT-5.3",
    ("tigris_euphrates", "CommitTiles"): "TE-9.3",  # who is asked reveals no hand
}
"""The only answers that a game waits for, and the rule that has the player give them."""


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_questions_with_one_answer_have_a_rule(game: AnyGame) -> None:
    only = set()
    for table in chain.from_iterable((each[0], each[-1]) for each in map_tables(game)):
        for moment in record(game, table.seats, 0).moments:
            menu = legal_moves(table.game, moment.state, moment.move.seat)
            if len(menu) == 1:
                only.add((game.key, type(menu[0]).__name__))
    assert only <= set(RULES)
    assert all(rule in game.rulebook.rules for key, rule in RULES.items() if key in only)
