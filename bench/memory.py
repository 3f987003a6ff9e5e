"""Rules and folding of every game, without any store."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from bench.limits import best
from bench.matches import MOST, AnyGame, in_memory
from domain.engine.dice import Luck, choose
from domain.engine.game import advance, begin, legal_moves
from domain.games import GAMES
from domain.match.log import fold_match

SECONDS = 3.0
MIDDLE = 20


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
    yield f"{title}: legal_moves, ms", 1000 * best(lambda: legal_moves(game, state, seat), 50)
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
    setup = game.setup(game.options(), seats)
    state = game.blank(setup, seats)
    for event in begin(game, setup, seats, luck):
        event.apply(state)
    for _ in range(MOST):
        if not state.agenda:
            return
        seat = state.agenda[-1].seats[0]
        advance(game, state, choose(luck, legal_moves(game, state, seat)), luck)
