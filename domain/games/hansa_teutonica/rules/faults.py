"""What several judges ask, and how a refusal is told."""

from __future__ import annotations

from typing import NoReturn

from domain.engine.errors import RuleBroken
from domain.engine.play import Seat
from domain.games.hansa_teutonica.board import MARKER_NUMBER, Marker, Piece
from domain.games.hansa_teutonica.events import Post
from domain.games.hansa_teutonica.state import FREE, KINDS, State


def broken(rule: str, fault: str, reason: str) -> NoReturn:
    """Refuse a move."""
    raise RuleBroken(rule, fault, reason)


def route_number(state: State, route: str) -> int:
    """HT-1.10"""
    number = state.board.route_number.get(route)
    if number is None:
        broken("HT-1.10", "no_such_route", f"There is no route {route!r}.")
    return number


def city_number(state: State, city: str) -> int:
    """HT-1.9"""
    number = state.board.city_number.get(city)
    if number is None:
        broken("HT-1.9", "no_such_city", f"There is no city {city!r}.")
    return number


def post_number(state: State, post: Post) -> int:
    """HT-1.3"""
    span = state.board.posts[route_number(state, post[0])]
    if not 0 <= post[1] < len(span):
        broken("HT-1.3", "no_such_post", f"{post[0]} has posts 0 to {len(span) - 1}.")
    return span.start + post[1]


def free_post(state: State, post: Post) -> int:
    """HT-1.3"""
    at = post_number(state, post)
    if state.posts[at] != FREE:
        broken("HT-1.3", "occupied", f"A piece stands on post {post[1]} of {post[0]}.")
    return at


def fitting_post(state: State, post: Post, piece: Piece) -> int:
    """HT-1.3, HT-14.1"""
    at = free_post(state, post)
    takes(state, at, piece)
    return at


def takes(state: State, at: int, piece: Piece) -> None:
    """HT-14.1"""
    if piece == "trader" and at in state.board.reserved:
        broken("HT-14.1", "only_merchants", "Only merchants may stand on this post.")


def has_action(state: State) -> None:
    """HT-3.2, HT-11.6"""
    if state.closed:
        broken("HT-11.6", "turn_closed", "After the free move of the pawn the turn can only end.")
    if not state.actions:
        broken("HT-3.2", "no_action_left", "No action is left in this turn.")


def in_province(state: State, route: str) -> None:
    """HT-11.4"""
    if state.pawn is None:
        return
    touched = next(p.routes for p in state.setup.provinces if p.id == state.pawn)
    if route not in touched:
        reason = f"{route} does not touch province {state.pawn}, where the pawn stands."
        broken("HT-11.4", "outside_province", reason)


def has_marker(state: State, seat: Seat, kind: Marker) -> None:
    """HT-8.1, HT-13.2"""
    number = MARKER_NUMBER[kind]
    ready = state.ready[seat * KINDS + number]
    if not ready:
        broken("HT-8.1", "no_such_marker", f"You have no marker {kind} that lies face up.")
    if state.setup.marker_use == "later_turn" and ready == state.fresh[number]:
        broken("HT-8.1", "marker_too_fresh", f"You took the marker {kind} in this turn.")
