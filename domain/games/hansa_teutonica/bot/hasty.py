"""The weakest level: it establishes routes if it can, and otherwise fills the fullest ones."""

from __future__ import annotations

from typing import Any

from domain.engine.dice import shuffle
from domain.engine.game import BotView, legal_moves
from domain.engine.play import Move, Seat
from domain.games.hansa_teutonica import moves
from domain.games.hansa_teutonica.state.table import State, code_of

EAGERNESS: dict[type[Any], float] = {
    moves.TakeSpecialPrestige: 9,
    moves.OpenOffice: 9,
    moves.OpenExtraOffice: 8,
    moves.ImproveAbility: 9,
    moves.EstablishRoute: 7,
    moves.TakeIncome: 2,
    moves.DisplacePiece: 0,
    moves.EndTurn: -1,
    moves.StopRemoving: 2,
    moves.DeclineExtras: -1,
    moves.OpenGreenOffice: 9,
    moves.DeclineBonus: -0.5,
}


def hasty_bot(view: BotView[State]) -> Move:
    """The move with the highest appeal, without looking ahead."""
    state = view.imagine()
    menu = legal_moves(view.game, state, view.seat)
    shuffle(view.dice, menu)
    best: Move = max(menu, key=lambda move: appeal(state, view.seat, move))
    return best


def appeal(state: State, seat: Seat, move: Move) -> float:
    """A number for the kind of a move, plus how full its route is."""
    match move:
        case moves.PlacePiece() | moves.PutPiece() | moves.RelocatePiece() | moves.DeployPiece():
            bonus = 0.5 if move.piece == "merchant" else 0.0
            return 3 + 4 * _share_of_route(state, seat, move.post[0]) - bonus
        case moves.DisplacePiece():
            return 5 * _share_of_route(state, seat, move.post[0])
        case moves.LiftPiece():
            return -0.2 - _share_of_route(state, seat, move.post[0])
        case moves.MovePawn() | moves.SendPawn():
            return _touches_own_route(state, seat, move.province)
        case _:
            return EAGERNESS.get(type(move), 0.5)


def _touches_own_route(state: State, seat: Seat, province: str) -> float:
    """1 if a province touches a route that the seat could establish, else 0."""
    routes = next(each.routes for each in state.setup.provinces if each.id == province)
    most = max(_share_of_route(state, seat, route) for route in routes)
    return 6 if most == 1 else most - 2


def _share_of_route(state: State, seat: Seat, route: str) -> float:
    """The part of the posts of a route that the seat has."""
    span = state.board.posts[state.board.route_number[route]]
    posts = state.posts[span.start : span.stop]
    return (posts.count(code_of(seat, 0)) + posts.count(code_of(seat, 1))) / len(posts)
