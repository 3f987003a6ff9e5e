"""A bot that searches its turn, several lines at a time, or only the next step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from math import inf
from operator import itemgetter

from domain.engine.bots import SEED_RANGE
from domain.engine.dice import Dice, Luck, shuffle
from domain.engine.game import Bot, Evaluator, advance, seats_to_move
from domain.engine.play import Move, Seat
from domain.games.hansa_teutonica.bot.hasty import hasty_bot
from domain.games.hansa_teutonica.bot.lines import (
    Line,
    Table,
    choose_hastily,
    is_in_turn,
    lines_from,
)
from domain.games.hansa_teutonica.state.table import State

MAX_PATIENT_TURNS = 60
"""After this many turns of each seat bots stop to wait for better choices."""


def make_planner(evaluate: Evaluator, width: int = 1, depth: int = 0, candidates: int = 1) -> Bot:
    """A bot that follows `width` lines of its turn, `depth` moves deep, and begins the best one.

    With several `candidates` it compares the best lines by the turns that follow.
    """

    def bot(view: Table) -> Move:
        start = view.imagine()
        if start.turn > MAX_PATIENT_TURNS * start.seats:
            return hasty_bot(view)
        lines = _best(view, lines_from(view, evaluate, start, None))
        if depth:
            whole = _whole_turns(view, evaluate, lines, width, depth)
            lines = sorted(whole, key=itemgetter(0), reverse=True) or lines
        return _choose_by_playout(view, evaluate, lines[:candidates]).first

    return bot


def _whole_turns(
    view: Table, evaluate: Evaluator, lines: list[Line], width: int, depth: int
) -> list[Line]:
    """Lines to the end of the turn; each step follows the most promising ones."""
    whole = [line for line in lines if _is_over(line.state, view.seat)]
    for _ in range(depth):
        going = [line for line in lines if not _is_over(line.state, view.seat)][:width]
        if not going or view.is_late():
            break
        ways = (lines_from(view, evaluate, line.state, line.first) for line in going)
        lines = _best(view, chain.from_iterable(ways))
        whole += [line for line in lines if _is_over(line.state, view.seat)]
    return whole


def _choose_by_playout(view: Table, evaluate: Evaluator, lines: list[Line]) -> Line:
    """The line with the best average value, now and after each turn of the next round."""
    best = lines[0]
    if all(line.first == best.first for line in lines):
        return best
    most, chance = -inf, view.dice.below(SEED_RANGE)
    for line in lines:
        value = line.value + sum(_values_of_playout(view, evaluate, line.state, Luck(chance)))
        if view.is_late():
            break
        if value > most:
            most, best = value, line
    return best


def _values_of_playout(
    view: Table, evaluate: Evaluator, state: State, dice: Dice
) -> Iterator[float]:
    """The value after each turn of a round in which all seats choose their best moves."""
    for _ in range(state.seats):
        state = _next_turn(view, evaluate, state, dice)
        yield evaluate(state, view.seat)


def _next_turn(view: Table, evaluate: Evaluator, state: State, dice: Dice) -> State:
    """The table after the turn of the active player, or at the time limit."""
    active = state.active
    while state.agenda and state.active == active and not view.is_late():
        (seat,) = seats_to_move(state)
        if seat == active and is_in_turn(state):
            theirs = replace(view, seat=seat, dice=dice)
            state = max(lines_from(theirs, evaluate, state, None), key=itemgetter(0)).state
        else:
            state = state.copy()
            advance(view.game, state, choose_hastily(view, state, seat), dice)
    return state


def _is_over(state: State, seat: Seat) -> bool:
    """Whether the seat has nothing left to decide in its turn."""
    return seat not in seats_to_move(state) or state.active != seat or not is_in_turn(state)


def _best(view: Table, lines: Iterable[Line]) -> list[Line]:
    """The best line to each table, best first."""
    best: dict[tuple[bytes, ...], Line] = {}
    for line in lines:
        key = _key(line.state)
        if key not in best or best[key].value < line.value:
            best[key] = line
    found = list(best.values())
    shuffle(view.dice, found)
    return sorted(found, key=itemgetter(0), reverse=True)


def _key(state: State) -> tuple[bytes, ...]:
    step = state.agenda[-1] if state.agenda else None
    rest = f"{state.pawn}{state.closed}{state.active}{step}".encode()
    places = bytes(state.posts) + bytes(state.offices) + b"|".join(state.extras)
    stores = bytes(state.supply) + bytes(state.stock) + bytes(state.levels) + bytes(state.ready)
    return places, stores, rest
