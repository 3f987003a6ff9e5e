"""Sets of posts, to compute a property for all posts of the board at once.

A set is an integer with a byte for each post, from the lowest on: 1 if the post is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.board import Board, Country, Post, Province
from domain.games.hansa_teutonica.state.table import FREE, State, code_of

Posts = int
"""A set of posts."""
BYTE = 8
CODES = 256


def _whose(codes: Iterable[int]) -> bytes:
    """A byte for each code of a post: 1 for these."""
    chosen = set(codes)
    return bytes(code in chosen for code in range(CODES))


_SEATS = range(len(board.PLAYER_COLOURS))
NO_PIECES = _whose((FREE,))
ALL_PIECES = _whose(code_of(seat, piece) for seat in _SEATS for piece in (0, 1))
OWN = tuple(_whose((code_of(seat, 0), code_of(seat, 1))) for seat in _SEATS)
OTHERS = tuple(bytes(a - o for a, o in zip(ALL_PIECES, own, strict=True)) for own in OWN)
"""The pieces of all seats; and by seat, its own pieces and those of others."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The sets of posts that depend only on the board."""

    names: tuple[Post, ...]  # of each post
    every: Posts
    takes: tuple[Posts, Posts]  # posts for traders, for merchants: HT-14.1
    common: Posts  # posts of England for all pieces
    routes: tuple[Posts, ...]  # the posts of each route
    kinds: tuple[int, ...]
    """By post: its route, and whether it is for merchants, as one number: HT-1.3, HT-14.1."""
    lands: dict[Country, Posts]  # the posts of each country: HT-14.3
    reach: dict[Country, Posts]  # where pieces from each country can go: HT-14.13
    rings: tuple[tuple[Posts, ...], ...]
    """By route: where a piece displaced from it can go, by distance: HT-5.5, HT-5.6, HT-14.13."""
    around: tuple[Posts, ...]  # by route: the posts of all these rings
    alike: tuple[Posts, ...]
    """Posts of the same kind as the one before them on their route, the second before, and so on.

    HT-1.3, HT-14.1.
    """
    opened: dict[str, Posts]  # posts on routes that touch each province: HT-11.4
    near: dict[str, tuple[Province, ...]]
    """By province, those over one or two borders from it, with itself: HT-11.6, HT-11.8."""


def set_of_one(post: int) -> Posts:
    """The set of only this post."""
    return 1 << BYTE * post


def all_of(posts: Iterable[int]) -> Posts:
    """The set of these posts."""
    return sum(map(set_of_one, posts))


def marks(ground: Ground, posts: Posts) -> bytes:
    """A byte for each post, 1 if it is in the set: a selector for lists by post."""
    return posts.to_bytes(len(ground.names), "little")


def each(posts: Posts) -> Iterator[Posts]:
    """A set for each of these posts, in order."""
    while posts:
        first = posts & -posts
        yield first
        posts ^= first


def free(state: State) -> Posts:
    """The posts without a piece."""
    return int.from_bytes(state.posts.translate(NO_PIECES), "little")


def one_of_each(ground: Ground, posts: Posts) -> Posts:
    """The first post of each kind on each route, which a menu lists for all: HT-1.3."""
    again = shift = 0
    for alike in ground.alike:
        shift += BYTE
        again |= (posts << shift) & alike
    return posts & ~again


@lru_cache(maxsize=64)
def ground_of(chart: Board) -> Ground:
    """The sets of posts of a board."""
    routes = tuple(map(all_of, chart.posts))
    every = all_of(range(len(chart.route_of)))
    takes = every & ~all_of(chart.reserved), every
    lands = {
        land: sum(posts for at, posts in zip(chart.lands, routes, strict=True) if at == land)
        for land in {board.ENGLAND, *chart.lands}
    }
    reach = {
        land: sum(posts for route, posts in enumerate(routes) if chart.can_go(land, route))
        for land in lands
    }
    rings = tuple(
        tuple(sum(routes[near] for near in ring) & reach[chart.lands[route]] for ring in rings)
        for route, rings in enumerate(chart.rings)
    )
    return Ground(
        names=tuple(
            (route.id, at)
            for route, span in zip(chart.map.routes, chart.posts, strict=True)
            for at in range(len(span))
        ),
        every=every,
        takes=takes,
        common=lands[board.ENGLAND] & takes[0],
        routes=routes,
        kinds=tuple(2 * at + (post in chart.reserved) for post, at in enumerate(chart.route_of)),
        lands=lands,
        reach=reach,
        rings=rings,
        around=tuple(map(sum, rings)),
        alike=tuple(_alike(chart, back) for back in range(1, max(map(len, chart.posts)))),
        opened={
            province.id: sum(routes[chart.route_number[route]] for route in province.routes)
            for province in chart.provinces
        },
        near=_near(chart.provinces),
    )


def _alike(chart: Board, back: int) -> Posts:
    """The posts of the same kind as the one `back` before them on their route."""
    return all_of(
        post
        for span in chart.posts
        for post in span[back:]
        if (post in chart.reserved) == (post - back in chart.reserved)
    )


def _near(provinces: tuple[Province, ...]) -> dict[str, tuple[Province, ...]]:
    neighbours = {each.id: each.neighbours for each in provinces}
    reached = {
        name: {*first, *(far for middle in first for far in neighbours[middle])}
        for name, first in neighbours.items()
    }
    return {
        name: tuple(each for each in provinces if each.id in there)
        for name, there in reached.items()
    }
