"""All legal moves of a seat, found faster than by the table of answers.

The table's judges still decide. Both use the same helpers, which find the free, near, allowed and
fitting posts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from domain.engine.answers import allow_any
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
    (establishing.offer_nothing, allow_any),
    (offices.offer_offices, offices.check_office),
    (offices.offer_extra_offices, offices.check_extra_office),
    (abilities.offer_improvements, abilities.check_city),
    (establishing.offer_prizes, establishing.check_prize),
)
"""By choice for a route, its offer and its judge, as in the table of answers: HT-6.5. Each row of
that table would search the routes of the seat again.
"""


def find_legal_moves(state: State, seat: Seat) -> list[Move]:
    """All moves of a seat that the last step waits for, in the order of the table of answers."""
    step = state.agenda[-1]
    find = _FINDERS.get(type(step))
    return find(state, step, seat) if find else ANSWERS.legal_moves(state, seat)


def _in_turn(state: State, step: steps.Turn, seat: Seat) -> list[Move]:
    """Actions, markers and the pawn: HT-3.2, HT-3.3, HT-3.5, HT-11.6."""
    found: list[Move] = [_end_of_turn(seat)]
    if state.actions and not state.closed:
        found += actions.offer_incomes(state, step, seat)
        found += actions.legal_placings(state, seat)
        found += moving.offer_own_pieces(state, step, seat)
        found += actions.legal_displacings(state, seat)
        found += _establishing(state, seat)
    if not state.closed and any(state.markers_of(state.ready, seat)):
        found += markers.legal_swaps(state, seat)
        found += markers.legal_uses(state, seat)
        found += markers.legal_improvements(state, seat)
    if state.board.provinces:
        found += pawn.offer_moves(state, step, seat)
        found += pawn.offer_sends(state, step, seat)
    return found


@lru_cache(maxsize=1 << 3)
def _end_of_turn(seat: Seat) -> moves.EndTurn:
    return moves.EndTurn(seat)


def _establishing(state: State, seat: Seat) -> list[Move]:
    """The choices for the seat's routes, judged one by one as there are few: HT-6.1, HT-11.4."""
    chart, posts = state.setup.map.routes, sets.ground_of(state.board).routes
    opened = pawn.open_posts(state)
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
    """The moves to place the displaced piece and extra ones, or to decline: HT-5.3, HT-5.8."""
    found: list[Move] = [moves.DeclineExtras(seat)] if step.placed else []
    found += relocating.legal_relocations(state, step, seat)
    return found


def _moving(state: State, step: steps.Moving, seat: Seat) -> list[Move]:
    """The moves to decline an unused bonus, to put down and to lift: HT-4.4, HT-14.4."""
    found: list[Move] = [moves.DeclineBonus(seat)] if step.bonus and not step.held else []
    found += moving.legal_puttings(state, step, seat)
    found += moving.legal_liftings(state, step, seat)
    return found


def _laying(state: State, step: steps.PlaceMarkers, seat: Seat) -> list[Move]:
    """Each drawn marker on each route that can take one: HT-8.9."""
    return [*markers.legal_layings(state, step, seat)]


_FINDERS: dict[type[Any], Callable[[State, Any, Seat], list[Move]]] = {
    steps.Turn: _in_turn,
    steps.Relocate: _relocating,
    steps.Moving: _moving,
    steps.PlaceMarkers: _laying,
}
"""By step; the other steps are rare and have few moves."""
