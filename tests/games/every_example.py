"""What the worked examples of each game must be, as functions of a game and a number of seats."""

from __future__ import annotations

from domain.engine.run_example import course
from domain.games import GAMES
from tests.games.seen import AnyGame

FEWEST = 5


def there_are_examples_with_a_text(game: AnyGame, _seats: int) -> None:
    """Each with a name of its own, in each language."""
    keys = [example.key for example in game.examples]
    assert len(set(keys)) == len(keys)
    assert len(keys) >= FEWEST or game.key == "toy"
    for texts in game.texts.values():
        assert [key for key in keys if f"example_{key}" not in texts] == []


def examples_show_the_rules_that_they_cite(game: AnyGame, _seats: int) -> None:
    """Their moves are made but the last, if they say that it is refused, and by which rule.

    Each says itself in which mode it is played.
    """
    whole = GAMES.get(game.key, game)
    for example in game.examples:
        assert example.rules
        assert set(example.rules) <= set(game.rulebook.rules)
        found = course(whole, example)
        assert (found.refusal and found.refusal.rule) == example.refused, example.key
        assert found.events or found.refusal
