"""Wales and Scotland: who may place and displace there, and where pieces may go: chapter 14."""

from __future__ import annotations

from itertools import islice

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica.board import ENGLAND, Country, Post
from domain.games.hansa_teutonica.events.course import PermissionUsed
from domain.games.hansa_teutonica.rules import named
from domain.games.hansa_teutonica.scoring import rightmost
from domain.games.hansa_teutonica.state.steps import Moving
from domain.games.hansa_teutonica.state.table import FREE, State, piece_of


def check_permission(state: State, seat: Seat, route: str) -> None:
    """Refuse to place or displace in a country without a permission for it: HT-14.12."""
    if state.board.divided and not _permitted(state, seat, route):
        country = named.COUNTRIES[_land(state, route)]
        raise RuleBroken("HT-14.12", "no_permission", country=country)


def use_permission(p: Play[State], seat: Seat, route: str) -> None:
    """Use up the permission of a city, if one is needed: HT-14.12."""
    land = _land(p.state, route)
    if land != ENGLAND:
        city = _gateway(p.state, seat, land)
        assert city is not None
        p.emit(PermissionUsed(seat, city, land))


def check_moved(state: State, lifted: Post, post: Post) -> None:
    """Refuse an extra piece that leaves its country, unless it goes to England: HT-14.13."""
    land, there = land_of(state, lifted), land_of(state, post)
    if there not in (ENGLAND, land):
        lands = {"start": named.COUNTRIES[land], "end": named.COUNTRIES[there]}
        raise RuleBroken("HT-14.13", "wrong_country", **lands)


def held_at(state: State, step: Moving, code: int, country: Country | None, route: str) -> int:
    """Which held piece goes to a route: the least free one that fits, or -1: HT-14.13."""
    if not state.board.divided:
        return step.held.index(code)
    there = state.board.route_number[route]
    for at, (held, land) in enumerate(zip(step.held, step.lands, strict=True)):
        fits = country in (None, land) and allows(state, step, land, there)
        if held == code and fits:
            return at
    return -1


def allows(state: State, step: Moving, land: Country, route: int) -> bool:
    """Whether a held piece may go from its country to a route: HT-13.4, HT-14.13."""
    if step.marker:
        return state.board.lands[route] == land
    return state.board.may_go(land, route)


def all_find_room(state: State, step: Moving, but: int, taken: int) -> bool:
    """Whether all pieces in the hand but one can be put down, with this post taken.

    A piece may not take a post that another one in the hand needs: HT-14.1, HT-14.13.
    """
    if not step.marker and _is_roomy(state, len(step.held), taken):
        return True
    lands = step.lands or (ENGLAND,) * len(step.held)
    rest = [pair for at, pair in enumerate(zip(step.held, lands, strict=True)) if at != but]
    return _each_has_one([_room(state, step, code, land) - {taken} for code, land in rest])


def _is_roomy(state: State, pieces: int, taken: int) -> bool:
    """Whether England has posts for all, whatever they are: a quick yes for most tables."""
    board = state.board
    free = (
        post
        for route, span in enumerate(board.posts)
        if board.lands[route] == ENGLAND
        for post in span
        if state.posts[post] == FREE and post not in board.reserved and post != taken
    )
    return sum(1 for _ in islice(free, pieces)) == pieces


def _room(state: State, step: Moving, code: int, land: Country) -> set[int]:
    """The free posts to which a held piece may go: HT-14.1, HT-14.13."""
    board = state.board
    return {
        post
        for route, span in enumerate(board.posts)
        if allows(state, step, land, route)
        for post in span
        if state.posts[post] == FREE and board.takes(post, piece_of(code))
    }


def _each_has_one(choices: list[set[int]]) -> bool:
    """Whether a different post can be found for each piece, those with the fewest first."""
    if all(len(posts) >= len(choices) for posts in choices):
        return True
    scarce = min(choices, key=len)
    rest = choices[:]
    rest.remove(scarce)
    return any(_each_has_one([posts - {post} for posts in rest]) for post in scarce)


def _permitted(state: State, seat: Seat, route: str) -> bool:
    land = _land(state, route)
    return land == ENGLAND or _gateway(state, seat, land) is not None


def _gateway(state: State, seat: Seat, land: Country) -> str | None:
    """The city that permits it, one that permits nothing else before others: HT-14.12."""
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
