"""All that a seat may choose: what the table of answers offers and allows, found at once.

The judges stay where they are, for these lists stand on the same words as they do: which posts are
free, near, open, or fit for a piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from domain.engine.answers import always
from domain.engine.errors import RuleBroken
from domain.engine.play import Move, Seat
from domain.games.hansa_teutonica import moves
from domain.games.hansa_teutonica.rules import (
    abilities,
    actions,
    establishing,
    markers,
    offices,
    pawn,
)
from domain.games.hansa_teutonica.rules.answers import ANSWERS
from domain.games.hansa_teutonica.rules.pieces import moving, relocating, sets
from domain.games.hansa_teutonica.state import steps
from domain.games.hansa_teutonica.state.table import State

CHOICES: tuple[tuple[Callable[..., Iterable[Move]], Callable[..., None]], ...] = (
    (establishing.nothing, always),
    (offices.offices, offices.check_office),
    (offices.extra_offices, offices.check_extra_office),
    (abilities.improvements, abilities.check_city),
    (establishing.prizes, establishing.check_prize),
)
"""For what a route can be established, as in the table of answers, and what refuses it: HT-6.5.
Each row of that table would look for the own routes again."""


def legal(state: State, seat: Seat) -> list[Move]:
    """All moves of a seat that the last step waits for, in the order of the table of answers."""
    step = state.agenda[-1]
    find = _FOUND.get(type(step))
    return find(state, step, seat) if find else ANSWERS.legal(state, seat)


def _in_turn(state: State, step: steps.Turn, seat: Seat) -> list[Move]:
    """Actions, markers and the pawn: HT-3.2, HT-3.3, HT-3.5, HT-11.6."""
    found: list[Move] = [_end_of_turn(seat)]
    if state.actions and not state.closed:
        found += actions.incomes(state, step, seat)
        found += actions.allowed_placings(state, seat)
        found += moving.own_pieces(state, step, seat)
        found += actions.allowed_displacings(state, seat)
        found += _established(state, seat)
    if not state.closed and any(state.markers_of(state.ready, seat)):
        found += markers.allowed_swaps(state, seat)
        found += markers.allowed_uses(state, seat)
        found += markers.allowed_improvements(state, seat)
    if state.board.provinces:
        found += pawn.ways(state, step, seat)
        found += pawn.far_ways(state, step, seat)
    return found


@lru_cache(maxsize=1 << 3)
def _end_of_turn(seat: Seat) -> moves.EndTurn:
    return moves.EndTurn(seat)


def _established(state: State, seat: Seat) -> list[Move]:
    """What own routes may be established for, asked one by one since few are: HT-6.1, HT-11.4."""
    chart, posts = state.setup.map.routes, sets.ground_of(state.board).routes
    opened = pawn.opened(state)
    routes = [route for route in establishing.own_routes(state, seat) if posts[route] & opened]
    return [
        move
        for offer, judge in (CHOICES if routes else ())
        for route in routes
        for move in offer(state, chart[route], seat)
        if _is_allowed(judge, state, route, move)
    ]


def _is_allowed(judge: Callable[..., None], state: State, route: int, move: Move) -> bool:
    try:
        judge(state, route, move)
    except RuleBroken:
        return False
    return True


def _relocating(state: State, step: steps.Relocate, seat: Seat) -> list[Move]:
    """Declining, once the displaced piece is placed, and the pieces: HT-5.3, HT-5.8."""
    found: list[Move] = [moves.DeclineExtras(seat)] if step.placed else []
    found += relocating.allowed_relocations(state, step, seat)
    return found


def _moving(state: State, step: steps.Moving, seat: Seat) -> list[Move]:
    """Declining a bonus of which nothing is used, putting down and lifting: HT-4.4, HT-14.4."""
    found: list[Move] = [moves.DeclineBonus(seat)] if step.bonus and not step.held else []
    found += moving.allowed_puttings(state, step, seat)
    found += moving.allowed_liftings(state, step, seat)
    return found


def _laying(state: State, step: steps.PlaceMarkers, seat: Seat) -> list[Move]:
    """Each drawn marker on each route that is fit: HT-8.9."""
    return [*markers.allowed_layings(state, step, seat)]


_FOUND: dict[type[Any], Callable[[State, Any, Seat], list[Move]]] = {
    steps.Turn: _in_turn,
    steps.Relocate: _relocating,
    steps.Moving: _moving,
    steps.PlaceMarkers: _laying,
}
"""By step; the others are rare, and short."""
