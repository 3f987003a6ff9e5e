"""No cache of a game grows without limit: what a match adds to it must not stay for ever."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

from domain.games import GAMES


def game_modules() -> Iterator[ModuleType]:
    """The modules of all games, which a service loads."""
    assert GAMES
    for name, module in sorted(sys.modules.items()):
        if name.startswith("domain.games."):
            yield module


def test_each_cache_of_a_game_has_a_maximum_size() -> None:
    caches = {
        f"{module.__name__}.{name}": value.cache_info().maxsize
        for module in game_modules()
        for name, value in vars(module).items()
        if hasattr(value, "cache_info") and value.__module__ == module.__name__
    }
    assert len(caches) > len(GAMES)
    assert [name for name, size in caches.items() if size is None] == []
