"""Actions with pieces, carried out: income, placing, displacing, moving."""

from __future__ import annotations

import msgspec

from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica.board import BOOK, ENGLAND, EXTRAS, MERCHANT, PIECES, REMOVED
from domain.games.hansa_teutonica.events import (
    ActionSpent,
    ExtrasDeclined,
    IncomeTaken,
    PieceDisplaced,
    PieceHomeless,
    PieceLifted,
    PiecePlaced,
    PiecePut,
    PieceRelocated,
    PieceRemoved,
    Post,
    number_of,
)
from domain.games.hansa_teutonica.moves import (
    DisplacePiece,
    LiftPiece,
    PlacePiece,
    PutPiece,
    RelocatePiece,
    RemovePiece,
    TakeIncome,
    nearest,
)
from domain.games.hansa_teutonica.rules.countries import held_at, land_of, use_permission
from domain.games.hansa_teutonica.state import (
    FREE,
    Moving,
    Relocate,
    Removing,
    State,
    code_of,
    owner_of,
    piece_of,
)


def spend(p: Play[State], seat: Seat) -> None:
    """HT-3.2"""
    p.emit(ActionSpent(seat, p.state.actions - 1))


def take_income(p: Play[State], move: TakeIncome) -> None:
    """HT-4.1"""
    spend(p, move.seat)
    p.emit(IncomeTaken(move.seat, move.traders, move.merchants))


def place(p: Play[State], move: PlacePiece) -> None:
    """HT-4.2"""
    spend(p, move.seat)
    use_permission(p, move.seat, move.post[0])
    p.emit(PiecePlaced(move.seat, move.piece, move.post))


def displace(p: Play[State], move: DisplacePiece) -> None:
    """HT-4.3, HT-5.1, HT-5.2, HT-5.10"""
    code = p.state.posts[number_of(p.state, move.post)]
    owner, piece = owner_of(code), piece_of(code)
    spend(p, move.seat)
    use_permission(p, move.seat, move.post[0])
    p.emit(
        PieceDisplaced(
            move.seat,
            move.piece,
            move.post,
            move.pay_traders,
            move.pay_merchants,
            owner,
            PIECES[piece],
        )
    )
    route = move.post[0]
    if nearest(p.state, p.state.board.route_number[route], piece):
        extras = EXTRAS[piece]
        p.then(Relocate((owner,), route=route, piece=PIECES[piece], placed=False, extras=extras))
    else:
        p.emit(PieceHomeless(owner, PIECES[piece]))


def relocate(p: Play[State], step: Relocate, move: RelocatePiece) -> None:
    """HT-5.3, HT-5.9, HT-5.11"""
    p.emit(PieceRelocated(move.seat, move.source, move.piece, move.post, move.lifted))
    placed = step.placed or move.source == "displaced"
    extras = step.extras - (move.source != "displaced")
    more = extras and nearest(p.state, p.state.board.route_number[step.route], MERCHANT)
    if more or not placed:
        p.then(
            Relocate((move.seat,), route=step.route, piece=step.piece, placed=placed, extras=extras)
        )


def decline(p: Play[State], step: Relocate, seat: Seat) -> None:
    """HT-5.8"""
    p.emit(ExtrasDeclined(seat, step.extras))


def lift(p: Play[State], step: Moving | None, move: LiftPiece) -> None:
    """HT-4.4"""
    seat = move.seat
    if step is None:
        spend(p, seat)
        step = Moving((seat,), held=(), left=p.state.value(seat, BOOK), marker=False)
    code = p.state.posts[number_of(p.state, move.post)]
    p.emit(PieceLifted(seat, owner_of(code), PIECES[piece_of(code)], move.post))
    p.then(_holding(p.state, step, code, move))


def _holding(state: State, step: Moving, code: int, move: LiftPiece) -> Moving:
    """HT-4.4, HT-14.13"""
    known = step.lands or (ENGLAND,) * len(step.held)
    pairs = [*zip(step.held, known, strict=True), (code, land_of(state, move.post))]
    held, lands = zip(*sorted(pairs), strict=True)
    return msgspec.structs.replace(
        step,
        seats=(move.seat,),
        held=held,
        lands=lands if state.board.divided else (),
        left=step.left - 1,
    )


def put(p: Play[State], step: Moving, move: PutPiece) -> None:
    """HT-4.4"""
    p.emit(PiecePut(move.seat, move.owner, move.piece, move.post))
    code = code_of(move.owner, PIECES.index(move.piece))
    at = held_at(p.state, step, code, move.country, move.post[0])
    held, lands = step.held[:at] + step.held[at + 1 :], step.lands[:at] + step.lands[at + 1 :]
    if held:
        p.then(msgspec.structs.replace(step, seats=(move.seat,), held=held, lands=lands, left=0))


def begin_removing(p: Play[State], seat: Seat) -> None:
    """HT-8.5, HT-13.4"""
    if p.state.setup.remove_three == "move":
        p.then(Moving((seat,), held=(), left=REMOVED, marker=True))
    else:
        p.then(Removing((seat,), left=REMOVED))


def remove(p: Play[State], step: Removing, move: RemovePiece) -> None:
    """HT-8.5"""
    _take_away(p, move.seat, move.post)
    if step.left > 1 and any(code != FREE for code in p.state.posts):
        p.then(Removing((move.seat,), left=step.left - 1))


def _take_away(p: Play[State], seat: Seat, post: Post) -> None:
    code = p.state.posts[number_of(p.state, post)]
    p.emit(PieceRemoved(seat, owner_of(code), PIECES[piece_of(code)], post))
