"""Pieces that seats lift and put down: by the action, a marker or a bonus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from typing import Literal, NamedTuple

from msgspec import UNSET

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.sentences import SeatName
from domain.games.hansa_teutonica.board import (
    BOOK,
    PIECE_NUMBER,
    PIECES,
    Board,
    Country,
)
from domain.games.hansa_teutonica.events import pieces
from domain.games.hansa_teutonica.events.changes import number_of
from domain.games.hansa_teutonica.moves import LiftPiece, PutPiece
from domain.games.hansa_teutonica.rules import name_parts
from domain.games.hansa_teutonica.rules.pieces import countries, places, sets
from domain.games.hansa_teutonica.rules.pieces.sets import Posts
from domain.games.hansa_teutonica.state.steps import Moving, Turn
from domain.games.hansa_teutonica.state.table import State, code_of, owner_of, piece_of

NoCountry = Literal[""]
NO_COUNTRY: NoCountry = ""
UNKNOWN_POST = -1
"""That of a piece held in a position that does not say where it came from."""


class PieceInHand(NamedTuple):
    """A lifted piece; its country, on a map with countries; and the post that it came from."""

    code: int
    land: Country | NoCountry
    post: int


def offer_own_pieces(state: State, _step: Turn, seat: Seat) -> list[LiftPiece]:
    """One piece of each kind of the seat on each route: HT-4.4."""
    return _liftings(state, seat, sets.OWN[seat])


def _liftings(state: State, seat: Seat, whose: bytes) -> list[LiftPiece]:
    lifts = _to_lift(state.board, seat)
    return [lifts[at] for at, _ in places.find_standing(state, whose)]


@lru_cache(maxsize=1 << 6)
def _to_lift(chart: Board, seat: Seat) -> tuple[LiftPiece, ...]:
    """For each post, the move that lifts its piece."""
    return tuple(LiftPiece(seat, post) for post in sets.ground_of(chart).names)


def check_begin(state: State, _step: Turn, move: LiftPiece) -> None:
    """Refuse to lift a piece of another player: HT-4.4."""
    _check_owner(state, move, "HT-4.4")


def begin(p: Play[State], _step: Turn, move: LiftPiece) -> None:
    """Lift the first of as many pieces as the book allows: HT-4.4."""
    most = p.state.value(move.seat, BOOK)
    lift(p, Moving((move.seat,), held=(), left=most, marker=False), move)


def offer_pieces_left(state: State, step: Moving, seat: Seat) -> list[LiftPiece]:
    """One piece of each kind and owner that the seat may lift, on each route: HT-4.4, HT-13.4,
    HT-14.5.
    """
    return _liftings(state, seat, WHOSE[_rule_of(step)][seat]) if step.left else []


def check_lift(state: State, step: Moving, move: LiftPiece) -> None:
    """Refuse to lift one piece too many, or one of a wrong owner: HT-4.4, HT-13.4, HT-14.5."""
    rule = _rule_of(step)
    if not step.left:
        raise RuleBroken(rule, "all_lifted")
    _check_owner(state, move, rule)


def _rule_of(step: Moving) -> str:
    """The rule that lets the seat lift pieces: the action, a marker, a bonus."""
    if step.bonus:
        return "HT-14.5"
    return "HT-13.4" if step.marker else "HT-4.4"


WHOSE = {"HT-4.4": sets.OWN, "HT-13.4": sets.OTHERS, "HT-14.5": (sets.ALL_PIECES,) * len(sets.OWN)}
"""By rule and seat, the pieces that it may lift."""


def _check_owner(state: State, move: LiftPiece, rule: str) -> None:
    """Refuse a piece of the wrong owner: HT-4.4, HT-13.4; a bonus moves pieces of all: HT-14.5."""
    if WHOSE[rule][move.seat][places.check_standing(state, move.post, rule)]:
        return
    if rule == "HT-13.4":
        raise RuleBroken("HT-13.4", "own_piece")
    raise RuleBroken("HT-4.4", "not_your_piece")


def lift(p: Play[State], step: Moving, move: LiftPiece) -> None:
    """Lift a piece from its post: HT-4.4."""
    code = p.state.posts[number_of(p.state, move.post)]
    p.emit(pieces.PieceLifted(move.seat, owner_of(code), PIECES[piece_of(code)], move.post))
    p.then(_holding(p.state, step, code, move))


def _holding(state: State, step: Moving, code: int, move: LiftPiece) -> Moving:
    """The step with one more held piece, in a fixed order, each with its country: HT-14.13."""
    land = countries.land_of(state, move.post) if state.board.divided else NO_COUNTRY
    hand = sorted([*_hand(step), PieceInHand(code, land, number_of(state, move.post))])
    return _with_hand(step, hand, step.left - 1)


def _hand(step: Moving) -> list[PieceInHand]:
    """The held pieces in their order."""
    count = len(step.held)
    lands = step.lands or (NO_COUNTRY,) * count
    lifted = step.lifted or ()
    posts = lifted if len(lifted) == count else (UNKNOWN_POST,) * count
    return list(map(PieceInHand, step.held, lands, posts))


def _with_hand(step: Moving, hand: Sequence[PieceInHand], left: int) -> Moving:
    """The step with these held pieces."""
    posts = tuple(each.post for each in hand)
    return Moving(
        step.seats,
        held=tuple(each.code for each in hand),
        left=left,
        marker=step.marker,
        lands=tuple(each.land for each in hand if each.land),
        bonus=step.bonus,
        lifted=UNSET if UNKNOWN_POST in posts else posts,
    )


def offer_puttings(state: State, step: Moving, seat: Seat) -> list[PutPiece]:
    """Each kind of held piece, on each route that can take it: HT-4.4, HT-14.1, HT-14.13."""
    free, takes = sets.free(state), sets.ground_of(state.board).takes
    found: list[PutPiece] = []
    for code, land in _kinds_held(step):
        posts = free & takes[piece_of(code)]
        if state.board.reserved or state.board.divided:
            posts = countries.posts_with_room(state, step, code, land, posts)
        found += _puttings(state, seat, code, land, posts)
    return found


def _kinds_held(step: Moving) -> Iterable[tuple[int, Country | None]]:
    """Each kind of held piece once, and its country."""
    lands = step.lands or (None,) * len(step.held)
    return dict.fromkeys(zip(step.held, lands, strict=True))


def _puttings(
    state: State, seat: Seat, code: int, land: Country | None, posts: Posts
) -> Iterator[PutPiece]:
    """A held piece on one of each kind of these posts on each route: HT-4.4."""
    chart, ground = state.board, sets.ground_of(state.board)
    marks = sets.marks(ground, sets.one_of_each(ground, posts))
    return compress(_to_put(chart, seat, code, land), marks)


@lru_cache(maxsize=1 << 9)  # some 7 kB each
def _to_put(chart: Board, seat: Seat, code: int, land: Country | None) -> tuple[PutPiece, ...]:
    """For each post, the move that puts this piece there."""
    owner, piece, posts = owner_of(code), PIECES[piece_of(code)], sets.ground_of(chart).names
    return tuple(PutPiece(seat, owner, piece, post, land) for post in posts)


def check_put(state: State, step: Moving, move: PutPiece) -> None:
    """Refuse a piece that is not held, or a post that is not free: HT-4.4."""
    if not 0 <= move.owner < state.seats:
        raise RuleBroken("HT-4.4", "not_held", "fault_not_held_by_none", seat=move.owner)
    if code_of(move.owner, PIECE_NUMBER[move.piece]) not in step.held:
        piece = name_parts.PIECES[move.piece]
        raise RuleBroken("HT-4.4", "not_held", piece=piece, owner=SeatName(move.owner))
    at = places.fitting_post(state, move.post, move.piece)
    if state.board.reserved or state.board.divided:
        _check_put_down(state, step, move, sets.set_of_one(at))


def _check_put_down(state: State, step: Moving, move: PutPiece, post: Posts) -> None:
    """Refuse a post in the wrong country, or one that another piece needs: HT-14.1, HT-14.13."""
    code = code_of(move.owner, PIECE_NUMBER[move.piece])
    number = countries.find_held(state, step, code, move.country, move.post[0])
    if number < 0:
        piece = name_parts.PIECES[move.piece]
        country = name_parts.COUNTRIES[countries.land_of(state, move.post)]
        key = "fault_wrong_country_of_held"
        raise RuleBroken("HT-14.13", "wrong_country", key, piece=piece, country=country)
    if not countries.all_find_room(state, step, number, post):
        rule = "HT-14.13" if state.board.divided else "HT-14.1"
        raise RuleBroken(rule, "no_room")


def put(p: Play[State], step: Moving, move: PutPiece) -> None:
    """Put a held piece on a post; after this no more pieces are lifted: HT-4.4."""
    code = code_of(move.owner, PIECE_NUMBER[move.piece])
    at = countries.find_held(p.state, step, code, move.country, move.post[0])
    hand = _hand(step)
    post = hand.pop(at).post
    lifted = UNSET if post == UNKNOWN_POST else sets.ground_of(p.state.board).names[post]
    p.emit(pieces.PiecePut(move.seat, move.owner, move.piece, move.post, lifted))
    if hand:
        p.then(_with_hand(step, hand, 0))
