"""Rules and folding of every game, without any store."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from bench.load.limits import best, spread
from bench.load.matches import MOST, AnyGame, in_memory
from domain.engine.dice import Luck, choose
from domain.engine.game import (
    advance,
    any_move,
    awaited,
    decide,
    fold,
    legal_moves,
    new_state,
)
from domain.games import GAMES
from domain.match.log import fold_match

SECONDS = 3.0
MIDDLE = 20
WHOLE = 10
"""Random games in which each decision is timed."""


def figures(folder: Path) -> dict[str, float]:
    """Play-outs, legal moves, copies, decoding and folding, for each game."""
    return {what: figure for game in GAMES.values() for what, figure in _figures(game)}


def _figures(game: AnyGame) -> Iterator[tuple[str, float]]:
    entries = [record for _, record, _ in in_memory("fold", game)]
    match = next(match for match, _, _ in in_memory("middle", game) if match.version == MIDDLE)
    state, seat = match.state, match.awaited[0]
    events = sum(len(point.events) for point in fold_match(GAMES, entries).line)
    folding = best(lambda: fold_match(GAMES, entries), 20)
    title = game.title
    yield f"{title}: random play-outs (at most {MOST} moves) per second", _playouts(game, 2)
    yield f"{title}: random play-outs of three seats per second", _playouts(game, 3)
    yield f"{title}: legal_moves, ms", 1000 * best(lambda: legal_moves(game, state, seat), 50)
    yield from _decisions(game).items()
    yield f"{title}: copy of a state, us", 1e6 * best(lambda: state.copy(), 200)
    yield f"{title}: fork of a match, us", 1e6 * best(match.fork, 200)
    yield f"{title}: events decoded and folded per second", events / folding


def _playouts(game: AnyGame, seats: int) -> float:
    """Random games per second, decided in place."""
    begin = time.perf_counter()
    for games in count():
        if (elapsed := time.perf_counter() - begin) > SECONDS:
            return games / elapsed
        _play_out(game, seats, Luck(games))
    raise AssertionError


def _play_out(game: AnyGame, seats: int, luck: Luck) -> None:
    state = _opened(game, seats, luck)
    for _ in range(MOST):
        if not awaited(state):
            return
        advance(game, state, any_move(game, state, awaited(state)[0], luck), luck)


def _opened(game: AnyGame, seats: int, luck: Luck) -> Any:  # noqa: ANN401  any game
    """The state at the first decision."""
    return new_state(game, game.setup(game.options(), seats), seats, luck)


def _decisions(game: AnyGame) -> dict[str, float]:
    """What it takes to offer moves and to decide one, over whole random games of three seats."""
    offering, deciding = list[float](), list[float]()
    for number in range(WHOLE):
        luck = Luck(number)
        state = _opened(game, 3, luck)
        for _ in range(MOST):
            if not awaited(state):
                break
            began = time.perf_counter()
            menu = legal_moves(game, state, awaited(state)[0])
            offered = time.perf_counter()
            move = choose(luck, menu)
            chosen = time.perf_counter()
            events = decide(game, state, move, luck)
            deciding.append(time.perf_counter() - chosen)
            offering.append(offered - began)
            fold(state, events)
    return {
        **spread(f"{game.title}: legal_moves over whole games", offering),
        **spread(f"{game.title}: decide over whole games", deciding),
    }
