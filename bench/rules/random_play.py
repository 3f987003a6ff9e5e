"""Random play of every game, in turns with two games of OpenSpiel where that is installed.

OpenSpiel's rules are in C++ and driven from Python, as those who let programs learn games do it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from bench.load.matches import MOST, AnyGame
from domain.engine.dice import Luck
from domain.engine.game import advance, any_move, awaited, new_state
from domain.games import GAMES

SECONDS = 0.7
ROUNDS = 5
OPENSPIEL = "pyspiel"
PEERS = ("gin_rummy", "backgammon")
Player = Callable[[int], int]
"""Plays one game with this seed; how many moves that were."""


def figures(_folder: Path) -> dict[str, float]:
    """Moves a second on one core, also as shares of what OpenSpiel makes in the same minute."""
    ours: dict[str, Player] = {game.title: partial(_moves, game) for game in GAMES.values()}
    theirs = _peers()
    rates: dict[str, list[float]] = {name: [] for name in (*ours, *theirs)}
    for _ in range(ROUNDS):
        for name, play in (*ours.items(), *theirs.items()):
            rates[name].append(_rate(play))
    return dict(_told(rates, list(ours), list(theirs)))


def _told(
    rates: dict[str, list[float]], ours: list[str], theirs: list[str]
) -> Iterator[tuple[str, float]]:
    for name, each in rates.items():
        yield f"{name}: random moves per second", median(each)
    for peer in theirs:
        for name in ours:
            shares = [a / b for a, b in zip(rates[name], rates[peer], strict=True)]
            yield f"{name}: as a share of {peer}", median(shares)


def _rate(play: Player) -> float:
    """Moves a second of this thread's processor time, over some games."""
    moves, game, begun = 0, 0, time.thread_time()
    while (spent := time.thread_time() - begun) < SECONDS:
        moves += play(game)
        game += 1
    return moves / spent


def _moves(game: AnyGame, seed: int) -> int:
    """A game of each number of seats in turn."""
    luck, seats = Luck(seed), game.seats[seed % len(game.seats)]
    state = new_state(game, game.setup(game.options(), seats), seats, luck)
    for made in range(MOST):
        if not (waiting := awaited(state)):
            return made
        advance(game, state, any_move(game, state, waiting[0], luck), luck)
    return MOST


def _peers() -> dict[str, Player]:
    """Games of OpenSpiel, by what they are called there; none if it is not installed."""
    if not find_spec(OPENSPIEL):
        return {}
    openspiel = import_module(OPENSPIEL)
    return {f"OpenSpiel's {name}": partial(_decisions, openspiel.load_game(name)) for name in PEERS}


def _decisions(game: Any, seed: int) -> int:  # noqa: ANN401  OpenSpiel has no types
    """The decisions of a game; as in ours, what chance does in between is not counted."""
    random, state, made = Random(seed), game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(actions, weights)[0])
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            made += 1
    return made
