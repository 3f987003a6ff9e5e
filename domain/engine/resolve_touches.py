"""Finds the move that a sequence of touches stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.errors import IncompleteMove, RuleBroken
from domain.engine.game import Game, candidates, judge, legal_moves, touch_tree
from domain.engine.play import Move, Seat
from domain.engine.touches import Touch, TouchTree, Way, goes_through, id_of, kind_of


def resolve_touches(
    game: Game[Any],
    state: Any,
    seat: Seat,
    view: Any,
    path: Sequence[Touch],
    legal: TouchTree[Move] | None = None,
) -> Move:
    """The one legal move of a deciding seat that this path of touches, or parts, leads to; touches
    without parts may be in any order; of two of one kind, the first one comes first if it can.
    `legal` is the tree of all legal moves, if it is known.

    Raises IncompleteMove if there are several. Raises RuleBroken if there is none: the most
    frequent refusal of the moves that start like this, or else the refusal of a move that does not
    answer the step. It lists what could be touched instead.
    """
    legal = legal or touch_tree(game, view, legal_moves(game, state, seat))
    if fitting := legal.moves_at(path):
        return _only_move(fitting, legal.choices(path))
    names = _touches_of(game, path)
    if names and len(names) == len(path) and (rest := legal.after(names)).ways:
        return _only_move(rest.moves_at(()), rest.choices(()))
    try:
        unlisted = _unlisted_moves(game, state, seat, view, path, legal)
    except RuleBroken as refusal:
        if len({*names}) == len(path) and (rest := legal.after_each(names)).ways:
            return _only_move(rest.moves_at(()), rest.choices(()))
        refusal.refused_touch, refusal.choices = legal.alternatives(path)
        raise
    rest = unlisted.after(names)
    return _only_move(unlisted.moves_at(()), rest.choices(()), unlisted.ways)


def _only_move(
    moves: Sequence[Move], choices: Sequence[Touch], unlisted: Mapping[Way, Move] | None = None
) -> Move:
    """The only move. Raises IncompleteMove if there are several."""
    if len(moves) == 1:
        return moves[0]
    raise IncompleteMove(choices, unlisted)


def _touches_of(game: Game[Any], path: Iterable[Touch]) -> list[Touch]:
    """The touches of a path without its parts."""
    parts = {kind.kind for kind in game.touch_kinds if kind.role == "part"}
    return [name for name in path if kind_of(name) not in parts]


def _unlisted_moves(
    game: Game[Any],
    state: Any,
    seat: Seat,
    view: Any,
    path: Sequence[Touch],
    legal: TouchTree[Move],
) -> TouchTree[Move]:
    """The legal moves at a path that are not listed, because a listed one has the same effect.
    Raises RuleBroken if there is none.
    """
    listed, names = set(legal.ways.values()), _touches_of(game, path)
    others = (move for move in candidates(game, state, seat) if move not in listed)
    offered = touch_tree(game, view, others).moves_at(path)
    implied = _moves_implied(game, state, seat, view, names)
    alike = {
        way: _moves_implied(game, state, seat, view, way) for way in _ways_through(legal, names)
    }
    tried = dict.fromkeys((*offered, *implied, *chain.from_iterable(alike.values())))
    refusals = {move: _refusal(game, state, move) for move in tried}
    allowed = touch_tree(game, view, [move for move in tried if refusals[move] is None])
    found = {way: move for way, move in allowed.ways.items() if goes_through(way, names)}
    if found:
        return TouchTree(found, legal.part_of)
    if len(meant := [move for move in implied if refusals[move] is None]) == 1:
        return touch_tree(game, view, meant)
    clear = chain.from_iterable(moves for way, moves in alike.items() if _has_distinct_kinds(way))
    reasons = [refusals[move] for move in offered or implied or clear]
    raise _main_refusal(game, state, [reason for reason in reasons if reason])


def _has_distinct_kinds(way: Way) -> bool:
    """Whether no two touches are of one kind, so that none has to fit another of its kind."""
    return len(set(_kinds_of(way))) == len(way)


def _kinds_of(way: Iterable[Touch]) -> tuple[str, ...]:
    return tuple(map(kind_of, way))


def _main_refusal(game: Game[Any], state: Any, refusals: Sequence[RuleBroken]) -> RuleBroken:
    """The most frequent refusal, the first of equal ones; without any, that of the step."""
    if not refusals:
        return game.answers.refusal(state.agenda[-1])
    counts = Counter(map(_refusal_key, refusals))
    return max(refusals, key=lambda refusal: counts[_refusal_key(refusal)])


def _ways_through(legal: TouchTree[Move], names: Sequence[Touch]) -> set[Way]:
    """The ways with all these touches, if each that is on no listed way stood for any of its kind
    that is.
    """
    if not names:
        return set()
    ways, listed = set(legal.ways), set(chain.from_iterable(legal.ways))
    for name in names:
        if name not in listed:
            kind = kind_of(name)
            ways = {
                (*way[:place], name, *way[place + 1 :])
                for way in ways
                for place, old in enumerate(way)
                if kind_of(old) == kind
            }
    return {way for way in ways if goes_through(way, names)}


def _moves_implied(
    game: Game[Any], state: Any, seat: Seat, view: Any, names: Sequence[Touch]
) -> list[Move]:
    """The moves that these touches imply and that answer the current step."""
    meant = game.pointing.implied_moves.get(_kinds_of(names))
    if meant is None:
        return []
    answers = game.answers.moves_for(type(state.agenda[-1]))
    found = (json_codec.find_move(game, seat, data) for data in meant(view, *map(id_of, names)))
    return [move for move in found if isinstance(move, answers)]


def _refusal(game: Game[Any], state: Any, move: Move) -> RuleBroken | None:
    try:
        judge(game, state, move)
    except RuleBroken as refusal:
        return refusal
    return None


def _refusal_key(refusal: RuleBroken) -> tuple[str, str]:
    return refusal.rule, refusal.text
