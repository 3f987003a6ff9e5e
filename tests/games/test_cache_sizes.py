"""No cache of a game takes much memory once it is full, and all together take what docs/hosting.md
says: a process has one for all of its matches, and it fills slowly where each match has a board of
its own.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from domain.engine.bots import rank_moves
from domain.engine.dice import Luck, choose
from domain.engine.game import advance, legal_moves, new_state, seats_to_move
from domain.games import GAMES

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("cache sizes")]  # one measurement for all
ROOT = Path(__file__).parents[2]
MAX_MB = 6.0
"""What a cache takes at most, if its further entries are as large as the present ones."""
MAX_TOGETHER_MB = 80
"""What all caches of all games take at most (docs/hosting.md)."""
GAMES_EACH, MOVES, RANKED_EVERY = 4, 60, 20
NO_DATA = (type, ModuleType, FunctionType)
"""What all matches share, so that a cache only refers to it."""


def play(game: Any, seats: int, number: int) -> None:
    """Begin a random game, with some looks at what a bot would prefer."""
    luck = Luck(f"{game.key} {seats} {number}")
    state = new_state(game, game.setup(game.options(), seats), seats, luck)
    for made in range(MOVES):
        waiting = seats_to_move(state)
        if not waiting:
            return
        moves = list(legal_moves(game, state, waiting[0]))
        if made % RANKED_EVERY == 0:
            rank_moves(game, state, waiting[0], moves)
        advance(game, state, choose(luck, moves), luck)


def find_caches(game: str) -> Iterator[tuple[str, Any]]:
    """The caches of a game that have entries, by name."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith(f"domain.games.{game}."):
            for own, value in vars(module).items():
                is_cache = hasattr(value, "cache_info") and value.__module__ == name
                if is_cache and value.cache_info().currsize:
                    yield f"{name}.{own}", value


def measure(root: object, counted: set[int]) -> int:
    """The size in bytes of all that an object refers to and that was not counted before."""
    size, left = 0, [root]
    while left:
        one = left.pop()
        if id(one) not in counted and not isinstance(one, NO_DATA):
            counted.add(id(one))
            size += sys.getsizeof(one)
            left += gc.get_referents(one)
    return size


def sizes_when_full(game: str) -> dict[str, float]:
    """What each cache of a game takes in MB once it is full, by name."""
    for number in range(GAMES_EACH):
        play(GAMES[game], max(GAMES[game].seats), number)
    counted: set[int] = set()
    full = {}
    for name, found in find_caches(game):
        known = found.cache_info()
        full[name] = measure(found, counted) / known.currsize * known.maxsize / 1_000_000
    return full


@pytest.fixture(scope="module")
def measured() -> dict[str, dict[str, float]]:
    """The caches of each game, from a process of its own: entries that other tests left have other
    sizes.
    """
    script = "from tests.games.test_cache_sizes import *; print(json.dumps(measure_all()))"
    found: dict[str, dict[str, float]] = json.loads(
        subprocess.check_output([sys.executable, "-c", script], cwd=ROOT, text=True)
    )
    return found


def measure_all() -> dict[str, dict[str, float]]:
    """What each cache of each game takes in MB once it is full."""
    return {game: sizes_when_full(game) for game in GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_no_cache_of_a_game_takes_much_once_it_is_full(
    game: str, measured: dict[str, dict[str, float]]
) -> None:
    """A game may have no caches."""
    assert {name: mb for name, mb in measured[game].items() if mb > MAX_MB} == {}


def test_all_caches_of_all_games_together_take_no_more_than_hosts_are_told(
    measured: dict[str, dict[str, float]],
) -> None:
    assert 0 < sum(sum(sizes.values()) for sizes in measured.values()) < MAX_TOGETHER_MB
