"""Random play of every game, alternating with two games of OpenSpiel if it is installed.

The rules of OpenSpiel are in C++ and called from Python, as for machine learning.
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

from bench.load.matches import MAX_ENTRIES, AnyGame
from domain.engine.dice import Luck
from domain.engine.game import advance, new_state, random_move, seats_to_move
from domain.games import GAMES

SECONDS = 0.7
ROUNDS = 5
OPENSPIEL = "pyspiel"
PEERS = ("gin_rummy", "backgammon")
Player = Callable[[int], int]
"""Plays one game with this seed and returns the number of moves."""


def figures(_folder: Path) -> dict[str, float]:
    """Moves per second on one core, also as a share of OpenSpiel's in the same minute."""
    ours: dict[str, Player] = {game.title: partial(_moves, game) for game in GAMES.values()}
    theirs = _peers()
    rates: dict[str, list[float]] = {name: [] for name in (*ours, *theirs)}
    for _ in range(ROUNDS):
        for name, play in (*ours.items(), *theirs.items()):
            rates[name].append(_rate(play))
    return dict(_figures(rates, list(ours), list(theirs)))


def _figures(
    rates: dict[str, list[float]], ours: list[str], theirs: list[str]
) -> Iterator[tuple[str, float]]:
    for name, each in rates.items():
        yield f"{name}: random moves per second", median(each)
    for peer in theirs:
        for name in ours:
            shares = [a / b for a, b in zip(rates[name], rates[peer], strict=True)]
            yield f"{name}: as a share of {peer}", median(shares)


def _rate(play: Player) -> float:
    """Moves per second of this thread's processor time, over some games."""
    moves, game, begun = 0, 0, time.thread_time()
    while (spent := time.thread_time() - begun) < SECONDS:
        moves += play(game)
        game += 1
    return moves / spent


def _moves(game: AnyGame, seed: int) -> int:
    """Play one game with each number of seats in turn; returns the number of moves."""
    luck, seats = Luck(seed), game.seats[seed % len(game.seats)]
    state = new_state(game, game.setup(game.options(), seats), seats, luck)
    for made in range(MAX_ENTRIES):
        if not (waiting := seats_to_move(state)):
            return made
        advance(game, state, random_move(game, state, waiting[0], luck), luck)
    return MAX_ENTRIES


def _peers() -> dict[str, Player]:
    """Games of OpenSpiel by their names there; empty if it is not installed."""
    if not find_spec(OPENSPIEL):
        return {}
    openspiel = import_module(OPENSPIEL)
    return {f"OpenSpiel's {name}": partial(_decisions, openspiel.load_game(name)) for name in PEERS}


def _decisions(game: Any, seed: int) -> int:  # noqa: ANN401  OpenSpiel has no types
    """The number of decisions of a game, without chance nodes."""
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
