"""The strongest level: evaluates both actions of a turn together."""

from __future__ import annotations

from typing import Any

from domain.engine.bots import Candidate, shortlist
from domain.engine.errors import Refusal
from domain.engine.game import Bot, BotView, Evaluator, advance, judge
from domain.engine.play import Move
from domain.games.tigris_euphrates.state.steps import Turn
from domain.games.tigris_euphrates.state.table import State


def planner(evaluate: Evaluator, *, firsts: int, seconds: int) -> Bot:
    """A bot that evaluates its best first actions with the second actions that suit them best."""

    def bot(view: BotView[Any]) -> Move:
        best = shortlist(view, evaluate, evaluate, firsts)
        follow: list[Move] = [each.move for each in best[:seconds]]
        return _best_pair(view, best[:firsts], follow, evaluate)

    return bot


def _best_pair(
    view: BotView[Any], firsts: list[Candidate], follow: list[Move], evaluate: Evaluator
) -> Move:
    """The first action of the best pair; a conflict counts with an average second action.

    If time runs out, a first action counts only when all its second actions were tried.
    """
    values: list[float | None] = []
    for each in firsts:
        another = _has_another(each.state, view.seat)
        value = _second(view, each.state, follow, evaluate) if another else None
        if view.is_late():
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


def _second(view: BotView[Any], state: State, follow: list[Move], evaluate: Evaluator) -> float:
    """The best worth that one of these moves leads to, as far as time allows."""
    best = evaluate(state, view.seat)
    for move in follow:
        if view.is_late():
            break
        if _legal(view, state, move):
            after = state.copy()
            advance(view.game, after, move, view.dice)
            best = max(best, evaluate(after, view.seat))
    return best


def _legal(view: BotView[Any], state: State, move: Move) -> bool:
    try:
        judge(view.game, state, move)
    except Refusal:
        return False
    return True


def _has_another(state: State, seat: int) -> bool:
    """Whether the seat has another action in this turn."""
    step = state.agenda[-1] if state.agenda else None
    return isinstance(step, Turn) and step.seats == (seat,)
