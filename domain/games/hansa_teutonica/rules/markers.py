"""Markers: how seats use and lay them: chapter 8."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from domain.engine.dice import draw
from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.hansa_teutonica import board, moves
from domain.games.hansa_teutonica.board import ABILITIES, MARKER_NUMBER, MARKERS
from domain.games.hansa_teutonica.events import course, pieces, routes
from domain.games.hansa_teutonica.events.changes import number_of
from domain.games.hansa_teutonica.rules import abilities, ends, name_parts, turns
from domain.games.hansa_teutonica.rules.pieces import places, sets
from domain.games.hansa_teutonica.state import steps, table
from domain.games.hansa_teutonica.state.steps import Turn
from domain.games.hansa_teutonica.state.table import FREE, State

MORE_ACTIONS: dict[board.Marker, int] = {"plus_3_actions": 3, "plus_4_actions": 4}
MARKERS_WITHOUT_CHOICE: tuple[board.Marker, ...] = ("remove_three", *MORE_ACTIONS)
"""Markers used without a further choice."""


def count_of(state: State, seat: Seat, kind: board.Marker) -> int:
    """How many markers of this kind lie face up before a seat: HT-8.1."""
    return state.ready[seat * table.KINDS + MARKER_NUMBER[kind]]


def is_ready(state: State, seat: Seat, kind: board.Marker) -> bool:
    """Whether a seat has a marker that it did not take in this turn: HT-8.1, HT-13.2."""
    count = count_of(state, seat, kind)
    fresh = state.fresh[MARKER_NUMBER[kind]] if state.setup.marker_use == "later_turn" else 0
    return count > 0 and count != fresh


def check_ready(state: State, seat: Seat, kind: board.Marker) -> None:
    """Refuse a marker that the seat does not have, or took in this turn: HT-8.1, HT-13.2."""
    if not count_of(state, seat, kind):
        raise RuleBroken("HT-8.1", "no_such_marker", kind=name_parts.MARKERS[kind])
    if not is_ready(state, seat, kind):
        raise RuleBroken("HT-8.1", "marker_too_fresh", kind=name_parts.MARKERS[kind])


def can_use_any(state: State, seat: Seat) -> bool:
    """Whether a seat has markers face up, and its turn is open: HT-8.1, HT-11.6."""
    return not state.closed and any(state.markers_of(state.ready, seat))


def _check_usable(state: State, seat: Seat, kind: board.Marker) -> None:
    """Refuse a marker that is not ready, and all once the turn is closed: HT-8.1, HT-11.6."""
    turns.check_open(state)
    check_ready(state, seat, kind)


def offer_uses(state: State, _step: Turn, seat: Seat) -> list[moves.UseMarker]:
    """Each kind of ready marker that has an effect without a further choice: HT-8.1, HT-8.5."""
    return [
        moves.UseMarker(seat, kind)
        for kind in MARKERS_WITHOUT_CHOICE
        if is_ready(state, seat, kind)
        and (kind != "remove_three" or _is_anything_there(state, seat))
    ]


def check_use(state: State, _step: Turn, move: moves.UseMarker) -> None:
    """Refuse a marker that needs another move, or would do nothing: HT-8.1, HT-8.5."""
    _check_usable(state, move.seat, move.kind)
    if move.kind not in MARKERS_WITHOUT_CHOICE:
        raise RuleBroken("HT-8.1", "used_otherwise", kind=name_parts.MARKERS[move.kind])
    if move.kind == "remove_three":
        _check_removable(state, move.seat)


def _check_removable(state: State, seat: Seat) -> None:
    """Refuse if there are no pieces to take: HT-8.5; with the option, none of others: HT-13.4."""
    if not _is_anything_there(state, seat):
        raise RuleBroken("HT-8.5", "nothing_there", "fault_nothing_there_at_all")


def _is_anything_there(state: State, seat: Seat) -> bool:
    """Whether there are pieces to take, or with the option pieces of others: HT-8.5, HT-13.4."""
    only_others = state.setup.remove_three == "move"
    return any(state.posts.translate(sets.OTHERS[seat] if only_others else sets.ALL_PIECES))


def spend(p: Play[State], seat: Seat, kind: board.Marker) -> None:
    """Turn a marker face down: HT-8.2."""
    p.emit(routes.MarkerUsed(seat, kind))


def use(p: Play[State], _step: Turn, move: moves.UseMarker) -> None:
    """Use a marker for more actions, or to take pieces from posts: HT-8.7."""
    spend(p, move.seat, move.kind)
    if move.kind in MORE_ACTIONS:
        p.emit(routes.ActionsGained(move.seat, MORE_ACTIONS[move.kind]))
    elif p.state.setup.remove_three == "move":
        p.then(steps.Moving((move.seat,), held=(), left=board.MAX_REMOVED, marker=True))
    else:
        p.then(steps.Removing((move.seat,), left=board.MAX_REMOVED))


def offer_improvements(state: State, _step: Turn, seat: Seat) -> list[moves.UseImprovement]:
    """Each ability that is not complete, if the seat has a marker for it: HT-8.6."""
    if not is_ready(state, seat, "improve_ability"):
        return []
    open_ones = (each for each in ABILITIES if not abilities.is_complete(state, seat, each))
    return [moves.UseImprovement(seat, ability) for ability in open_ones]


def check_improvement(state: State, _step: Turn, move: moves.UseImprovement) -> None:
    """Refuse to improve without a marker, or a complete ability: HT-8.6."""
    _check_usable(state, move.seat, "improve_ability")
    abilities.check_incomplete(state, move.seat, move.ability)


def improve(p: Play[State], _step: Turn, move: moves.UseImprovement) -> None:
    """Use a marker to improve any ability: HT-8.2, HT-8.6."""
    spend(p, move.seat, "improve_ability")
    abilities.improve(p, move.seat, board.ABILITY_NUMBER[move.ability], "HT-8.6")


def offer_swaps(state: State, _step: Turn, seat: Seat) -> list[moves.SwapOffices]:
    """Neighbouring offices of each city, if the seat has a marker for it: HT-8.4, HT-13.8."""
    if not is_ready(state, seat, "swap_offices"):
        return []
    return [
        moves.SwapOffices(seat, city.id, left)
        for city, span in zip(state.setup.map.cities, state.board.offices, strict=True)
        for left, at in enumerate(span[:-1])
        if _can_swap(state, seat, at)
    ]


def check_swap(state: State, _step: Turn, move: moves.SwapOffices) -> None:
    """Refuse to swap without a marker, or unless both offices are occupied: HT-8.4, HT-13.8."""
    _check_usable(state, move.seat, "swap_offices")
    offices = state.board.offices[places.city_number(state, move.city)]
    if not 0 <= move.left < len(offices) - 1:
        raise RuleBroken("HT-8.4", "no_neighbours", city=name_parts.city(move.city))
    at = offices.start + move.left
    if FREE in state.offices[at : at + 2]:
        raise RuleBroken("HT-8.4", "not_occupied")
    if not _can_swap(state, move.seat, at):
        raise RuleBroken("HT-13.8", "none_yours")


def _can_swap(state: State, seat: Seat, at: int) -> bool:
    """Whether both offices are occupied, with the option one by the seat: HT-8.4, HT-13.8."""
    pair = state.offices[at : at + 2]
    own = state.setup.swap == "any" or seat in map(table.owner_of, pair)
    return own and FREE not in pair


def swap(p: Play[State], _step: Turn, move: moves.SwapOffices) -> None:
    """Use a marker to swap two neighbouring offices: HT-8.4."""
    spend(p, move.seat, "swap_offices")
    p.emit(routes.OfficesSwapped(move.seat, move.city, move.left))


def offer_removals(state: State, _step: steps.Removing, seat: Seat) -> Iterator[moves.RemovePiece]:
    """One piece of each kind and owner on each route: HT-8.5."""
    names = sets.ground_of(state.board).names
    there = places.find_standing(state, sets.ALL_PIECES)
    return (moves.RemovePiece(seat, names[at]) for at, _ in there)


def check_remove(state: State, _step: steps.Removing, move: moves.RemovePiece) -> None:
    """Refuse a post without a piece: HT-8.5."""
    places.check_standing(state, move.post, "HT-8.5")


def remove(p: Play[State], step: steps.Removing, move: moves.RemovePiece) -> None:
    """Take a piece into the supply of its owner, and offer the next: HT-8.5."""
    code = p.state.posts[number_of(p.state, move.post)]
    owner, piece = table.owner_of(code), board.PIECES[table.piece_of(code)]
    p.emit(pieces.PieceRemoved(move.seat, owner, piece, move.post))
    if step.left > 1 and any(p.state.posts):
        p.then(steps.Removing((move.seat,), left=step.left - 1))


def check_stop(_state: State, step: steps.Removing, _move: moves.StopRemoving) -> None:
    """Refuse to stop before the first piece: HT-8.5."""
    if step.left == board.MAX_REMOVED:
        raise RuleBroken("HT-8.5", "must_remove")


def stop(_p: Play[State], _step: steps.Removing, _move: moves.StopRemoving) -> None:
    """Take no more pieces from posts: HT-8.5."""


def refill(p: Play[State], step: steps.Refill) -> None:
    """Draw markers until three are on the board, or end: HT-8.8, HT-9.3, HT-9.5, HT-13.3."""
    wanted = count_missing(p.state)
    if wanted > p.state.drawable():
        ends.end(p, "markers", "HT-9.3")
    elif ends.are_pieces_exhausted(p.state):
        ends.end(p, "pieces", "HT-9.5")
    else:
        p.then(steps.NextTurn(seat=(step.seat + 1) % p.state.seats))
        _draw(p, step.seat, wanted)


def count_missing(state: State) -> int:
    """How many markers must be laid: HT-8.8."""
    return max(0, board.ON_BOARD - len(state.markers) + state.markers.count(0))


def _draw(p: Play[State], seat: Seat, wanted: int) -> None:
    """Draw markers; those that were returned come last: HT-8.8, HT-8.10, HT-12.2."""
    if wanted:
        pile = list(p.state.pile)
        drawn = [draw(p.dice, pile) for _ in range(min(wanted, sum(pile)))]
        low = p.state.bottom[: wanted - len(drawn)]
        kinds = tuple(MARKERS[number] for number in (*drawn, *low))
        p.emit(course.MarkersDrawn(seat, kinds, len(low)))
        _lay_out(p, seat, kinds)


def _lay_out(p: Play[State], seat: Seat, kinds: tuple[board.Marker, ...]) -> None:
    """Ask for the routes of these markers; without a route they go to the bottom: HT-8.10."""
    if not kinds:
        return
    if any(can_take_marker(p.state, route) for route in range(len(p.state.markers))):
        p.then(steps.PlaceMarkers((seat,), kinds=kinds))
    else:
        p.emit(course.MarkersReturned(seat, kinds))


def can_take_marker(state: State, route: int) -> bool:
    """Whether a route can take a marker: HT-8.9."""
    return _hindrance(state, route) is None


def _hindrance(state: State, route: int) -> Literal["marker", "kind", "piece", "cities"] | None:
    """Why a route cannot take a marker now; None if it can: HT-8.9, HT-14.3, HT-14.4."""
    chart, span = state.board, state.board.posts[route]
    if state.markers[route]:
        return "marker"
    if route in chart.bare:
        return "kind"
    if any(state.posts[span.start : span.stop]):
        return "piece"
    if all(state.free_office(city) < 0 for city in chart.ends[route]):
        return "cities"
    return None


def offer_layings(state: State, step: steps.PlaceMarkers, seat: Seat) -> list[moves.PlaceMarker]:
    """Each drawn kind, on each route that can take a marker: HT-8.9."""
    routes = [
        route.id for at, route in enumerate(state.setup.map.routes) if can_take_marker(state, at)
    ]
    kinds = dict.fromkeys(step.kinds)
    return [moves.PlaceMarker(seat, kind, route) for kind in kinds for route in routes]


def check_laying(state: State, step: steps.PlaceMarkers, move: moves.PlaceMarker) -> None:
    """Refuse a marker that was not drawn, or a route that cannot take it: HT-8.9."""
    if move.kind not in step.kinds:
        raise RuleBroken("HT-8.9", "not_drawn", kind=name_parts.MARKERS[move.kind])
    _check_fits(state, places.route_number(state, move.route))


def _check_fits(state: State, route: int) -> None:
    """Refuse a route that cannot take a marker now: HT-8.9, HT-14.3, HT-14.4."""
    name = name_parts.route(state.setup.map.routes[route].id)
    match _hindrance(state, route):
        case "marker":
            raise RuleBroken("HT-8.9", "marker_there", route=name)
        case "kind":
            rule = "HT-14.4" if route in state.board.bonuses else "HT-14.3"
            raise RuleBroken(rule, "no_markers_here", route=name)
        case "piece":
            raise RuleBroken("HT-8.9", "piece_there", route=name)
        case "cities":
            raise RuleBroken("HT-8.9", "cities_complete", route=name)
        case None:
            pass


def lay(p: Play[State], step: steps.PlaceMarkers, move: moves.PlaceMarker) -> None:
    """Lay a drawn marker on a route, and ask for the others: HT-8.9."""
    p.emit(course.MarkerPlaced(move.seat, move.kind, move.route))
    kinds = list(step.kinds)
    kinds.remove(move.kind)
    _lay_out(p, move.seat, tuple(kinds))
