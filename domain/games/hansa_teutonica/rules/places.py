"""Routes, posts and cities: found by their names, and listed for menus."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.rules import named
from domain.games.hansa_teutonica.state.table import FREE, State, code_of, owner_of


def route_number(state: State, route: str) -> int:
    """Find a route, or refuse one that is not on the map: HT-1.10."""
    number = state.board.route_number.get(route)
    if number is None:
        raise RuleBroken("HT-1.10", "no_such_route", route=route)
    return number


def city_number(state: State, city: str) -> int:
    """Find a city, or refuse one that is not on the map: HT-1.9."""
    number = state.board.city_number.get(city)
    if number is None:
        raise RuleBroken("HT-1.9", "no_such_city", city=city)
    return number


def end_number(state: State, city: str, route: int, rule: str) -> int:
    """Find a city, or refuse by this rule one that is no end of the route."""
    number = city_number(state, city)
    if number not in state.board.ends[route]:
        raise RuleBroken(rule, "not_an_end", city=named.city(city))
    return number


def post_number(state: State, post: board.Post) -> int:
    """Find a post, or refuse one that the route does not have: HT-1.3."""
    span = state.board.posts[route_number(state, post[0])]
    if not 0 <= post[1] < len(span):
        raise RuleBroken("HT-1.3", "no_such_post", route=named.route(post[0]), last=len(span) - 1)
    return span.start + post[1]


def fitting_post(state: State, post: board.Post, piece: board.Piece) -> int:
    """Find a post, or refuse one that is not free or not for this piece: HT-1.3, HT-14.1."""
    at = post_number(state, post)
    if state.posts[at] != FREE:
        raise RuleBroken("HT-1.3", "occupied", post=named.post(post))
    check_kind(state, at, piece)
    return at


def check_kind(state: State, at: int, piece: board.Piece) -> None:
    """Refuse a trader on a post for merchants: HT-14.1."""
    if not state.board.takes(at, board.PIECE_NUMBER[piece]):
        raise RuleBroken("HT-14.1", "only_merchants")


def check_standing(state: State, post: board.Post, rule: str) -> int:
    """Find the piece on a post, or refuse by this rule a post that is free."""
    there = state.posts[post_number(state, post)]
    if there == FREE:
        raise RuleBroken(rule, "nothing_there")
    return there


def post_with(state: State, route: int, code: int) -> int:
    """The first post of a route with this piece, or -1."""
    span = state.board.posts[route]
    return state.posts.find(code, span.start, span.stop)


def own_codes(seat: Seat) -> set[int]:
    """The pieces of a seat as they stand on posts."""
    return {code_of(seat, piece) for piece in range(len(board.PIECES))}


def standing(state: State) -> Iterator[tuple[board.Post, int]]:
    """On each route one piece of each kind and owner: its post, and the piece."""
    posts = state.posts
    for number, span in enumerate(state.board.posts):
        for code in set(posts[span.start : span.stop]) - {FREE}:
            yield from ((post, code) for post in posts_with(state, number, code))


def own_standing(state: State, seat: Seat) -> Iterator[tuple[board.Post, int]]:
    """On each route one piece of each kind that a seat has there."""
    return ((post, code) for post, code in standing(state) if owner_of(code) == seat)


def free_posts(state: State) -> Iterator[board.Post]:
    """The first free post of each route that has one."""
    for number in range(len(state.board.posts)):
        if state.free_post(number) >= 0:
            yield from posts_with(state, number, FREE)


def posts_with(state: State, route: int, code: int) -> Iterator[board.Post]:
    """The first post of a route with this piece, and the first of those unlike it.

    Posts of a route are equal, so a menu names one for all: HT-1.3; but for those of merchants,
    which are equal among themselves: HT-14.1.
    """
    span, reserved = state.board.posts[route], state.board.reserved
    at = state.posts.index(code, span.start, span.stop)
    name = state.setup.map.routes[route].id
    yield name, at - span.start
    if reserved:
        alike = at in reserved
        for post in range(at + 1, span.stop):
            if state.posts[post] == code and (post in reserved) != alike:
                yield name, post - span.start
                return
