"""When markers can be used and where new ones can lie; where the pawn can go."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.games.hansa_teutonica.board import REMOVED, Marker, Province
from domain.games.hansa_teutonica.moves import (
    MovePawn,
    PawnToStart,
    PlaceMarker,
    RemovePiece,
    SendPawn,
    SwapOffices,
    UseImprovement,
    UseMarker,
)
from domain.games.hansa_teutonica.rules.faults import (
    broken,
    city_number,
    has_action,
    has_marker,
    post_number,
    route_number,
)
from domain.games.hansa_teutonica.rules.judge_establishing import check_complete
from domain.games.hansa_teutonica.state import (
    FREE,
    PlaceMarkers,
    Removing,
    State,
    owner_of,
)


def check_marker(state: State, move: UseMarker | UseImprovement | SwapOffices) -> None:
    """HT-8.1"""
    match move:
        case UseMarker():
            _check_use(state, move)
        case UseImprovement():
            _check_ready(state, move.seat, "improve_ability")
            check_complete(state, move.seat, move.ability)
        case SwapOffices():
            _check_ready(state, move.seat, "swap_offices")
            _check_swap(state, move)


def check_remove(state: State, move: RemovePiece) -> None:
    """HT-8.5"""
    if state.posts[post_number(state, move.post)] == FREE:
        broken("HT-8.5", "nothing_there", "No piece stands on this post.")


def check_stop(step: Removing) -> None:
    """HT-8.5"""
    if step.left == REMOVED:
        broken("HT-8.5", "must_remove", "At least one piece must be taken.")


def check_place_marker(state: State, move: PlaceMarker, step: PlaceMarkers) -> None:
    """HT-8.9, HT-14.3, HT-14.4"""
    if move.kind not in step.kinds:
        broken("HT-8.9", "not_drawn", f"You have drawn no marker {move.kind}.")
    route = route_number(state, move.route)
    if state.markers[route]:
        broken("HT-8.9", "marker_there", f"A marker lies on {move.route} already.")
    if route in state.board.bare:
        rule = "HT-14.4" if route in state.board.bonuses else "HT-14.3"
        broken(rule, "no_markers_here", f"No marker is ever laid on {move.route}.")
    span = state.board.posts[route]
    if any(state.posts[span.start : span.stop]):
        broken("HT-8.9", "piece_there", f"A piece stands on {move.route}.")
    if all(state.free_office(city) < 0 for city in state.board.ends[route]):
        broken("HT-8.9", "cities_complete", f"Both cities of {move.route} are complete.")


def fits(state: State, route: int) -> bool:
    """HT-8.9, HT-14.4"""
    span = state.board.posts[route]
    return (
        not state.markers[route]
        and route not in state.board.bare
        and not any(state.posts[span.start : span.stop])
        and any(state.free_office(city) >= 0 for city in state.board.ends[route])
    )


def check_pawn(state: State, move: PawnToStart | MovePawn | SendPawn) -> None:
    """HT-11.3, HT-11.6, HT-11.7"""
    provinces = {province.id: province for province in state.setup.provinces}
    if not provinces:
        broken("HT-11.1", "no_pawn", "There is no pawn in this game.")
    if move.province not in provinces:
        broken("HT-11.2", "no_such_province", f"There is no province {move.province!r}.")
    if isinstance(move, PawnToStart):
        return
    if move.province == state.pawn:
        rule = "HT-11.7" if isinstance(move, SendPawn) else "HT-11.6"
        broken(rule, "already_there", f"The pawn stands in {move.province} already.")
    if isinstance(move, SendPawn):
        has_action(state)
        return
    if state.pawn_moved:
        broken("HT-11.6", "pawn_moved", "The pawn has had its free move in this turn.")
    if move.province not in within_two(provinces, str(state.pawn)):
        broken("HT-11.6", "too_far", f"{move.province} is more than two borders away.")


def within_two(provinces: dict[str, Province], start: str) -> set[str]:
    """HT-11.6, HT-11.8"""
    near = provinces[start].neighbours
    return {*near, *(far for middle in near for far in provinces[middle].neighbours)}


def _check_ready(state: State, seat: Seat, kind: Marker) -> None:
    """HT-8.1, HT-11.6"""
    if state.closed:
        broken("HT-11.6", "turn_closed", "After the free move of the pawn the turn can only end.")
    has_marker(state, seat, kind)


def _check_use(state: State, move: UseMarker) -> None:
    """HT-8.5, HT-8.7, HT-13.4"""
    _check_ready(state, move.seat, move.kind)
    if move.kind not in ("plus_3_actions", "plus_4_actions", "remove_three"):
        reason = f"A marker {move.kind} is used in another way."
        broken("HT-8.1", "used_otherwise", reason)
    if move.kind == "remove_three":
        only_others = state.setup.remove_three == "move"
        on_posts = (owner_of(code) for code in state.posts if code != FREE)
        if not any(owner != move.seat or not only_others for owner in on_posts):
            broken("HT-8.5", "nothing_there", "There is no piece on any post to be taken.")


def _check_swap(state: State, move: SwapOffices) -> None:
    """HT-8.4, HT-13.8"""
    offices = state.board.offices[city_number(state, move.city)]
    if not 0 <= move.left < len(offices) - 1:
        broken("HT-8.4", "no_neighbours", f"{move.city} has no such neighbouring offices.")
    at = offices.start + move.left
    pair = state.offices[at : at + 2]
    if FREE in pair:
        broken("HT-8.4", "not_occupied", "Both offices must be occupied.")
    if state.setup.swap == "one_own" and move.seat not in map(owner_of, pair):
        broken("HT-13.8", "none_yours", "One of the two offices must be yours.")
