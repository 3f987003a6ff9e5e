"""The course of the game: setting up, turns, markers for the board, the end."""

from __future__ import annotations

from typing import assert_never

from domain.engine.dice import draw, shuffle
from domain.engine.play import Play, Seat
from domain.engine.scoring import ranks
from domain.games.hansa_teutonica.board import (
    ABILITY_NUMBER,
    ACTIONS,
    MARKERS,
    START_SUPPLY,
    STARTING,
    Marker,
)
from domain.games.hansa_teutonica.events import (
    ActionsGained,
    FirstPlayerChosen,
    GameEnded,
    MarkerOnRoute,
    MarkerPlaced,
    MarkersDrawn,
    MarkersReturned,
    MarkerUsed,
    OfficesSwapped,
    PawnMoved,
    PawnPlaced,
    TavernsFilled,
    TurnBegan,
    TurnEnded,
)
from domain.games.hansa_teutonica.moves import (
    Choice,
    DeclineBonus,
    DeclineExtras,
    DeployPiece,
    DisplacePiece,
    EndTurn,
    Establishing,
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
    UsingMarker,
)
from domain.games.hansa_teutonica.rules.actions import (
    begin_removing,
    decline,
    displace,
    lift,
    place,
    put,
    relocate,
    remove,
    spend,
    take_income,
)
from domain.games.hansa_teutonica.rules.bonuses import (
    decline_bonus,
    deploy,
    grant,
    open_green_office,
)
from domain.games.hansa_teutonica.rules.establishing import (
    establish,
    improve,
    missing,
    nobody_can_establish,
    reason_to_end,
)
from domain.games.hansa_teutonica.rules.judge_markers import fits
from domain.games.hansa_teutonica.scoring import final_points, standings
from domain.games.hansa_teutonica.state import (
    CheckEnd,
    Deploying,
    EndReason,
    GreenOffice,
    Moving,
    NextTurn,
    PlaceMarkers,
    PlacePawn,
    Refill,
    Relocate,
    Removing,
    State,
    Turn,
)

AnyStep = Turn | Relocate | Moving | Removing | Deploying | GreenOffice | PlaceMarkers | PlacePawn


def begin(p: Play[State]) -> None:
    """HT-2.2, HT-2.3, HT-2.5, HT-12.2"""
    seats, first = p.state.seats, p.state.setup.first_player
    if first is None:
        first = p.dice.below(seats)
    supplies = [START_SUPPLY[(seat - first) % seats] for seat in range(seats)]
    p.emit(FirstPlayerChosen(first, tuple(supplies)))
    kinds = list(STARTING)
    shuffle(p.dice, kinds)
    taverns = [route.id for route in p.state.setup.map.routes if route.tavern]
    pairs = zip(taverns, kinds, strict=True)
    p.emit(TavernsFilled(tuple(MarkerOnRoute(route, kind) for route, kind in pairs)))
    p.then(NextTurn(seat=first))
    if p.state.setup.provinces:
        p.then(PlacePawn(((first + 1) % seats,)))


def play(p: Play[State], step: AnyStep, move: Choice) -> None:
    """HT-3.3, HT-3.4"""
    match step, move:
        case Turn(), EndTurn():
            p.emit(TurnEnded(move.seat, p.state.actions))
            p.then(Refill(seat=move.seat))
        case Turn(), _:
            p.then(Turn((move.seat,)))
            _act(p, move)
        case PlaceMarkers() as step, PlaceMarker():
            place_marker(p, step, move)
        case PlacePawn(), PawnToStart():
            p.emit(PawnPlaced(move.seat, move.province))
        case _:
            _finish(p, step, move)


def proceed(p: Play[State], step: CheckEnd | Refill | NextTurn) -> None:
    """HT-3.6, HT-9.2"""
    match step:
        case CheckEnd():
            if reason := reason_to_end(p.state) or ("markers" if step.short else None):
                end(p, reason)
        case Refill():
            refill(p, step.seat)
        case NextTurn():
            next_turn(p, step.seat)
        case _:
            assert_never(step)


def next_turn(p: Play[State], seat: Seat) -> None:
    """HT-3.1, HT-3.2"""
    p.emit(TurnBegan(seat, p.state.turn + 1, p.state.value(seat, ACTIONS)))
    p.then(Turn((seat,)))


def refill(p: Play[State], seat: Seat) -> None:
    """HT-8.8, HT-9.3, HT-9.5, HT-13.3"""
    wanted = missing(p.state)
    if wanted > p.state.drawable():
        end(p, "markers")
        return
    if nobody_can_establish(p.state):
        end(p, "pieces")
        return
    p.then(NextTurn(seat=(seat + 1) % p.state.seats))
    if wanted:
        _draw(p, seat, wanted)


def place_marker(p: Play[State], step: PlaceMarkers, move: PlaceMarker) -> None:
    """HT-8.9"""
    p.emit(MarkerPlaced(move.seat, move.kind, move.route))
    kinds = list(step.kinds)
    kinds.remove(move.kind)
    _place_rest(p, move.seat, tuple(kinds))


def end(p: Play[State], reason: EndReason) -> None:
    """HT-9.1, HT-9.2, HT-10.7"""
    parts = [final_points(p.state, seat) for seat in range(p.state.seats)]
    places = ranks(standings(p.state, parts))
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    p.state.agenda.clear()
    p.emit(GameEnded(reason, winners, tuple(sum(part.values()) for part in parts)))


def _draw(p: Play[State], seat: Seat, wanted: int) -> None:
    """HT-8.8, HT-8.10, HT-12.2"""
    pile = list(p.state.pile)
    drawn = [draw(p.dice, pile) for _ in range(min(wanted, sum(pile)))]
    low = p.state.bottom[: wanted - len(drawn)]
    kinds = tuple(MARKERS[number] for number in (*drawn, *low))
    p.emit(MarkersDrawn(seat, kinds, len(low)))
    _place_rest(p, seat, kinds)


def _place_rest(p: Play[State], seat: Seat, kinds: tuple[Marker, ...]) -> None:
    """HT-8.10"""
    if not kinds:
        return
    if any(fits(p.state, route) for route in range(len(p.state.markers))):
        p.then(PlaceMarkers((seat,), kinds=kinds))
    else:
        p.emit(MarkersReturned(seat, kinds))


def _act(p: Play[State], move: Choice) -> None:
    """HT-3.3, HT-3.5"""
    match move:
        case UseMarker() | UseImprovement() | SwapOffices():
            _use_marker(p, move)
        case MovePawn() | SendPawn():
            _move_pawn(p, move)
        case EstablishRoute() | OpenOffice() | OpenExtraOffice() | ImproveAbility():
            _establish(p, move)
        case TakeSpecialPrestige():
            _establish(p, move)
        case _:
            _act_with_pieces(p, move)


def _act_with_pieces(p: Play[State], move: Choice) -> None:
    """HT-4.1, HT-4.2, HT-4.3, HT-4.4"""
    match move:
        case TakeIncome():
            take_income(p, move)
        case PlacePiece():
            place(p, move)
        case DisplacePiece():
            displace(p, move)
        case LiftPiece():
            lift(p, None, move)
        case _:
            raise AssertionError(move)


def _finish(p: Play[State], step: AnyStep, move: Choice) -> None:
    """HT-3.4, HT-5.2, HT-5.8"""
    match step, move:
        case Relocate() as step, RelocatePiece():
            relocate(p, step, move)
        case Relocate() as step, DeclineExtras():
            decline(p, step, move.seat)
        case Moving() as step, LiftPiece():
            lift(p, step, move)
        case Moving() as step, PutPiece():
            put(p, step, move)
        case Removing() as step, RemovePiece():
            remove(p, step, move)
        case Removing(), StopRemoving():
            pass
        case _:
            _use_bonus(p, step, move)


def _use_bonus(p: Play[State], step: AnyStep, move: Choice) -> None:
    """HT-14.4"""
    match step, move:
        case Deploying() as step, DeployPiece():
            deploy(p, step, move)
        case GreenOffice(), OpenGreenOffice():
            open_green_office(p, move)
        case Deploying() | GreenOffice() | Moving() as step, DeclineBonus():
            decline_bonus(p, step, move.seat)
        case _:
            raise AssertionError(move)


def _establish(p: Play[State], move: Establishing) -> None:
    """HT-4.5, HT-14.4"""
    left = establish(p, move)
    grant(p, move.seat, p.state.board.route_number[move.route], left)


def _use_marker(p: Play[State], move: UsingMarker) -> None:
    """HT-8.2, HT-8.4, HT-8.6, HT-8.7"""
    match move:
        case UseImprovement():
            p.emit(MarkerUsed(move.seat, "improve_ability"))
            improve(p, move.seat, ABILITY_NUMBER[move.ability])
        case SwapOffices():
            p.emit(MarkerUsed(move.seat, "swap_offices"))
            p.emit(OfficesSwapped(move.seat, move.city, move.left))
        case UseMarker():
            p.emit(MarkerUsed(move.seat, move.kind))
            if move.kind == "remove_three":
                begin_removing(p, move.seat)
            else:
                p.emit(ActionsGained(move.seat, 3 if move.kind == "plus_3_actions" else 4))


def _move_pawn(p: Play[State], move: MovePawn | SendPawn) -> None:
    """HT-11.5, HT-11.6, HT-11.7"""
    paid = isinstance(move, SendPawn)
    if paid:
        spend(p, move.seat)
    closes = not paid and p.state.acted
    p.emit(PawnMoved(move.seat, move.province, paid, closes))
