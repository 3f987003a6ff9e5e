"""Displaced pieces, and the extra ones that come with them: chapter 5."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.board import PIECE_NUMBER, PIECES
from domain.games.hansa_teutonica.events import pieces
from domain.games.hansa_teutonica.moves import DeclineExtras, RelocatePiece
from domain.games.hansa_teutonica.rules import countries, named, places
from domain.games.hansa_teutonica.state.steps import Relocate
from domain.games.hansa_teutonica.state.table import FREE, State, code_of, piece_of


def begin(p: Play[State], owner: Seat, piece: board.Piece, route: str) -> None:
    """Ask the owner of a displaced piece where it goes, if it can: HT-5.1, HT-5.2, HT-5.10."""
    number = PIECE_NUMBER[piece]
    if nearest(p.state, p.state.board.route_number[route], number):
        extras = board.EXTRAS[number]
        p.then(Relocate((owner,), route=route, piece=piece, placed=False, extras=extras))
    else:
        p.emit(pieces.PieceHomeless(owner, piece))


def nearest(state: State, route: int, piece: int) -> tuple[int, ...]:
    """The nearest routes with a free post for a piece: HT-5.5, HT-5.6, HT-14.13."""
    chart, land = state.board, state.board.lands[route]
    for ring in chart.rings[route]:
        if found := tuple(
            near for near in ring if state.post_for(near, piece) >= 0 and chart.may_go(land, near)
        ):
            return found
    return ()


def source_of(state: State, seat: Seat) -> board.Source:
    """Where extra pieces come from now: HT-5.4."""
    if any(state.in_stock(seat)):
        return "stock"
    return "supply" if any(state.in_supply(seat)) else "board"


def pieces_of(
    state: State, source: board.Source, seat: Seat
) -> Iterator[tuple[board.Piece, board.Post | None]]:
    """Each kind of piece that a source may hold; if it is the board, with a post to leave."""
    if source == "board":
        for lifted, code in places.own_standing(state, seat):
            yield PIECES[piece_of(code)], lifted
    else:
        yield from ((piece, None) for piece in PIECES)


def relocations(state: State, step: Relocate, seat: Seat) -> Iterator[RelocatePiece]:
    """The displaced piece and extra ones, to each of the nearest routes: HT-5.3, HT-5.5."""
    free = _nearest_posts(state, step)
    if not step.placed:
        for post in free[step.piece]:
            yield RelocatePiece(seat, "displaced", step.piece, post)
    if step.extras:
        source = source_of(state, seat)
        for piece, lifted in pieces_of(state, source, seat):
            yield from (RelocatePiece(seat, source, piece, post, lifted) for post in free[piece])


def _nearest_posts(state: State, step: Relocate) -> dict[board.Piece, list[board.Post]]:
    """For each kind of piece, a free post of each of the nearest routes: HT-5.5."""
    origin = state.board.route_number[step.route]
    return {
        piece: [
            post
            for near in nearest(state, origin, number)
            for post in places.posts_with(state, near, FREE)
        ]
        for number, piece in enumerate(PIECES)
    }


def check_relocate(state: State, step: Relocate, move: RelocatePiece) -> None:
    """Refuse a piece that may not be placed now, or a post too far away: HT-5.3, HT-5.4."""
    if (move.lifted is None) == (move.source == "board"):
        raise RuleBroken("HT-5.4", "not_lifted")
    if move.source == "displaced":
        if step.placed or move.piece != step.piece:
            raise RuleBroken("HT-5.3", "not_displaced", piece=named.PIECES[move.piece])
    else:
        _check_extra(state, step, move)
    places.fitting_post(state, move.post, move.piece)
    _check_near(state, step, move)


def _check_extra(state: State, step: Relocate, move: RelocatePiece) -> None:
    """Refuse an extra piece that is one too many or from elsewhere: HT-5.3, HT-5.4, HT-5.7."""
    if not step.extras:
        raise RuleBroken("HT-5.3", "no_extra_left")
    source = source_of(state, move.seat)
    if move.source != source:
        key, place = "fault_wrong_source_of_extra", named.SOURCES[source]
        raise RuleBroken("HT-5.4", "wrong_source", key, source=place)
    code = code_of(move.seat, PIECE_NUMBER[move.piece])
    if move.lifted is not None:
        if state.posts[places.post_number(state, move.lifted)] != code:
            key, piece = "fault_not_there_on_post", named.PIECES[move.piece]
            raise RuleBroken("HT-5.4", "not_there", key, piece=piece)
        places.post_number(state, move.post)
        countries.check_moved(state, move.lifted, move.post)
    elif not (state.stock if source == "stock" else state.supply)[code]:
        piece, place = named.PIECES[move.piece], named.SOURCES[source]
        raise RuleBroken("HT-5.4", "not_there", piece=piece, source=place)
    if not step.placed:
        _check_last_post(state, step, move)


def _check_last_post(state: State, step: Relocate, move: RelocatePiece) -> None:
    """Refuse to take the last post that the displaced piece could go to: HT-5.7."""
    chart, piece = state.board, PIECE_NUMBER[step.piece]
    taken = places.post_number(state, move.post)
    route = chart.route_number[step.route]
    if move.lifted is not None:
        # The post that a piece from the board leaves can be the one for the displaced piece.
        left = places.post_number(state, move.lifted)
        near = chart.route_of[left]
        if near != route and chart.may_go(chart.lands[route], near) and chart.takes(left, piece):
            return
    if all(at == taken for at in open_posts(state, route, piece)):
        raise RuleBroken("HT-5.7", "last_post")


def open_posts(state: State, route: int, piece: int) -> Iterator[int]:
    """All posts that a displaced piece could go to, near or far: HT-5.5, HT-5.6, HT-14.13."""
    chart = state.board
    for ring in chart.rings[route]:
        for near in ring:
            for post in chart.posts[near] if chart.may_go(chart.lands[route], near) else ():
                if state.posts[post] == FREE and chart.takes(post, piece):
                    yield post


def _check_near(state: State, step: Relocate, move: RelocatePiece) -> None:
    """Refuse a route that is not one of the nearest: HT-5.5, HT-5.6, HT-14.13."""
    chart = state.board
    origin, there = chart.route_number[step.route], chart.route_number[move.post[0]]
    if there == origin:
        raise RuleBroken("HT-5.6", "same_route", route=named.route(step.route))
    if not chart.may_go(chart.lands[origin], there):
        start, end = (named.COUNTRIES[chart.lands[route]] for route in (origin, there))
        raise RuleBroken("HT-14.13", "wrong_country", start=start, end=end)
    near = nearest(state, origin, PIECE_NUMBER[move.piece])
    if there not in near:
        routes = tuple(named.route(state.setup.map.routes[route].id) for route in near)
        raise RuleBroken("HT-5.5", "too_far", routes=routes)


def relocate(p: Play[State], step: Relocate, move: RelocatePiece) -> None:
    """Place the displaced piece or an extra one, and go on if more can be: HT-5.3, HT-5.11.

    Nothing of it goes to the supply: HT-5.9.
    """
    p.emit(pieces.PieceRelocated(move.seat, move.source, move.piece, move.post, move.lifted))
    placed = step.placed or move.source == "displaced"
    extras = step.extras - (move.source != "displaced")
    # A merchant fits wherever a trader does: with no post for it, there is none for anything.
    more = extras and nearest(p.state, p.state.board.route_number[step.route], board.MERCHANT)
    if more or not placed:
        p.then(
            Relocate((move.seat,), route=step.route, piece=step.piece, placed=placed, extras=extras)
        )


def check_decline(_state: State, step: Relocate, _move: DeclineExtras) -> None:
    """Refuse to decline while the displaced piece itself is not placed: HT-5.8."""
    if not step.placed:
        raise RuleBroken("HT-5.8", "must_place", piece=named.PIECES[step.piece])


def decline(p: Play[State], step: Relocate, move: DeclineExtras) -> None:
    """Place no more extra pieces: HT-5.8."""
    p.emit(pieces.ExtrasDeclined(move.seat, step.extras))
