"""Pieces that are lifted from posts and put down again: by the action, a marker or a bonus."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.engine.telling import Who
from domain.games.hansa_teutonica.board import BOOK, ENGLAND, PIECE_NUMBER, PIECES
from domain.games.hansa_teutonica.events import pieces
from domain.games.hansa_teutonica.events.changes import number_of
from domain.games.hansa_teutonica.moves import LiftPiece, PutPiece
from domain.games.hansa_teutonica.rules import countries, named, places
from domain.games.hansa_teutonica.state.steps import Moving, Turn
from domain.games.hansa_teutonica.state.table import State, code_of, owner_of, piece_of


def own_pieces(state: State, _step: Turn, seat: Seat) -> Iterator[LiftPiece]:
    """One piece of each kind that the seat has on a route: HT-4.4."""
    return (LiftPiece(seat, post) for post, _ in places.own_standing(state, seat))


def check_begin(state: State, _step: Turn, move: LiftPiece) -> None:
    """Refuse to lift a piece that is not the player's own: HT-4.4."""
    _check_owner(state, move, "HT-4.4")


def begin(p: Play[State], _step: Turn, move: LiftPiece) -> None:
    """Lift the first of as many pieces as the book says: HT-4.4."""
    most = p.state.value(move.seat, BOOK)
    lift(p, Moving((move.seat,), held=(), left=most, marker=False), move)


def pieces_left(state: State, step: Moving, seat: Seat) -> Iterator[LiftPiece]:
    """One piece of each kind and owner on each route, if more may be lifted: HT-4.4."""
    if step.left:
        yield from (LiftPiece(seat, post) for post, _ in places.standing(state))


def check_lift(state: State, step: Moving, move: LiftPiece) -> None:
    """Refuse to lift one piece too many, or a wrong one: HT-4.4, HT-13.4, HT-14.5."""
    rule = _rule_of(step)
    if not step.left:
        raise RuleBroken(rule, "all_lifted")
    _check_owner(state, move, rule)


def _rule_of(step: Moving) -> str:
    """The rule by which pieces are lifted: the action, a marker, a bonus."""
    if step.bonus:
        return "HT-14.5"
    return "HT-13.4" if step.marker else "HT-4.4"


def _check_owner(state: State, move: LiftPiece, rule: str) -> None:
    """Refuse a piece of the wrong owner: HT-4.4, HT-13.4; a bonus moves any: HT-14.5."""
    own = owner_of(places.check_standing(state, move.post, rule)) == move.seat
    if rule == "HT-13.4" and own:
        raise RuleBroken("HT-13.4", "own_piece")
    if rule == "HT-4.4" and not own:
        raise RuleBroken("HT-4.4", "not_your_piece")


def lift(p: Play[State], step: Moving, move: LiftPiece) -> None:
    """Take a piece from its post into the hand: HT-4.4."""
    code = p.state.posts[number_of(p.state, move.post)]
    p.emit(pieces.PieceLifted(move.seat, owner_of(code), PIECES[piece_of(code)], move.post))
    p.then(_holding(p.state, step, code, move))


def _holding(state: State, step: Moving, code: int, move: LiftPiece) -> Moving:
    """The hand with one more piece, in a fixed order, each with its country: HT-14.13."""
    known = step.lands or (ENGLAND,) * len(step.held)
    land = countries.land_of(state, move.post)
    pairs = [*zip(step.held, known, strict=True), (code, land)]
    held, lands = zip(*sorted(pairs), strict=True)
    lands = lands if state.board.divided else ()
    return msgspec.structs.replace(step, held=held, lands=lands, left=step.left - 1)


def puttings(state: State, step: Moving, seat: Seat) -> Iterator[PutPiece]:
    """Each kind of piece in the hand, on each route: HT-4.4."""
    lands = step.lands or (None,) * len(step.held)
    for code, land in dict.fromkeys(zip(step.held, lands, strict=True)):
        for post in places.free_posts(state):
            yield PutPiece(seat, owner_of(code), PIECES[piece_of(code)], post, land)


def check_put(state: State, step: Moving, move: PutPiece) -> None:
    """Refuse a piece that is not in the hand, or a post that is not free: HT-4.4."""
    if not 0 <= move.owner < state.seats:
        raise RuleBroken("HT-4.4", "not_held", "fault_not_held_by_none", seat=move.owner)
    if code_of(move.owner, PIECE_NUMBER[move.piece]) not in step.held:
        piece = named.PIECES[move.piece]
        raise RuleBroken("HT-4.4", "not_held", piece=piece, owner=Who(move.owner))
    at = places.fitting_post(state, move.post, move.piece)
    if state.board.reserved or state.board.divided:
        _check_put_down(state, step, move, at)


def _check_put_down(state: State, step: Moving, move: PutPiece, at: int) -> None:
    """Refuse a post in the wrong country, or one that another piece needs: HT-14.1, HT-14.13."""
    code = code_of(move.owner, PIECE_NUMBER[move.piece])
    number = countries.held_at(state, step, code, move.country, move.post[0])
    if number < 0:
        piece = named.PIECES[move.piece]
        country = named.COUNTRIES[countries.land_of(state, move.post)]
        key = "fault_wrong_country_of_held"
        raise RuleBroken("HT-14.13", "wrong_country", key, piece=piece, country=country)
    if not countries.all_find_room(state, step, number, at):
        rule = "HT-14.13" if state.board.divided else "HT-14.1"
        raise RuleBroken(rule, "no_room")


def put(p: Play[State], step: Moving, move: PutPiece) -> None:
    """Put a piece from the hand on a post; after it no more are lifted: HT-4.4."""
    p.emit(pieces.PiecePut(move.seat, move.owner, move.piece, move.post))
    code = code_of(move.owner, PIECE_NUMBER[move.piece])
    at = countries.held_at(p.state, step, code, move.country, move.post[0])
    held, lands = step.held[:at] + step.held[at + 1 :], step.lands[:at] + step.lands[at + 1 :]
    if held:
        p.then(msgspec.structs.replace(step, held=held, lands=lands, left=0))
