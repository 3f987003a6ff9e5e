"""The weakest level: establishes what it can, and otherwise begins what looks quickest."""

from __future__ import annotations

from typing import Any

from domain.engine.dice import shuffle
from domain.engine.game import Sight, legal_moves
from domain.engine.play import Seat
from domain.games.hansa_teutonica.moves import (
    Choice,
    DeclineBonus,
    DeclineExtras,
    DeployPiece,
    DisplacePiece,
    EndTurn,
    EstablishRoute,
    ImproveAbility,
    LiftPiece,
    MovePawn,
    OpenExtraOffice,
    OpenGreenOffice,
    OpenOffice,
    PlacePiece,
    PutPiece,
    RelocatePiece,
    SendPawn,
    StopRemoving,
    TakeIncome,
    TakeSpecialPrestige,
)
from domain.games.hansa_teutonica.state import State, code_of

EAGERNESS: dict[type[Any], float] = {
    TakeSpecialPrestige: 9,
    OpenOffice: 9,
    OpenExtraOffice: 8,
    ImproveAbility: 9,
    EstablishRoute: 7,
    TakeIncome: 2,
    DisplacePiece: 0,
    EndTurn: -1,
    StopRemoving: 2,
    DeclineExtras: -1,
    OpenGreenOffice: 9,
    DeclineBonus: -0.5,
}


def hasty(sight: Sight[State]) -> Choice:
    """The move that looks best without a thought of what comes of it."""
    state = sight.imagine()
    moves = legal_moves(sight.game, state, sight.seat)
    shuffle(sight.dice, moves)
    return max(moves, key=lambda move: appeal(state, sight.seat, move))


def appeal(state: State, seat: Seat, move: Choice) -> float:
    """The kind of the move, and how nearly full its route is."""
    match move:
        case PlacePiece() | PutPiece() | RelocatePiece() | DeployPiece():
            bonus = 0.5 if move.piece == "merchant" else 0.0
            return 3 + 4 * _held(state, seat, move.post[0]) - bonus
        case DisplacePiece():
            return 5 * _held(state, seat, move.post[0])
        case LiftPiece():
            return -0.2 - _held(state, seat, move.post[0])
        case MovePawn() | SendPawn():
            return _wanted(state, seat, move.province)
        case _:
            return EAGERNESS.get(type(move), 0.5)


def _wanted(state: State, seat: Seat, province: str) -> float:
    """Whether a province touches a route that only waits to be established."""
    routes = next(each.routes for each in state.setup.provinces if each.id == province)
    most = max(_held(state, seat, route) for route in routes)
    return 6 if most == 1 else most - 2


def _held(state: State, seat: Seat, route: str) -> float:
    """Which part of a route is the seat's own."""
    span = state.board.posts[state.board.route_number[route]]
    posts = state.posts[span.start : span.stop]
    return (posts.count(code_of(seat, 0)) + posts.count(code_of(seat, 1))) / len(posts)
