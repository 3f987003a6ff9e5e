"""The number of actions to establish a route."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from domain.engine.play import Seat
from domain.games.hansa_teutonica.board import BAG, BOOK, COSTS, PIECES
from domain.games.hansa_teutonica.rules import pawn
from domain.games.hansa_teutonica.rules.pieces.sets import ground_of
from domain.games.hansa_teutonica.state.table import FREE, State, code_of, owner_of, piece_of

IMPOSSIBLE = 99.0
FREE_PAWN_COST = 0.2
"""The cost of a free move of the pawn, in actions. It takes no action, but a turn has only one."""
UNCERTAIN_PAWN_COST = 0.5
"""The expected actions for the pawn if the other player has a turn before: HT-11.6, HT-11.7."""
EXTRA_PIECE_COST = 0.4
"""What each extra piece is worth to a displaced player, in actions: HT-5.3."""


class Tally(NamedTuple):
    """The posts of a route as a seat sees them."""

    own: int
    merchants: int
    free: int
    foreign: int
    cost: int  # pieces to pay for displacing all foreign ones


class Means(NamedTuple):
    """What a seat can fill routes with."""

    supply: int
    stock: int
    on_posts: int
    bag: int
    book: int


@lru_cache(maxsize=1 << 12)
def tally_posts(posts: bytes, seats: int) -> tuple[Tally, ...]:
    """By seat, its tally of these posts."""
    return tuple(_tally_for(posts, seat) for seat in range(seats))


def _tally_for(posts: bytes, seat: Seat) -> Tally:
    merchants = posts.count(code_of(seat, 1))
    own = posts.count(code_of(seat, 0)) + merchants
    foreign = [code for code in posts if code != FREE and owner_of(code) != seat]
    cost = sum(COSTS[piece_of(code)] for code in foreign)
    return Tally(own, merchants, posts.count(FREE), len(foreign), cost)


def means_of(state: State, seat: Seat) -> Means:
    """What a seat can fill routes with."""
    on_posts = sum(state.posts.count(code_of(seat, piece)) for piece in range(len(PIECES)))
    return Means(
        supply=sum(state.in_supply(seat)),
        stock=sum(state.in_stock(seat)),
        on_posts=on_posts,
        bag=state.value(seat, BAG),
        book=state.value(seat, BOOK),
    )


@lru_cache(maxsize=1 << 14)
def effort(tally: Tally, means: Means) -> float:
    """The fewest actions to fill a route and establish it, without those for the pawn."""
    elsewhere = means.on_posts - tally.own
    moves = -(-min(tally.free, elsewhere) // means.book)
    return min(_with_moves(tally, means, number) for number in range(moves + 1))


def _with_moves(tally: Tally, means: Means, moves: int) -> float:
    """The actions to establish a route, with this number of them for moving pieces there."""
    moved = min(tally.free, means.on_posts - tally.own, moves * means.book)
    placed = tally.free - moved + tally.foreign
    lacking = placed + tally.cost - means.supply
    if lacking > means.stock:
        return IMPOSSIBLE
    incomes = -(-max(0, lacking) // means.bag)
    return 1 + moves + placed + incomes + EXTRA_PIECE_COST * tally.cost


def pawn_efforts(state: State, seat: Seat) -> tuple[float, ...]:
    """By route, the number of actions to bring the pawn there: HT-11.4."""
    routes = state.setup.map.routes
    if state.pawn is None:
        return (0.0,) * len(routes)
    mine, over = state.active == seat, state.closed or not state.actions
    if mine == over:
        return (UNCERTAIN_PAWN_COST,) * len(routes)
    free = not (mine and (state.acted or state.pawn_moved))
    close = FREE_PAWN_COST if free else 1.0
    here = pawn.open_posts(state)
    near = {route for province in pawn.near_provinces(state) for route in province.routes}
    return tuple(
        0.0 if here & posts else close if route.id in near else 1.0
        for route, posts in zip(routes, ground_of(state.board).routes, strict=True)
    )
