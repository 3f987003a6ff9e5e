"""Rules and folding of every game, without a store."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from bench.load.limits import best_time, spread
from bench.load.matches import MAX_ENTRIES, AnyGame, play_in_memory
from domain.engine.dice import Luck, choose
from domain.engine.game import (
    advance,
    decide,
    fold,
    legal_moves,
    new_state,
    random_move,
    seats_to_move,
)
from domain.games import GAMES
from domain.match.log import fold_match

SECONDS = 3.0
MIDDLE_VERSION = 20
TIMED_GAMES = 10
"""Number of random games in which each decision is timed."""


def figures(folder: Path) -> dict[str, float]:
    """Figures of random games, legal moves, copies, decoding and folding, for each game."""
    return {what: figure for game in GAMES.values() for what, figure in _figures(game)}


def _figures(game: AnyGame) -> Iterator[tuple[str, float]]:
    entries = [record for _, record, _ in play_in_memory("fold", game)]
    match = next(
        match for match, _, _ in play_in_memory("middle", game) if match.version == MIDDLE_VERSION
    )
    state, seat = match.state, match.seats_to_move[0]
    events = sum(len(point.events) for point in fold_match(GAMES, entries).line)
    folding = best_time(lambda: fold_match(GAMES, entries), 20)
    title = game.title
    yield f"{title}: random play-outs (at most {MAX_ENTRIES} moves) per second", _playouts(game, 2)
    yield f"{title}: random play-outs of three seats per second", _playouts(game, 3)
    yield f"{title}: legal_moves, ms", 1000 * best_time(lambda: legal_moves(game, state, seat), 50)
    yield from _decisions(game).items()
    yield f"{title}: copy of a state, us", 1e6 * best_time(lambda: state.copy(), 200)
    yield f"{title}: fork of a match, us", 1e6 * best_time(match.copy, 200)
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
    state = _start_state(game, seats, luck)
    for _ in range(MAX_ENTRIES):
        if not seats_to_move(state):
            return
        advance(game, state, random_move(game, state, seats_to_move(state)[0], luck), luck)


def _start_state(game: AnyGame, seats: int, luck: Luck) -> Any:  # noqa: ANN401  any game
    """The state at the first decision."""
    return new_state(game, game.setup(game.options(), seats), seats, luck)


def _decisions(game: AnyGame) -> dict[str, float]:
    """The time to list legal moves and to decide one, over whole random games of three seats."""
    offering, deciding = list[float](), list[float]()
    for number in range(TIMED_GAMES):
        luck = Luck(number)
        state = _start_state(game, 3, luck)
        for _ in range(MAX_ENTRIES):
            if not seats_to_move(state):
                break
            began = time.perf_counter()
            menu = legal_moves(game, state, seats_to_move(state)[0])
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
