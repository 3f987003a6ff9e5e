"""Wales and Scotland: permissions to place and displace, and where pieces can go: chapter 14."""

from __future__ import annotations

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica.board import ENGLAND, Country, Post
from domain.games.hansa_teutonica.events.course import PermissionUsed
from domain.games.hansa_teutonica.rules import name_parts
from domain.games.hansa_teutonica.rules.pieces import sets
from domain.games.hansa_teutonica.rules.pieces.sets import Posts
from domain.games.hansa_teutonica.scoring import rightmost
from domain.games.hansa_teutonica.state.steps import Moving
from domain.games.hansa_teutonica.state.table import State, piece_of


def check_permission(state: State, seat: Seat, route: str) -> None:
    """Refuse to place or displace in a country without its permission: HT-14.12."""
    there = sets.ground_of(state.board).routes[state.board.route_number[route]]
    if not find_permitted(state, seat) & there:
        country = name_parts.COUNTRIES[_land(state, route)]
        raise RuleBroken("HT-14.12", "no_permission", country=country)


def find_permitted(state: State, seat: Seat) -> Posts:
    """The posts that need no permission, or for which a city of the seat gives one: HT-14.12."""
    ground = sets.ground_of(state.board)
    if not state.board.divided:
        return ground.every
    return sum(
        posts
        for land, posts in ground.lands.items()
        if land == ENGLAND or _gateway(state, seat, land) is not None
    )


def use_permission(p: Play[State], seat: Seat, route: str) -> None:
    """Use up the permission of a city, if one is needed: HT-14.12."""
    land = _land(p.state, route)
    if land != ENGLAND:
        city = _gateway(p.state, seat, land)
        assert city is not None
        p.emit(PermissionUsed(seat, city, land))


def check_moved(state: State, lifted: Post, post: Post) -> None:
    """Refuse an extra piece that leaves its country, unless to England: HT-14.13."""
    land, there = land_of(state, lifted), state.board.route_number[post[0]]
    if not state.board.can_go(land, there):
        end = name_parts.COUNTRIES[land_of(state, post)]
        raise RuleBroken("HT-14.13", "wrong_country", start=name_parts.COUNTRIES[land], end=end)


def find_held(state: State, step: Moving, code: int, country: Country | None, route: str) -> int:
    """The index of the held piece for a route: the least free one that fits, or -1: HT-14.13."""
    if not state.board.divided:
        return step.held.index(code)
    there = sets.ground_of(state.board).routes[state.board.route_number[route]]
    for at, (held, land) in enumerate(zip(step.held, step.lands, strict=True)):
        if held == code and country in (None, land) and reachable_posts(state, step, land) & there:
            return at
    return -1


def reachable_posts(state: State, step: Moving, land: Country) -> Posts:
    """The posts where a held piece from this country can go: HT-13.4, HT-14.13."""
    ground = sets.ground_of(state.board)
    return (ground.lands if step.marker else ground.reach)[land]


def posts_with_room(
    state: State, step: Moving, code: int, country: Country | None, posts: Posts
) -> Posts:
    """The posts for a held piece that leave a post for each of the others: HT-14.1, HT-14.13."""
    if country is None:
        number = step.held.index(code)
    else:
        number = list(zip(step.held, step.lands, strict=True)).index((code, country))
        posts &= reachable_posts(state, step, country)
    if not step.marker and _common_posts(state, sets.free(state)) > len(step.held):
        return posts
    return sum(post for post in sets.each(posts) if all_find_room(state, step, number, post))


def all_find_room(state: State, step: Moving, but: int, taken: Posts) -> bool:
    """Whether all held pieces except one can be put down, with this post taken.

    A piece must not take a post that another held piece needs: HT-14.1, HT-14.13.
    """
    free = sets.free(state) & ~taken
    if not step.marker and _common_posts(state, free) >= len(step.held):
        return True
    lands = step.lands or (ENGLAND,) * len(step.held)
    rest = [pair for at, pair in enumerate(zip(step.held, lands, strict=True)) if at != but]
    takes = sets.ground_of(state.board).takes
    return _each_has_one(
        [free & takes[piece_of(code)] & reachable_posts(state, step, land) for code, land in rest]
    )


def _common_posts(state: State, posts: Posts) -> int:
    """How many of them are in England and for all pieces. With enough of them all pieces fit."""
    return (posts & sets.ground_of(state.board).common).bit_count()


def _each_has_one(choices: list[Posts]) -> bool:
    """Whether each piece can have a different post; pieces with the fewest posts choose first."""
    if all(posts.bit_count() >= len(choices) for posts in choices):
        return True
    scarce = min(choices, key=int.bit_count)
    rest = choices[:]
    rest.remove(scarce)
    return any(_each_has_one([posts & ~post for posts in rest]) for post in sets.each(scarce))


def _gateway(state: State, seat: Seat, land: Country) -> str | None:
    """The city that gives the permission; one that gives no other comes first: HT-14.12."""
    for number, lands in state.board.gateways:
        city = state.setup.map.cities[number].id
        if land in lands and city not in state.passes and rightmost(state, number) == seat:
            return city
    return None


def _land(state: State, route: str) -> Country:
    return state.board.lands[state.board.route_number[route]]


def land_of(state: State, post: Post) -> Country:
    """The country of a post: HT-14.3."""
    return _land(state, post[0])
