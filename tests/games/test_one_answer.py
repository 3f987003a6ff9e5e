"""Where a game asks although only one answer is legal, its rules say why."""

from __future__ import annotations

from importlib import import_module
from itertools import chain

import pytest

from domain.engine.game import legal_moves
from tests.games.modes import ALL, map_tables
from tests.games.record import record
from tests.games.seen import AnyGame


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_questions_with_one_answer_have_a_rule(game: AnyGame) -> None:
    """If this fails with your new game, list the rule in its `left_open.py`, or do not ask."""
    rules = getattr(import_module(f"tests.games.{game.key}.left_open"), "ONE_ANSWER", {})
    only = set()
    for table in chain.from_iterable((each[0], each[-1]) for each in map_tables(game)):
        for moment in record(game, table.seats, 0).moments:
            menu = legal_moves(table.game, moment.state, moment.move.seat)
            if len(menu) == 1:
                only.add(type(menu[0]).__name__)
    assert only <= rules.keys()
    assert game.rulebook.rules.keys() >= set(rules.values())
