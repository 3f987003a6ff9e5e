"""Finds the move that a sequence of touches stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.errors import BadMove, IncompleteMove, RuleBroken
from domain.engine.game import Game, candidates, judge, legal_moves, touch_tree
from domain.engine.play import Move, Seat
from domain.engine.touches import Touch, id_of, kind_of


def resolve_touches(
    game: Game[Any], state: Any, seat: Seat, view: Any, path: Sequence[Touch]
) -> Move:
    """The one legal move of a deciding seat that this path of touches, or parts, leads to.

    Raises IncompleteMove if there are several. Raises RuleBroken if there is none: the most
    frequent refusal of the moves that start like this, or else the refusal of a move that does not
    answer the step. It lists what could be touched instead.
    """
    legal = touch_tree(game, view, legal_moves(game, state, seat))
    match legal.moves_at(path):
        case [move]:
            return move
        case []:
            try:
                return _equivalent_move(game, state, seat, view, path, set(legal.ways.values()))
            except RuleBroken as refusal:
                refusal.refused_touch, refusal.choices = legal.alternatives(path)
                raise
        case _:
            raise IncompleteMove(legal.choices(path))


def _equivalent_move(
    game: Game[Any], state: Any, seat: Seat, view: Any, path: Sequence[Touch], listed: set[Move]
) -> Move:
    """The legal move that is not listed because a listed one has the same effect."""
    others = (move for move in candidates(game, state, seat) if move not in listed)
    offered = touch_tree(game, view, others).moves_at(path)
    tried = offered or tuple(_moves_implied(game, state, seat, view, path))
    refusals = {move: _refusal(game, state, move) for move in tried}
    match [move for move, refusal in refusals.items() if refusal is None]:
        case [move]:
            return move
        case _:
            raise _main_refusal(game, state, [refusal for refusal in refusals.values() if refusal])


def _main_refusal(game: Game[Any], state: Any, refusals: Sequence[RuleBroken]) -> RuleBroken:
    """The most frequent refusal, the first of equal ones; without any, that of the step."""
    if not refusals:
        return game.answers.refusal(state.agenda[-1])
    counts = Counter(map(_refusal_key, refusals))
    return max(refusals, key=lambda refusal: counts[_refusal_key(refusal)])


def _moves_implied(
    game: Game[Any], state: Any, seat: Seat, view: Any, path: Sequence[Touch]
) -> Iterator[Move]:
    """The moves that these touches imply and that answer the current step."""
    parts = {kind.kind for kind in game.touch_kinds if kind.role == "part"}
    names = [name for name in path if kind_of(name) not in parts]
    answers = game.answers.moves_for(type(state.agenda[-1]))
    meant = game.pointing.implied_moves.get(tuple(map(kind_of, names)))
    for data in meant(view, *map(id_of, names)) if meant else ():
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


def _refusal_key(refusal: RuleBroken) -> tuple[str, str]:
    return refusal.rule, refusal.text
