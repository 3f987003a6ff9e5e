"""Routes, posts and cities by name, and lists of them for menus."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from domain.engine.errors import RuleBroken
from domain.engine.play import Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.rules import name_parts
from domain.games.hansa_teutonica.rules.pieces import sets
from domain.games.hansa_teutonica.state.table import FREE, State, code_of


def route_number(state: State, route: str) -> int:
    """The number of a route. Refuses one that is not on the map: HT-1.10."""
    number = state.board.route_number.get(route)
    if number is None:
        raise RuleBroken("HT-1.10", "no_such_route", route=route)
    return number


def city_number(state: State, city: str) -> int:
    """The number of a city. Refuses one that is not on the map: HT-1.9."""
    number = state.board.city_number.get(city)
    if number is None:
        raise RuleBroken("HT-1.9", "no_such_city", city=city)
    return number


def end_number(state: State, city: str, route: int, rule: str) -> int:
    """The number of a city. Refuses by this rule one that is not at an end of the route."""
    number = city_number(state, city)
    if number not in state.board.ends[route]:
        raise RuleBroken(rule, "not_an_end", city=name_parts.city(city))
    return number


def post_number(state: State, post: board.Post) -> int:
    """The number of a post. Refuses one that the route does not have: HT-1.3."""
    span = state.board.posts[route_number(state, post[0])]
    if not 0 <= post[1] < len(span):
        raise RuleBroken(
            "HT-1.3", "no_such_post", route=name_parts.route(post[0]), last=len(span) - 1
        )
    return span.start + post[1]


def fitting_post(state: State, post: board.Post, piece: board.Piece) -> int:
    """The number of a post. Refuses one not free, or not for this piece: HT-1.3, HT-14.1."""
    at = post_number(state, post)
    if state.posts[at] != FREE:
        raise RuleBroken("HT-1.3", "occupied", post=name_parts.post(post))
    check_kind(state, at, piece)
    return at


def check_kind(state: State, at: int, piece: board.Piece) -> None:
    """Refuse a trader on a post for merchants: HT-14.1."""
    if not state.board.can_take(at, board.PIECE_NUMBER[piece]):
        raise RuleBroken("HT-14.1", "only_merchants")


def check_standing(state: State, post: board.Post, rule: str) -> int:
    """The piece on a post. Refuses by this rule a free post."""
    there = state.posts[post_number(state, post)]
    if there == FREE:
        raise RuleBroken(rule, "nothing_there")
    return there


def post_with(state: State, route: int, code: int) -> int:
    """The first post of a route with this piece, or -1."""
    span = state.board.posts[route]
    return state.posts.find(code, span.start, span.stop)


def own_codes(seat: Seat) -> set[int]:
    """The codes of the pieces of a seat."""
    return {code_of(seat, piece) for piece in range(len(board.PIECES))}


def find_standing(state: State, whose: bytes) -> list[tuple[int, int]]:
    """On each route one post for each kind of piece and owner, with the piece, for these owners.

    Posts of a route are interchangeable, so a menu lists one of them: HT-1.3. Posts for merchants
    are a kind among themselves: HT-14.1.
    """
    posts, kinds = state.posts, sets.ground_of(state.board).kinds
    standing = [*compress(range(len(posts)), posts.translate(whose))]
    first = {(kinds[at], posts[at]): at for at in reversed(standing)}
    return [(at, posts[at]) for at in sorted(first.values())]


def free_posts(state: State) -> Iterator[board.Post]:
    """The first free post of each kind on each route: HT-1.3, HT-14.1."""
    ground = sets.ground_of(state.board)
    return compress(ground.names, sets.marks(ground, sets.one_of_each(ground, sets.free(state))))
