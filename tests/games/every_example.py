"""What the worked examples of each game must be, as functions of a game and a number of seats."""

from __future__ import annotations

from domain.engine.starting.run_example import run_example
from domain.games import GAMES
from tests.games.seen import AnyGame
from tests.support.languages import check_texts

FEWEST = 5


def examples_exist_and_have_texts(game: AnyGame, _seats: int) -> None:
    """Each has a unique name and a text in each language."""
    keys = [example.key for example in game.resources.examples]
    assert len(set(keys)) == len(keys)
    assert len(keys) >= FEWEST
    check_texts(game.resources.texts, [f"example_{key}" for key in keys])


def examples_show_the_rules_that_they_cite(game: AnyGame, _seats: int) -> None:
    """All moves are legal, except a last one that the example marks as refused by a rule.

    Each example names its mode.
    """
    whole = GAMES.get(game.key, game)
    for example in game.resources.examples:
        assert example.rules
        assert set(example.rules) <= set(game.rulebook.rules)
        found = run_example(whole, example)
        assert (found.refusal and found.refusal.rule) == example.refused, example.key
        assert found.events or found.refusal
