"""The Great Wall keeps what every game promises. In GAMES it will be tested with the others."""

import inspect

import pytest

from tests.games import every_game, every_secret
from tests.games.great_wall.game import GAME

PICTURES = ("pictures_leak_nothing", "pictures_are_drawn_from_every_view")
PROMISES = [
    promise
    for module in (every_game, every_secret)
    for name, promise in vars(module).items()
    if inspect.isfunction(promise)
    and promise.__module__ == module.__name__
    and not name.startswith("_")
    and name not in PICTURES
]


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_promise(promise, seats):
    promise(GAME, seats)
