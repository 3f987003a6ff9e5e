"""How many actions it takes to establish a route."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from domain.engine.play import Seat
from domain.games.hansa_teutonica.board import BAG, BOOK, COSTS, PIECES
from domain.games.hansa_teutonica.rules import pawn
from domain.games.hansa_teutonica.rules.pieces.sets import ground_of
from domain.games.hansa_teutonica.state.table import FREE, State, code_of, owner_of, piece_of

NEVER = 99.0
A_BORDER_OR_TWO = 0.2
"""What it takes to move the pawn freely: not an action, but the one free move of a turn."""
WHO_KNOWS = 0.5
"""How many actions the pawn will cost when the other one has a turn before: HT-11.6, HT-11.7."""
A_GIFT = 0.4
"""In actions: what a displaced player gains by each extra piece: HT-5.3."""


class Tally(NamedTuple):
    """What a seat finds on the posts of a route."""

    own: int
    merchants: int
    free: int
    foreign: int
    cost: int  # pieces to pay for displacing all that is foreign


class Means(NamedTuple):
    """What a seat has to fill routes with."""

    supply: int
    stock: int
    on_posts: int
    bag: int
    book: int


@lru_cache(maxsize=1 << 14)
def tallies(posts: bytes, seats: int) -> tuple[Tally, ...]:
    """What each seat finds on these posts."""
    return tuple(_tally(posts, seat) for seat in range(seats))


def _tally(posts: bytes, seat: Seat) -> Tally:
    merchants = posts.count(code_of(seat, 1))
    own = posts.count(code_of(seat, 0)) + merchants
    foreign = [code for code in posts if code != FREE and owner_of(code) != seat]
    cost = sum(COSTS[piece_of(code)] for code in foreign)
    return Tally(own, merchants, posts.count(FREE), len(foreign), cost)


def means_of(state: State, seat: Seat) -> Means:
    """What a seat has to fill routes with."""
    on_posts = sum(state.posts.count(code_of(seat, piece)) for piece in range(len(PIECES)))
    return Means(
        supply=sum(state.in_supply(seat)),
        stock=sum(state.in_stock(seat)),
        on_posts=on_posts,
        bag=state.value(seat, BAG),
        book=state.value(seat, BOOK),
    )


@lru_cache(maxsize=1 << 16)
def effort(tally: Tally, means: Means) -> float:
    """The fewest actions to fill a route and establish it, the pawn not counted."""
    elsewhere = means.on_posts - tally.own
    moves = -(-min(tally.free, elsewhere) // means.book)
    return min(_with_moves(tally, means, number) for number in range(moves + 1))


def _with_moves(tally: Tally, means: Means, moves: int) -> float:
    """Establishing, with this many actions for moving pieces from elsewhere."""
    moved = min(tally.free, means.on_posts - tally.own, moves * means.book)
    placed = tally.free - moved + tally.foreign
    lacking = placed + tally.cost - means.supply
    if lacking > means.stock:
        return NEVER
    incomes = -(-max(0, lacking) // means.bag)
    return 1 + moves + placed + incomes + A_GIFT * tally.cost


def pawn_efforts(state: State, seat: Seat) -> tuple[float, ...]:
    """By route: how many actions it takes to bring the pawn to it: HT-11.4."""
    routes = state.setup.map.routes
    if state.pawn is None:
        return (0.0,) * len(routes)
    mine, over = state.active == seat, state.closed or not state.actions
    if mine == over:
        return (WHO_KNOWS,) * len(routes)
    free = not (mine and (state.acted or state.pawn_moved))
    close = A_BORDER_OR_TWO if free else 1.0
    here = pawn.opened(state)
    near = {route for province in pawn.near(state) for route in province.routes}
    return tuple(
        0.0 if here & posts else close if route.id in near else 1.0
        for route, posts in zip(routes, ground_of(state.board).routes, strict=True)
    )
