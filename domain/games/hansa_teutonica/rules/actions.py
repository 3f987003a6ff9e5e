"""Income, placing and displacing: chapter 4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import compress

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.board import COSTS, PIECE_NUMBER, PIECES
from domain.games.hansa_teutonica.events import pieces
from domain.games.hansa_teutonica.events.changes import number_of
from domain.games.hansa_teutonica.moves import DisplacePiece, PlacePiece, TakeIncome
from domain.games.hansa_teutonica.rules import name_parts, pawn
from domain.games.hansa_teutonica.rules.pieces import countries, places, relocating, sets
from domain.games.hansa_teutonica.rules.pieces.sets import Posts
from domain.games.hansa_teutonica.state import table
from domain.games.hansa_teutonica.state.steps import Turn
from domain.games.hansa_teutonica.state.table import State

Mix = tuple[int, int]
"""Traders and merchants."""


def offer_incomes(state: State, _step: Turn, seat: Seat) -> tuple[TakeIncome, ...]:
    """Each mix of traders and merchants that an income can bring: HT-4.1."""
    return _list_incomes(seat, _income_counts(state, seat), *state.in_stock(seat))


@lru_cache(maxsize=1 << 12)
def _list_incomes(
    seat: Seat, counts: range, traders: int, merchants: int
) -> tuple[TakeIncome, ...]:
    mixes = (mix for count in counts for mix in _mixes(count, traders, merchants))
    return tuple(TakeIncome(seat, *mix) for mix in mixes)


def check_income(state: State, _step: Turn, move: TakeIncome) -> None:
    """Refuse pieces that are not in the stock, too few and too many: HT-4.1, HT-13.7."""
    traders, merchants = state.in_stock(move.seat)
    if not traders + merchants:
        raise RuleBroken("HT-4.1", "stock_empty")
    if not (0 <= move.traders <= traders and 0 <= move.merchants <= merchants):
        raise RuleBroken("HT-4.1", "not_in_stock", **name_parts.counts(traders, merchants))
    counts = _income_counts(state, move.seat)
    if move.traders + move.merchants not in counts:
        key = "fault_wrong_number_exactly" if len(counts) == 1 else "fault_wrong_number"
        raise RuleBroken("HT-4.1", "wrong_number", key, least=counts[0], most=counts[-1])


def take_income(p: Play[State], _step: Turn, move: TakeIncome) -> None:
    """Move pieces from the stock to the supply: HT-4.1."""
    p.emit(pieces.IncomeTaken(move.seat, move.traders, move.merchants))


def _income_counts(state: State, seat: Seat) -> range:
    """How many pieces an income can bring: HT-4.1, HT-13.7."""
    most = min(state.value(seat, board.BAG), sum(state.in_stock(seat)))
    return range(1 if state.setup.income == "up_to" else max(most, 1), most + 1)


def _mixes(count: int, traders: int, merchants: int) -> Iterator[tuple[int, int]]:
    """All mixes of this number of pieces, from these traders and merchants."""
    for some in range(max(0, count - traders), min(count, merchants) + 1):
        yield count - some, some


def offer_placings(state: State, _step: Turn, seat: Seat) -> list[PlacePiece]:
    """Each kind of piece in the supply, on each route: HT-4.2, HT-11.4, HT-14.1, HT-14.12."""
    chart, ground = state.board, sets.ground_of(state.board)
    posts = sets.free(state) & _open_posts(state, seat)
    found: list[PlacePiece] = []
    for piece, count in enumerate(state.in_supply(seat)):
        if count:
            there = sets.one_of_each(ground, posts & ground.takes[piece])
            found += compress(_to_place(chart, seat, piece), sets.marks(ground, there))
    return found


@lru_cache(maxsize=1 << 7)
def _to_place(chart: board.Board, seat: Seat, piece: int) -> tuple[PlacePiece, ...]:
    """For each post, the move that places this piece there."""
    return tuple(PlacePiece(seat, PIECES[piece], post) for post in sets.ground_of(chart).names)


def check_place(state: State, _step: Turn, move: PlacePiece) -> None:
    """Refuse a piece that is not in the supply, or a post that is not free: HT-4.2."""
    if not state.supply[table.code_of(move.seat, PIECE_NUMBER[move.piece])]:
        raise RuleBroken("HT-4.2", "not_in_supply", piece=name_parts.PIECES[move.piece])
    places.fitting_post(state, move.post, move.piece)
    _check_allowed(state, move.seat, move.post[0])


def _check_allowed(state: State, seat: Seat, route: str) -> None:
    """Refuse a route outside the province, or without a permission: HT-11.4, HT-14.12."""
    pawn.check_in_province(state, route)
    countries.check_permission(state, seat, route)


def _open_posts(state: State, seat: Seat) -> Posts:
    """The posts of the allowed routes: HT-11.4, HT-14.12."""
    if state.pawn is None and not state.board.divided:
        return sets.ground_of(state.board).every
    return pawn.open_posts(state) & countries.find_permitted(state, seat)


def place(p: Play[State], _step: Turn, move: PlacePiece) -> None:
    """Put a piece of the supply on a free post: HT-4.2, HT-14.12."""
    countries.use_permission(p, move.seat, move.post[0])
    p.emit(pieces.PiecePlaced(move.seat, move.piece, move.post))


def offer_displacings(state: State, _step: Turn, seat: Seat) -> list[DisplacePiece]:
    """Each kind of piece for each piece of another player, with all payments: HT-4.3, HT-11.4,
    HT-14.1, HT-14.12.
    """
    supply = state.in_supply(seat)
    ways = [_ways_to_pay(cost, *supply) for cost in COSTS]
    if not any(ways):
        return []
    chart, ground = state.board, sets.ground_of(state.board)
    posts = _open_posts(state, seat)
    marks = [sets.marks(ground, posts & takes) for takes in ground.takes]
    return [
        _to_displace(chart, seat, piece, mix)[at]
        for at, code in places.find_standing(state, sets.OTHERS[seat])
        for piece, mix in ways[table.piece_of(code)]
        if marks[piece][at]
    ]


@lru_cache(maxsize=1 << 12)
def _ways_to_pay(cost: int, traders: int, merchants: int) -> tuple[tuple[int, Mix], ...]:
    """The new piece, and the mixes to pay for the displaced one: HT-5.1."""
    found: list[tuple[int, Mix]] = []
    if traders:
        found += ((0, mix) for mix in _mixes(cost, traders - 1, merchants))
    if merchants:
        found += ((1, mix) for mix in _mixes(cost, traders, merchants - 1))
    return tuple(found)


@lru_cache(maxsize=1 << 9)
def _to_displace(chart: board.Board, seat: Seat, piece: int, mix: Mix) -> tuple[DisplacePiece, ...]:
    """For each post, the move that displaces its piece by this one and pays this mix."""
    posts = sets.ground_of(chart).names
    return tuple(DisplacePiece(seat, PIECES[piece], post, *mix) for post in posts)


def check_displace(state: State, _step: Turn, move: DisplacePiece) -> None:
    """Refuse a post without a piece of another player, or a wrong payment: HT-4.3, HT-5.1."""
    at = places.post_number(state, move.post)
    there = state.posts[at]
    if there == table.FREE or table.owner_of(there) == move.seat:
        raise RuleBroken("HT-4.3", "no_opponent")
    places.check_kind(state, at, move.piece)
    _check_allowed(state, move.seat, move.post[0])
    _check_payment(state, move, table.piece_of(there))


def _check_payment(state: State, move: DisplacePiece, displaced: int) -> None:
    """Refuse pieces that are not in the supply, too few and too many: HT-4.3, HT-5.1."""
    traders, merchants = state.in_supply(move.seat)
    used = [move.pay_traders, move.pay_merchants]
    used[PIECE_NUMBER[move.piece]] += 1
    if min(move.pay_traders, move.pay_merchants) < 0 or used[0] > traders or used[1] > merchants:
        held = name_parts.counts(traders, merchants)
        raise RuleBroken("HT-4.3", "not_in_supply", "fault_not_in_supply_enough", **held)
    cost = COSTS[displaced]
    if move.pay_traders + move.pay_merchants != cost:
        piece = name_parts.PIECES[PIECES[displaced]]
        raise RuleBroken("HT-5.1", "wrong_payment", piece=piece, cost=cost)


def displace(p: Play[State], _step: Turn, move: DisplacePiece) -> None:
    """Take the post of a piece, pay, and let its owner place it elsewhere: HT-4.3, HT-5.1."""
    code = p.state.posts[number_of(p.state, move.post)]
    owner, piece = table.owner_of(code), PIECES[table.piece_of(code)]
    paid = move.pay_traders, move.pay_merchants
    countries.use_permission(p, move.seat, move.post[0])
    p.emit(pieces.PieceDisplaced(move.seat, move.piece, move.post, *paid, owner, piece))
    relocating.begin(p, owner, piece, move.post[0])
