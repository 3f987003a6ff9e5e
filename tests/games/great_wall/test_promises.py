"""The Great Wall keeps what every game promises. In GAMES it will be tested with the others."""

import inspect

import pytest

from domain.games.great_wall import GAME
from tests.games import every_game, every_secret

PROMISES = [
    promise
    for module in (every_game, every_secret)
    for name, promise in vars(module).items()
    if inspect.isfunction(promise)
    and promise.__module__ == module.__name__
    and not name.startswith("_")
]


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_promise(promise, seats):
    promise(GAME, seats)
