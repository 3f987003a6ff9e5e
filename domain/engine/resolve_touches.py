"""The move that somebody points at, or why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.errors import BadMove, RuleBroken, Unfinished
from domain.engine.game import Game, candidates, judge, legal_moves, tree
from domain.engine.play import Move, Seat
from domain.engine.touches import Touch, kind_of, which


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
            return _equal_to_a_listed_one(game, state, seat, view, path)
        case _:
            raise Unfinished(legal.choices(path))


def _equal_to_a_listed_one(
    game: Game[Any], state: Any, seat: Seat, view: Any, path: Sequence[Touch]
) -> Move:
    """Of moves that come to the same only one is listed, but the others are legal as well."""
    offered = tree(game, view, candidates(game, state, seat)).left(path)
    tried = offered or tuple(_meant(game, state, seat, view, path))
    refusals = {move: _refusal(game, state, move) for move in tried}
    match [move for move, refusal in refusals.items() if refusal is None]:
        case [move]:
            return move
        case _:
            raise _why_not(game, state, [refusal for refusal in refusals.values() if refusal])


def _why_not(game: Game[Any], state: Any, refusals: Sequence[RuleBroken]) -> RuleBroken:
    """The most frequent refusal, of equal ones the first; that of the step if there is none."""
    if not refusals:
        return game.answers.refusal(state.agenda[-1])
    often = Counter(map(_said, refusals))
    return max(refusals, key=lambda refusal: often[_said(refusal)])


def _meant(
    game: Game[Any], state: Any, seat: Seat, view: Any, path: Sequence[Touch]
) -> Iterator[Move]:
    """What the game knows of these names, as far as it answers the step."""
    parts = {kind.kind for kind in game.touch_kinds if kind.role == "part"}
    names = [name for name in path if kind_of(name) not in parts]
    answers = game.answers.to(type(state.agenda[-1]))
    meant = game.meant.get(tuple(map(kind_of, names)))
    for data in meant(view, *map(which, names)) if meant else ():
        with suppress(BadMove):
            move = json_codec.read_move(game, seat, data)
            if isinstance(move, answers):
                yield move


def _refusal(game: Game[Any], state: Any, move: Move) -> RuleBroken | None:
    try:
        judge(game, state, move)
    except RuleBroken as refusal:
        return refusal
    return None


def _said(refusal: RuleBroken) -> tuple[str, str]:
    return refusal.rule, refusal.text
