"""Displaced pieces, and the extra pieces that come with them: chapter 5."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica import board
from domain.games.hansa_teutonica.board import PIECE_NUMBER, PIECES
from domain.games.hansa_teutonica.events import pieces
from domain.games.hansa_teutonica.moves import DeclineExtras, RelocatePiece
from domain.games.hansa_teutonica.rules import name_parts
from domain.games.hansa_teutonica.rules.pieces import countries, places, sets
from domain.games.hansa_teutonica.rules.pieces.sets import Posts
from domain.games.hansa_teutonica.state.steps import Relocate
from domain.games.hansa_teutonica.state.table import State, code_of, piece_of


def begin(p: Play[State], owner: Seat, piece: board.Piece, route: str) -> None:
    """Ask the owner of a displaced piece for its post, if there is one: HT-5.1, HT-5.2, HT-5.10."""
    number = PIECE_NUMBER[piece]
    if nearest_posts(p.state, p.state.board.route_number[route], number):
        extras = board.EXTRAS[number]
        p.then(Relocate((owner,), route=route, piece=piece, placed=False, extras=extras))
    else:
        p.emit(pieces.PieceHomeless(owner, piece))


def nearest(state: State, route: int, piece: int) -> tuple[int, ...]:
    """The nearest routes with a free post for a piece: HT-5.5, HT-5.6, HT-14.13."""
    posts = sets.marks(sets.ground_of(state.board), nearest_posts(state, route, piece))
    return tuple(dict.fromkeys(compress(state.board.route_of, posts)))


def nearest_posts(state: State, route: int, piece: int) -> Posts:
    """Their free posts for this piece: HT-5.5, HT-5.6, HT-14.13."""
    ground = sets.ground_of(state.board)
    free = sets.free(state) & ground.takes[piece]
    for ring in ground.rings[route]:
        if found := free & ring:
            return found
    return 0


def open_posts(state: State, route: int, piece: int) -> Posts:
    """All posts where a displaced piece can go, near or far: HT-5.5, HT-5.6, HT-14.13."""
    ground = sets.ground_of(state.board)
    return sets.free(state) & ground.takes[piece] & ground.around[route]


def source_of(state: State, seat: Seat) -> board.Source:
    """The current source of extra pieces: HT-5.4."""
    if any(state.in_stock(seat)):
        return "stock"
    return "supply" if any(state.in_supply(seat)) else "board"


def pieces_of(
    state: State, source: board.Source, seat: Seat
) -> list[tuple[int, board.Post | None]]:
    """Each kind of piece of a source; for the board, with a post that it leaves."""
    if source != "board":
        return [(piece, None) for piece in range(len(PIECES))]
    names, own = sets.ground_of(state.board).names, places.find_standing(state, sets.OWN[seat])
    return [(piece_of(code), names[at]) for at, code in own]


def offer_relocations(state: State, step: Relocate, seat: Seat) -> Iterator[RelocatePiece]:
    """The displaced piece and extra ones, to each of the nearest routes: HT-5.3 to HT-5.7, HT-14.1,
    HT-14.13.
    """
    origin = state.board.route_number[step.route]
    near = [nearest_posts(state, origin, piece) for piece in range(len(PIECES))]
    if not step.placed:
        piece = PIECE_NUMBER[step.piece]
        yield from _relocations(state, seat, "displaced", piece, near[piece])
    if step.extras:
        source = source_of(state, seat)
        for piece, lifted in pieces_of(state, source, seat):
            if lifted is not None or _pieces_of_source(state, source)[code_of(seat, piece)]:
                posts = near[piece] & _posts_for_extras(state, step, lifted)
                yield from _relocations(state, seat, source, piece, posts, lifted)


def _relocations(
    state: State,
    seat: Seat,
    source: board.Source,
    piece: int,
    posts: Posts,
    lifted: board.Post | None = None,
) -> Iterator[RelocatePiece]:
    """This piece on one of each kind of these posts on each route."""
    ground = sets.ground_of(state.board)
    names = compress(ground.names, sets.marks(ground, sets.one_of_each(ground, posts)))
    return (RelocatePiece(seat, source, PIECES[piece], post, lifted) for post in names)


def check_relocate(state: State, step: Relocate, move: RelocatePiece) -> None:
    """Refuse a piece that cannot be placed now, or a post too far away: HT-5.3, HT-5.4."""
    if (move.lifted is None) == (move.source == "board"):
        raise RuleBroken("HT-5.4", "not_lifted")
    if move.source == "displaced":
        if step.placed or move.piece != step.piece:
            raise RuleBroken("HT-5.3", "not_displaced", piece=name_parts.PIECES[move.piece])
    else:
        _check_extra(state, step, move)
    places.fitting_post(state, move.post, move.piece)
    _check_near(state, step, move)


def _check_extra(state: State, step: Relocate, move: RelocatePiece) -> None:
    """Refuse an extra piece too many, or from the wrong source: HT-5.3, HT-5.4, HT-5.7."""
    if not step.extras:
        raise RuleBroken("HT-5.3", "no_extra_left")
    source = source_of(state, move.seat)
    if move.source != source:
        key, place = "fault_wrong_source_of_extra", name_parts.SOURCES[source]
        raise RuleBroken("HT-5.4", "wrong_source", key, source=place)
    code = code_of(move.seat, PIECE_NUMBER[move.piece])
    if move.lifted is not None:
        if state.posts[places.post_number(state, move.lifted)] != code:
            key, piece = "fault_not_there_on_post", name_parts.PIECES[move.piece]
            raise RuleBroken("HT-5.4", "not_there", key, piece=piece)
        places.post_number(state, move.post)
        countries.check_moved(state, move.lifted, move.post)
    elif not _pieces_of_source(state, source)[code]:
        piece, place = name_parts.PIECES[move.piece], name_parts.SOURCES[source]
        raise RuleBroken("HT-5.4", "not_there", piece=piece, source=place)
    taken = sets.set_of_one(places.post_number(state, move.post))
    if not _posts_for_extras(state, step, move.lifted) & taken:
        raise RuleBroken("HT-5.7", "last_post")


def _pieces_of_source(state: State, source: board.Source) -> bytearray:
    """The pieces of a source off the board: HT-5.4."""
    return state.stock if source == "stock" else state.supply


def _posts_for_extras(state: State, step: Relocate, lifted: board.Post | None) -> Posts:
    """The posts for an extra piece, except the last for the displaced one: HT-5.7, HT-14.13."""
    chart, ground = state.board, sets.ground_of(state.board)
    posts = ground.every
    route, piece = chart.route_number[step.route], PIECE_NUMBER[step.piece]
    if lifted is not None:
        left = places.post_number(state, lifted)
        posts = ground.reach[chart.lands[chart.route_of[left]]]
        # The post that a piece from the board leaves can take the displaced piece.
        if ground.around[route] & ground.takes[piece] & sets.set_of_one(left):
            return posts
    if step.placed:
        return posts
    wanted = open_posts(state, route, piece)
    return posts if wanted.bit_count() > 1 else posts & ~wanted


def _check_near(state: State, step: Relocate, move: RelocatePiece) -> None:
    """Refuse a route that is not one of the nearest: HT-5.5, HT-5.6, HT-14.13."""
    chart = state.board
    origin, there = chart.route_number[step.route], chart.route_number[move.post[0]]
    if there == origin:
        raise RuleBroken("HT-5.6", "same_route", route=name_parts.route(step.route))
    if not chart.can_go(chart.lands[origin], there):
        start, end = (name_parts.COUNTRIES[chart.lands[route]] for route in (origin, there))
        raise RuleBroken("HT-14.13", "wrong_country", start=start, end=end)
    near = nearest(state, origin, PIECE_NUMBER[move.piece])
    if there not in near:
        routes = tuple(name_parts.route(state.setup.map.routes[route].id) for route in near)
        raise RuleBroken("HT-5.5", "too_far", routes=routes)


def relocate(p: Play[State], step: Relocate, move: RelocatePiece) -> None:
    """Place the displaced piece or an extra one, and offer the next: HT-5.3, HT-5.4, HT-5.11.

    Pieces never go to the supply here: HT-5.9.
    """
    p.emit(pieces.PieceRelocated(move.seat, move.source, move.piece, move.post, move.lifted))
    placed = step.placed or move.source == "displaced"
    extras = step.extras - (move.source != "displaced")
    # A merchant can go wherever a trader can: without a post for it, there is none at all.
    route = p.state.board.route_number[step.route]
    more = extras and nearest_posts(p.state, route, board.MERCHANT)
    if more or not placed:
        p.then(
            Relocate((move.seat,), route=step.route, piece=step.piece, placed=placed, extras=extras)
        )


def check_decline(_state: State, step: Relocate, _move: DeclineExtras) -> None:
    """Refuse to decline while the displaced piece is not placed: HT-5.8."""
    if not step.placed:
        raise RuleBroken("HT-5.8", "must_place", piece=name_parts.PIECES[step.piece])


def decline(p: Play[State], step: Relocate, move: DeclineExtras) -> None:
    """Place no more extra pieces: HT-5.8."""
    p.emit(pieces.ExtrasDeclined(move.seat, step.extras))
