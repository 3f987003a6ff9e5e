"""The move that somebody points at, or why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from domain.engine.errors import RuleBroken, Unfinished
from domain.engine.game import Game, candidates, judge, legal_moves, tree
from domain.engine.play import Move, Seat
from domain.engine.touch import Touch


def pointed_at(game: Game[Any], state: Any, seat: Seat, view: Any, path: Sequence[Touch]) -> Move:
    """The one legal move of an awaited seat to which these touches, or parts, lead.

    Unfinished if there are several, RuleBroken if there is none: with what most often forbids the
    moves that begin so, or else with what is said to whatever does not answer the step.
    """
    legal = tree(game, view, legal_moves(game, state, seat))
    match legal.left(path):
        case [move]:
            return move
        case []:
            raise _why_not(game, state, seat, view, path)
        case _:
            raise Unfinished(legal.choices(path))


def _why_not(
    game: Game[Any], state: Any, seat: Seat, view: Any, path: Sequence[Touch]
) -> RuleBroken:
    near = tree(game, view, candidates(game, state, seat)).left(path)
    refusals = list(_refusals(game, state, near))
    if not refusals:
        return game.answers.refusal(state.agenda[-1])
    often = Counter(map(_said, refusals))
    return max(refusals, key=lambda refusal: often[_said(refusal)])  # the first of them


def _refusals(game: Game[Any], state: Any, moves: Sequence[Move]) -> Iterator[RuleBroken]:
    for move in moves:
        try:
            judge(game, state, move)
        except RuleBroken as refusal:
            yield refusal


def _said(refusal: RuleBroken) -> tuple[str, str]:
    return refusal.rule, refusal.text
