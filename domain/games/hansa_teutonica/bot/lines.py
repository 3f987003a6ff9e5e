"""The ways to go on in a turn, a step at a time, and what others answer meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.engine.errors import RuleBroken
from domain.engine.game import Evaluation, Sight, advance, awaited, judge, legal_moves
from domain.engine.play import Move, Seat
from domain.games.hansa_teutonica.board import BOOK, PIECES
from domain.games.hansa_teutonica.bot.hasty import appeal
from domain.games.hansa_teutonica.moves import LiftPiece, PutPiece
from domain.games.hansa_teutonica.state.steps import Deploying, GreenOffice, Moving, Turn
from domain.games.hansa_teutonica.state.table import FREE, State, code_of, piece_of

Table = Sight[State]
Moves = tuple[Move, ...]


class Line(NamedTuple):
    """A way to go on: how good it looks, its first move, where it leads."""

    value: float
    first: Move
    state: State


def in_turn(state: State) -> bool:
    """Whether somebody decides something of their own turn."""
    return bool(state.agenda) and isinstance(
        state.agenda[-1], Turn | Moving | Deploying | GreenOffice
    )


def first_choice(sight: Table, state: State, seat: Seat) -> Move:
    """What a seat chooses without much thought."""
    moves = legal_moves(sight.game, state, seat)
    best: Move = max(moves, key=lambda move: appeal(state, seat, move))
    return best


def lines_from(
    sight: Table, evaluate: Evaluation, state: State, first: Move | None
) -> Iterator[Line]:
    """Where each choice leads: all while there is time, one in any case."""
    for moves in _choices(sight, state):
        after = state.copy()
        for move in moves:
            advance(sight.game, after, move, sight.dice)
        _answer(sight, after)
        yield Line(evaluate(after, sight.seat), first or moves[0], after)
        if sight.late():
            return


def _answer(sight: Table, state: State) -> None:
    """Let whoever is displaced place their pieces without much thought."""
    while state.agenda and state.active == sight.seat and awaited(state) != (sight.seat,):
        (other,) = awaited(state)
        advance(sight.game, state, first_choice(sight, state, other), sight.dice)


def _choices(sight: Table, state: State) -> Iterator[Moves]:
    """Single moves, but pieces are lifted only to be put somewhere at once."""
    step = state.agenda[-1]
    if isinstance(step, Moving) and not (step.marker or step.bonus):
        ways = list(_allowed(sight, state, step.held, step.left))
        if ways:
            yield from ways
            return
    moves = legal_moves(sight.game, state, sight.seat)
    lifting = False
    for move in moves:
        if isinstance(move, LiftPiece) and isinstance(step, Turn):
            lifting = True
        else:
            yield (move,)
    if lifting:
        yield from _allowed(sight, state, (), state.value(sight.seat, BOOK))


def _allowed(sight: Table, state: State, held: tuple[int, ...], left: int) -> Iterator[Moves]:
    """The ways to bring pieces to one route that the map allows."""
    ways = _rearranged(state, sight.seat, held, left)
    return (way for way in ways if not state.board.reserved or _is_legal(sight, state, way))


def _is_legal(sight: Table, state: State, moves: Moves) -> bool:
    """Whether the map allows all of it, move after move: HT-14.1."""
    after = state.copy()
    try:
        for move in moves:
            judge(sight.game, after, move)
            advance(sight.game, after, move, sight.dice)
    except RuleBroken:
        return False
    return True


def _rearranged(state: State, seat: Seat, held: tuple[int, ...], left: int) -> Iterator[Moves]:
    """For each route with free posts: bring the pieces there that are of least use elsewhere."""
    donors = _donors(state, seat)
    spans = state.board.posts
    for route, span in enumerate(spans):
        free = state.posts.count(FREE, span.start, span.stop)
        if not free:
            continue
        spare = [post for post in donors if state.board.route_of[post] != route]
        wanted = max(0, min(left, free - len(held)))
        if not held and not spare[:wanted]:
            continue
        yield _brought(state, seat, route, held, spare[:wanted])


def _donors(state: State, seat: Seat) -> list[int]:
    """Own pieces on posts, those on routes that are furthest from full first."""
    own = {code_of(seat, 0), code_of(seat, 1)}
    ranked = []
    for span in state.board.posts:
        mine = [post for post in span if state.posts[post] in own]
        if len(mine) < len(span):
            ranked += [(len(mine) / len(span), piece_of(state.posts[post]), post) for post in mine]
    return [post for _, _, post in sorted(ranked)]


def _brought(
    state: State, seat: Seat, route: int, held: tuple[int, ...], lifted: list[int]
) -> Moves:
    """Lift these pieces and put all on a route."""
    board = state.board
    lifts = [LiftPiece(seat, _named(state, post)) for post in lifted]
    codes = [*held, *(state.posts[post] for post in lifted)]
    free = [post for post in board.posts[route] if state.posts[post] == FREE]
    free += [post for post, code in enumerate(state.posts) if code == FREE and post not in free]
    puts = []
    for code in codes:
        fit = (post for post in free if board.takes(post, piece_of(code)))
        post = next(fit, free[0])
        free.remove(post)
        puts.append(PutPiece(seat, seat, PIECES[piece_of(code)], _named(state, post)))
    return (*lifts, *puts)


def _named(state: State, post: int) -> tuple[str, int]:
    route = state.board.route_of[post]
    return state.setup.map.routes[route].id, post - state.board.posts[route].start
