"""Ways to continue a turn, step by step, with the answers of others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from domain.engine.errors import RuleBroken
from domain.engine.game import BotView, Evaluator, advance, judge, legal_moves, seats_to_move
from domain.engine.play import Move, Seat
from domain.games.hansa_teutonica.board import BOOK, PIECES
from domain.games.hansa_teutonica.bot.hasty import appeal
from domain.games.hansa_teutonica.moves import LiftPiece, PutPiece
from domain.games.hansa_teutonica.state.steps import Deploying, GreenOffice, Moving, Turn
from domain.games.hansa_teutonica.state.table import FREE, State, code_of, piece_of

Table = BotView[State]
Moves = tuple[Move, ...]


class Line(NamedTuple):
    """A way to continue: its value, its first move, and the table after it."""

    value: float
    first: Move
    state: State


def is_in_turn(state: State) -> bool:
    """Whether the active player decides something in their turn."""
    return bool(state.agenda) and isinstance(
        state.agenda[-1], Turn | Moving | Deploying | GreenOffice
    )


def choose_hastily(view: Table, state: State, seat: Seat) -> Move:
    """The move with the highest appeal."""
    moves = legal_moves(view.game, state, seat)
    best: Move = max(moves, key=lambda move: appeal(state, seat, move))
    return best


def lines_from(
    view: Table, evaluate: Evaluator, state: State, first: Move | None
) -> Iterator[Line]:
    """The table after each choice: all of them while there is time, but at least one."""
    for moves in _choices(view, state):
        after = state.copy()
        for move in moves:
            advance(view.game, after, move, view.dice)
        _answer_for_others(view, after)
        yield Line(evaluate(after, view.seat), first or moves[0], after)
        if view.is_late():
            return


def _answer_for_others(view: Table, state: State) -> None:
    """Let owners of displaced pieces place them by appeal."""
    while state.agenda and state.active == view.seat and seats_to_move(state) != (view.seat,):
        (other,) = seats_to_move(state)
        advance(view.game, state, choose_hastily(view, state, other), view.dice)


def _choices(view: Table, state: State) -> Iterator[Moves]:
    """Single moves; but lifted pieces are put down in the same choice."""
    step = state.agenda[-1]
    if isinstance(step, Moving) and not (step.marker or step.bonus):
        ways = list(_legal_rearrangements(view, state, step.held, step.left))
        if ways:
            yield from ways
            return
    moves = legal_moves(view.game, state, view.seat)
    lifting = False
    for move in moves:
        if isinstance(move, LiftPiece) and isinstance(step, Turn):
            lifting = True
        else:
            yield (move,)
    if lifting:
        yield from _legal_rearrangements(view, state, (), state.value(view.seat, BOOK))


def _legal_rearrangements(
    view: Table, state: State, held: tuple[int, ...], left: int
) -> Iterator[Moves]:
    """Ways to bring pieces to one route that the map allows."""
    ways = _rearrangements(state, view.seat, held, left)
    return (way for way in ways if not state.board.reserved or _is_legal(view, state, way))


def _is_legal(view: Table, state: State, moves: Moves) -> bool:
    """Whether the map allows these moves, one after the other: HT-14.1."""
    after = state.copy()
    try:
        for move in moves:
            judge(view.game, after, move)
            advance(view.game, after, move, view.dice)
    except RuleBroken:
        return False
    return True


def _rearrangements(state: State, seat: Seat, held: tuple[int, ...], left: int) -> Iterator[Moves]:
    """For each route with free posts, the moves that bring the least useful pieces there."""
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
        yield _moves_to_route(state, seat, route, held, spare[:wanted])


def _donors(state: State, seat: Seat) -> list[int]:
    """The seat's pieces on posts, first those on the routes that are furthest from full."""
    own = {code_of(seat, 0), code_of(seat, 1)}
    ranked = []
    for span in state.board.posts:
        mine = [post for post in span if state.posts[post] in own]
        if len(mine) < len(span):
            ranked += [(len(mine) / len(span), piece_of(state.posts[post]), post) for post in mine]
    return [post for _, _, post in sorted(ranked)]


def _moves_to_route(
    state: State, seat: Seat, route: int, held: tuple[int, ...], lifted: list[int]
) -> Moves:
    """The moves that lift these pieces and put all on a route."""
    board = state.board
    lifts = [LiftPiece(seat, _post_name(state, post)) for post in lifted]
    codes = [*held, *(state.posts[post] for post in lifted)]
    free = [post for post in board.posts[route] if state.posts[post] == FREE]
    free += [post for post, code in enumerate(state.posts) if code == FREE and post not in free]
    puts = []
    for code in codes:
        fit = (post for post in free if board.can_take(post, piece_of(code)))
        post = next(fit, free[0])
        free.remove(post)
        puts.append(PutPiece(seat, seat, PIECES[piece_of(code)], _post_name(state, post)))
    return (*lifts, *puts)


def _post_name(state: State, post: int) -> tuple[str, int]:
    route = state.board.route_of[post]
    return state.setup.map.routes[route].id, post - state.board.posts[route].start
