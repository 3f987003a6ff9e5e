"""Establishing a route, and the choices for it: chapter 6."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import compress
from typing import TypeVar

from domain.engine.answers import Answer
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.board import PIECES, Route
from domain.games.hansa_teutonica.events import routes
from domain.games.hansa_teutonica.moves import (
    Establishing,
    EstablishRoute,
    ImproveAbility,
    TakeSpecialPrestige,
)
from domain.games.hansa_teutonica.rules import bonuses, markers, name_parts, offices, pawn, turns
from domain.games.hansa_teutonica.rules.pieces import places, sets
from domain.games.hansa_teutonica.scoring import controller
from domain.games.hansa_teutonica.state.steps import CheckEnd, Turn
from domain.games.hansa_teutonica.state.table import FREE, State, code_of

E = TypeVar("E", bound=Establishing)


def choice(
    move: type[E],
    offer: Callable[[State, Route, Seat], Iterable[E]],
    judge: Callable[[State, int, E], None],
    deed: Callable[[Play[State], E], None],
) -> Answer[State, Turn, E]:
    """A row of the table: one thing to establish a route for: HT-4.5, HT-6.5."""

    def offer_on_routes(state: State, _step: Turn, seat: Seat) -> Iterable[E]:
        chart = state.setup.map.routes
        return [
            move
            for route in own_routes(state, seat)
            for move in offer(state, chart[route], seat)
            if _is_allowed(judge, state, route, move)
        ]

    def judge_on_route(state: State, _step: Turn, move: E) -> None:
        judge(state, _check_route(state, move), move)

    def establish(p: Play[State], _step: Turn, move: E) -> None:
        _establish(p, move, lambda: deed(p, move))

    return turns.action(move, offer_on_routes, judge_on_route, establish, can_establish)


def _is_allowed(judge: Callable[[State, int, E], None], state: State, route: int, move: E) -> bool:
    try:
        pawn.check_in_province(state, move.route)
        judge(state, route, move)
    except RuleBroken:
        return False
    return True


def can_establish(state: State, seat: Seat) -> bool:
    """Whether an action and a route are left to establish: HT-4.5, HT-6.1."""
    return turns.can_act(state, seat) and bool(own_routes(state, seat))


def own_routes(state: State, seat: Seat) -> list[int]:
    """The routes with pieces of this seat on all posts: HT-6.1."""
    posts = state.board.posts
    own = state.posts.translate(sets.OWN[seat])
    touched = dict.fromkeys(compress(state.board.route_of, own))
    return [at for at in touched if own.find(0, posts[at].start, posts[at].stop) < 0]


def _check_route(state: State, move: Establishing) -> int:
    """Find the route; refuse one not all theirs, or outside the province: HT-6.1."""
    route = places.route_number(state, move.route)
    if route not in own_routes(state, move.seat):
        _refuse_unfinished(move)
    pawn.check_in_province(state, move.route)
    return route


def _refuse_unfinished(move: Establishing) -> None:
    """Refuse a route not all theirs, with what it would bring: HT-6.1."""
    route = name_parts.route(move.route)
    if isinstance(move, ImproveAbility):
        raise RuleBroken(
            "HT-6.1",
            "not_all_yours",
            "fault_not_all_yours_ability",
            route=route,
            ability=name_parts.ABILITIES[move.ability],
        )
    if isinstance(move, TakeSpecialPrestige):
        raise RuleBroken("HT-6.1", "not_all_yours", "fault_not_all_yours_prize", route=route)
    raise RuleBroken("HT-6.1", "not_all_yours", route=route)


def _establish(p: Play[State], move: Establishing, choose: Callable[[], None]) -> None:
    """Give prestige, then the marker, then the choice; return the other pieces: HT-6.1,
    HT-6.2.

    A permanent bonus comes last, and the end of the game waits for all of it: HT-9.2, HT-14.4.
    """
    p.emit(routes.RouteEstablished(move.seat, move.route))
    _reward_controllers(p, move.route)
    p.then(CheckEnd(short=_take_marker(p, move.seat, move.route)))
    choose()
    left = _clear(p, move.seat, move.route)
    bonuses.grant(p, move.seat, p.state.board.route_number[move.route], left)


def _reward_controllers(p: Play[State], route: str) -> None:
    """Give a point to the controller of each of the two cities: HT-6.3, HT-9.4."""
    for city in p.state.setup.map.routes[p.state.board.route_number[route]].cities:
        seat = controller(p.state, p.state.board.city_number[city])
        if seat is not None:
            p.emit(routes.PrestigeGained(seat, city, 1))


def _take_marker(p: Play[State], seat: Seat, route: str) -> bool:
    """Take the marker of the route. Returns whether the supply is short now: HT-6.4, HT-13.3."""
    marker = p.state.markers[p.state.board.route_number[route]]
    if not marker:
        return False
    p.emit(routes.MarkerTaken(seat, route, board.MARKERS[marker - 1]))
    on_take = p.state.setup.marker_refill == "on_take"
    return on_take and markers.count_missing(p.state) > p.state.drawable()


def _clear(p: Play[State], seat: Seat, route: str) -> tuple[int, int]:
    """Return the other pieces to the stock. Returns how many of each kind: HT-6.12."""
    span = p.state.board.posts[p.state.board.route_number[route]]
    codes = p.state.posts[span.start : span.stop]
    traders, merchants = (codes.count(code_of(seat, piece)) for piece in range(len(PIECES)))
    p.emit(routes.RouteCleared(seat, route, traders, merchants))
    return traders, merchants


def offer_nothing(_state: State, route: Route, seat: Seat) -> tuple[EstablishRoute]:
    """The route without a choice: HT-6.11."""
    return (EstablishRoute(seat, route.id),)


def choose_nothing(_p: Play[State], _move: EstablishRoute) -> None:
    """Choose nothing, which is always possible: HT-6.11."""


def offer_prizes(state: State, route: Route, seat: Seat) -> Iterator[TakeSpecialPrestige]:
    """Each space that the seat can take, if this is the route to it: HT-6.10."""
    if route.id == state.setup.map.special_prestige.route:
        for space in find_open_prizes(state, seat):
            yield TakeSpecialPrestige(seat, route.id, space)


def find_open_prizes(state: State, seat: Seat) -> Iterator[int]:
    """The free spaces of special prestige with a colour that the seat has: HT-6.10."""
    for space, colour in enumerate(state.board.prize_colours):
        if state.special[space] == FREE and offices.has_privilege(state, seat, colour):
            yield space


def check_prize(state: State, route: int, move: TakeSpecialPrestige) -> None:
    """Refuse another route, a space the seat cannot take, or a route without merchant: HT-6.10."""
    if route != state.board.prize_route:
        needed = name_parts.route(state.setup.map.special_prestige.route)
        raise RuleBroken("HT-6.10", "other_route", route=needed)
    if not 0 <= move.space < len(state.special):
        raise RuleBroken("HT-6.10", "no_such_space", last=len(state.special) - 1)
    if state.special[move.space] != FREE:
        raise RuleBroken("HT-6.10", "occupied", "fault_occupied_space")
    if places.post_with(state, route, code_of(move.seat, board.MERCHANT)) < 0:
        raise RuleBroken("HT-6.10", "no_merchant")
    colour = state.board.prize_colours[move.space]
    offices.check_privilege(state, move.seat, "HT-6.10", colour)


def take_prize(p: Play[State], move: TakeSpecialPrestige) -> None:
    """Put a merchant of the route on a space that scores at the end: HT-6.10."""
    post = offices.post_of(p.state, move.seat, move.route, "merchant")
    points = p.state.board.prize_points[move.space]
    p.emit(routes.SpecialPrestigeTaken(move.seat, move.space, points, post))
