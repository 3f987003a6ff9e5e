"""The pawn of a game of two, and the province that it opens: chapter 11."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica.board import Board, Province
from domain.games.hansa_teutonica.events import course
from domain.games.hansa_teutonica.moves import MovePawn, PawnToStart, SendPawn
from domain.games.hansa_teutonica.rules import name_parts, turns
from domain.games.hansa_teutonica.rules.pieces import sets
from domain.games.hansa_teutonica.state.steps import PlacePawn, Turn
from domain.games.hansa_teutonica.state.table import State


def check_in_province(state: State, route: str) -> None:
    """Refuse a route that does not touch the province of the pawn: HT-11.4, HT-11.5."""
    if not open_posts(state) & sets.ground_of(state.board).routes[state.board.route_number[route]]:
        there = name_parts.province(state.pawn or "")
        raise RuleBroken(
            "HT-11.4", "outside_province", route=name_parts.route(route), province=there
        )


def open_posts(state: State) -> sets.Posts:
    """The posts of routes that touch the pawn's province; without a pawn, all posts: HT-11.4."""
    ground = sets.ground_of(state.board)
    return ground.every if state.pawn is None else ground.opened[state.pawn]


def offer_starts(state: State, _step: PlacePawn, seat: Seat) -> Iterator[PawnToStart]:
    """Each province: HT-11.3."""
    return (PawnToStart(seat, province.id) for province in state.setup.provinces)


def check_start(state: State, _step: PlacePawn, move: PawnToStart) -> None:
    """Refuse a province that is not on the map: HT-11.3."""
    _check_province(state, move.province)


def _check_province(state: State, province: str) -> None:
    """Refuse a province that is not on the map, and all without a pawn: HT-11.1, HT-11.2."""
    if not state.setup.provinces:
        raise RuleBroken("HT-11.1", "no_pawn")
    if all(province != each.id for each in state.setup.provinces):
        raise RuleBroken("HT-11.2", "no_such_province", province=province)


def start(p: Play[State], _step: PlacePawn, move: PawnToStart) -> None:
    """Put the pawn into a province before the first turn: HT-11.3."""
    p.emit(course.PawnPlaced(move.seat, move.province))


def is_in_play(state: State, _seat: Seat) -> bool:
    """Whether the game has a pawn, which is the case with two players: HT-11.1."""
    return state.pawn is not None


def offer_moves(state: State, _step: Turn, seat: Seat) -> tuple[MovePawn, ...]:
    """Each near province, if the pawn has not moved freely: HT-11.6."""
    if state.pawn_moved:
        return ()
    return _near_ones(state.board, seat, state.pawn or "")


@lru_cache(maxsize=1 << 7)
def _near_ones(chart: Board, seat: Seat, province: str) -> tuple[MovePawn, ...]:
    near = sets.ground_of(chart).near[province]
    return tuple(MovePawn(seat, each.id) for each in near if each.id != province)


def check_move(state: State, _step: Turn, move: MovePawn) -> None:
    """Refuse a second free move, the same province, and one too far away: HT-11.6."""
    _check_province(state, move.province)
    _check_elsewhere(state, move.province, "HT-11.6")
    if state.pawn_moved:
        raise RuleBroken("HT-11.6", "pawn_moved")
    if all(move.province != each.id for each in near_provinces(state)):
        there = name_parts.province(move.province)
        raise RuleBroken("HT-11.6", "too_far", "fault_too_far_for_pawn", province=there)


def _check_elsewhere(state: State, province: str, rule: str) -> None:
    """Refuse by this rule the province where the pawn is."""
    if province == state.pawn:
        raise RuleBroken(rule, "already_there", province=name_parts.province(province))


def near_provinces(state: State) -> tuple[Province, ...]:
    """The provinces over one or two borders from the pawn, with its own: HT-11.6, HT-11.8."""
    return sets.ground_of(state.board).near[state.pawn or ""]


def move_freely(p: Play[State], _step: Turn, move: MovePawn) -> None:
    """Move the pawn; after an action this closes the turn: HT-11.6, HT-11.5."""
    p.emit(course.PawnMoved(move.seat, move.province, paid=False, closes=p.state.acted))


def offer_sends(state: State, _step: Turn, seat: Seat) -> tuple[SendPawn, ...]:
    """Each other province, if an action is left: HT-11.7."""
    if not state.actions or state.closed:
        return ()
    return _far_ones(state.board, seat, state.pawn)


@lru_cache(maxsize=1 << 7)
def _far_ones(chart: Board, seat: Seat, province: str | None) -> tuple[SendPawn, ...]:
    return tuple(SendPawn(seat, each.id) for each in chart.provinces if each.id != province)


def check_send(state: State, _step: Turn, move: SendPawn) -> None:
    """Refuse the same province, and any province without an action: HT-11.7."""
    _check_province(state, move.province)
    _check_elsewhere(state, move.province, "HT-11.7")
    turns.check_action(state)


def send(p: Play[State], _step: Turn, move: SendPawn) -> None:
    """Send the pawn to any province for an action: HT-11.7."""
    turns.spend(p, move.seat)
    p.emit(course.PawnMoved(move.seat, move.province, paid=True, closes=False))
