"""Thinks a turn through, several lines at a time; or only the next step of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from math import inf
from operator import itemgetter

from domain.engine.bots import CHANCES
from domain.engine.dice import Dice, Luck, shuffle
from domain.engine.game import Bot, Evaluation, advance, awaited
from domain.engine.play import Move, Seat
from domain.games.hansa_teutonica.bot.hasty import hasty
from domain.games.hansa_teutonica.bot.lines import Line, Table, first_choice, in_turn, lines_from
from domain.games.hansa_teutonica.state.table import State

RESTLESS = 60
"""After this many turns of each seat nobody waits for anything better any more."""


def planner(evaluate: Evaluation, width: int = 1, depth: int = 0, candidates: int = 1) -> Bot:
    """Follow `width` lines of its own turn, `depth` moves deep, and begin the best.

    If there are several candidates, the best lines are weighed by the turns that follow them.
    """

    def bot(sight: Table) -> Move:
        start = sight.imagine()
        if start.turn > RESTLESS * start.seats:
            return hasty(sight)
        lines = _best(sight, lines_from(sight, evaluate, start, None))
        if depth:
            whole = _whole_turns(sight, evaluate, lines, width, depth)
            lines = sorted(whole, key=itemgetter(0), reverse=True) or lines
        return _foreseen(sight, evaluate, lines[:candidates]).first

    return bot


def _whole_turns(
    sight: Table, evaluate: Evaluation, lines: list[Line], width: int, depth: int
) -> list[Line]:
    """Lines to the end of the turn: at each step the most promising are followed."""
    whole = [line for line in lines if _is_over(line.state, sight.seat)]
    for _ in range(depth):
        going = [line for line in lines if not _is_over(line.state, sight.seat)][:width]
        if not going or sight.late():
            break
        ways = (lines_from(sight, evaluate, line.state, line.first) for line in going)
        lines = _best(sight, chain.from_iterable(ways))
        whole += [line for line in lines if _is_over(line.state, sight.seat)]
    return whole


def _foreseen(sight: Table, evaluate: Evaluation, lines: list[Line]) -> Line:
    """The line that is best on average, now and after each turn of the round that follows."""
    best = lines[0]
    if all(line.first == best.first for line in lines):
        return best
    most, chance = -inf, sight.dice.below(CHANCES)
    for line in lines:
        value = line.value + sum(_as_it_goes_on(sight, evaluate, line.state, Luck(chance)))
        if sight.late():
            break
        if value > most:
            most, best = value, line
    return best


def _as_it_goes_on(sight: Table, evaluate: Evaluation, state: State, dice: Dice) -> Iterator[float]:
    """What the table is worth after each turn of a round in which all do what looks best."""
    for _ in range(state.seats):
        state = _next_turn(sight, evaluate, state, dice)
        yield evaluate(state, sight.seat)


def _next_turn(sight: Table, evaluate: Evaluation, state: State, dice: Dice) -> State:
    """The table after the turn of whoever is active, or as far as there is time."""
    active = state.active
    while state.agenda and state.active == active and not sight.late():
        (seat,) = awaited(state)
        if seat == active and in_turn(state):
            theirs = replace(sight, seat=seat, dice=dice)
            state = max(lines_from(theirs, evaluate, state, None), key=itemgetter(0)).state
        else:
            state = state.copy()
            advance(sight.game, state, first_choice(sight, state, seat), dice)
    return state


def _is_over(state: State, seat: Seat) -> bool:
    """Whether the seat has nothing more to decide in its turn."""
    return seat not in awaited(state) or state.active != seat or not in_turn(state)


def _best(sight: Table, lines: Iterable[Line]) -> list[Line]:
    """The best line to each table, best first."""
    best: dict[tuple[bytes, ...], Line] = {}
    for line in lines:
        key = _key(line.state)
        if key not in best or best[key].value < line.value:
            best[key] = line
    found = list(best.values())
    shuffle(sight.dice, found)
    return sorted(found, key=itemgetter(0), reverse=True)


def _key(state: State) -> tuple[bytes, ...]:
    step = state.agenda[-1] if state.agenda else None
    rest = f"{state.pawn}{state.closed}{state.active}{step}".encode()
    places = bytes(state.posts) + bytes(state.offices) + b"|".join(state.extras)
    stores = bytes(state.supply) + bytes(state.stock) + bytes(state.levels) + bytes(state.ready)
    return places, stores, rest
