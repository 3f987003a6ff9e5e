"""Which moves are legal, by what is to be decided."""

from __future__ import annotations

from typing import NoReturn

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
    PawnToStart,
    PlaceMarker,
    PlacePiece,
    PutPiece,
    RelocatePiece,
    RemovePiece,
    SendPawn,
    StopRemoving,
    SwapOffices,
    TakeIncome,
    TakeSpecialPrestige,
    UseImprovement,
    UseMarker,
)
from domain.games.hansa_teutonica.rules.bonuses import (
    check_decline_bonus,
    check_deploy,
    check_green_office,
)
from domain.games.hansa_teutonica.rules.faults import broken
from domain.games.hansa_teutonica.rules.judge_actions import (
    check_decline,
    check_displace,
    check_income,
    check_lift,
    check_place,
    check_put,
    check_relocate,
)
from domain.games.hansa_teutonica.rules.judge_establishing import check_establish
from domain.games.hansa_teutonica.rules.judge_markers import (
    check_marker,
    check_pawn,
    check_place_marker,
    check_remove,
    check_stop,
)
from domain.games.hansa_teutonica.state import (
    Deploying,
    GreenOffice,
    Moving,
    PlaceMarkers,
    PlacePawn,
    Relocate,
    Removing,
    State,
    Turn,
)


def check(state: State, move: Choice) -> None:
    """HT-3.4"""
    step = state.agenda[-1]
    match step:
        case Turn():
            _check_in_turn(state, move)
        case Relocate():
            _check_relocating(state, step, move)
        case Moving():
            _check_moving(state, step, move)
        case Removing():
            _check_removing(state, step, move)
        case Deploying() | GreenOffice():
            _check_bonus(state, step, move)
        case PlaceMarkers() if isinstance(move, PlaceMarker):
            check_place_marker(state, move, step)
        case PlacePawn():
            _check_placing_pawn(state, move)
        case _:
            _unfinished()


def _check_placing_pawn(state: State, move: Choice) -> None:
    """HT-11.3"""
    if not isinstance(move, PawnToStart):
        broken("HT-11.3", "pawn_first", "Before the first turn you put the pawn into a province.")
    check_pawn(state, move)


def _unfinished() -> NoReturn:
    """HT-3.4"""
    broken("HT-3.4", "unfinished", "What was begun must be finished first.")


def _check_bonus(state: State, step: Deploying | GreenOffice, move: Choice) -> None:
    """HT-14.4"""
    match step, move:
        case Deploying() as step, DeployPiece():
            check_deploy(state, move, step)
        case GreenOffice(), OpenGreenOffice():
            check_green_office(state, move)
        case _, DeclineBonus():
            pass
        case _:
            _unfinished()


def _check_relocating(state: State, step: Relocate, move: Choice) -> None:
    """HT-5.3, HT-5.8"""
    match move:
        case RelocatePiece():
            check_relocate(state, move, step)
        case DeclineExtras():
            check_decline(step)
        case _:
            _unfinished()


def _check_moving(state: State, step: Moving, move: Choice) -> None:
    """HT-4.4"""
    match move:
        case LiftPiece():
            check_lift(state, move, step)
        case PutPiece():
            check_put(state, move, step)
        case DeclineBonus():
            check_decline_bonus(step)
        case _:
            _unfinished()


def _check_removing(state: State, step: Removing, move: Choice) -> None:
    """HT-8.5"""
    match move:
        case RemovePiece():
            check_remove(state, move)
        case StopRemoving():
            check_stop(step)
        case _:
            _unfinished()


def _check_in_turn(state: State, move: Choice) -> None:
    """HT-3.3, HT-3.5"""
    match move:
        case EndTurn():
            pass
        case UseMarker() | UseImprovement() | SwapOffices():
            check_marker(state, move)
        case MovePawn() | SendPawn():
            check_pawn(state, move)
        case EstablishRoute() | OpenOffice() | OpenExtraOffice() | ImproveAbility():
            check_establish(state, move)
        case TakeSpecialPrestige():
            check_establish(state, move)
        case _:
            _check_action(state, move)


def _check_action(state: State, move: Choice) -> None:
    """HT-4.1, HT-4.2, HT-4.3, HT-4.4, HT-4.5"""
    match move:
        case TakeIncome():
            check_income(state, move)
        case PlacePiece():
            check_place(state, move)
        case DisplacePiece():
            check_displace(state, move)
        case LiftPiece():
            check_lift(state, move, None)
        case _:
            broken("HT-3.4", "not_now", "This can only be done in the course of something else.")
