"""The strongest level: both actions of a turn are weighed together."""

from __future__ import annotations

from typing import Any

from domain.engine.bots import Prospect, shortlist
from domain.engine.errors import Refused
from domain.engine.game import Bot, Evaluation, Sight, advance, judge
from domain.engine.play import Move
from domain.games.tigris_euphrates.state.steps import Turn
from domain.games.tigris_euphrates.state.table import State


def planner(evaluate: Evaluation, *, firsts: int, seconds: int) -> Bot:
    """Weighs its best first actions together with the second actions that fit them best."""

    def bot(sight: Sight[Any]) -> Move:
        best = shortlist(sight, evaluate, evaluate, firsts)
        follow: list[Move] = [each.move for each in best[:seconds]]
        return _best_pair(sight, best[:firsts], follow, evaluate)

    return bot


def _best_pair(
    sight: Sight[Any], firsts: list[Prospect], follow: list[Move], evaluate: Evaluation
) -> Move:
    """The first action of the best two; what begins a conflict is worth an average second more.

    A first action of which not all seconds were tried when time ran out is not compared.
    """
    values: list[float | None] = []
    for each in firsts:
        another = _has_another(each.state, sight.seat)
        value = _second(sight, each.state, follow, evaluate) if another else None
        if sight.late():
            break
        values.append(value)
    gains = [
        value - each.value for value, each in zip(values, firsts, strict=False) if value is not None
    ]
    usual = sum(gains) / len(gains) if gains else 0.0
    worth = [
        each.value + usual if value is None else value
        for value, each in zip(values, firsts, strict=False)
    ]
    move: Move = firsts[worth.index(max(worth))].move if worth else firsts[0].move
    return move


def _second(sight: Sight[Any], state: State, follow: list[Move], evaluate: Evaluation) -> float:
    """The best that one of these moves makes of a state, as far as there is time."""
    best = evaluate(state, sight.seat)
    for move in follow:
        if sight.late():
            break
        if _legal(sight, state, move):
            after = state.copy()
            advance(sight.game, after, move, sight.dice)
            best = max(best, evaluate(after, sight.seat))
    return best


def _legal(sight: Sight[Any], state: State, move: Move) -> bool:
    try:
        judge(sight.game, state, move)
    except Refused:
        return False
    return True


def _has_another(state: State, seat: int) -> bool:
    """Whether the seat goes on with another action at once."""
    step = state.agenda[-1] if state.agenda else None
    return isinstance(step, Turn) and step.seats == (seat,)
