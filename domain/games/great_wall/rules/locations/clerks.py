"""Moves of clerks: GW-6.1, GW-6.2."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import clerks
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda.clerks import MoveClerks, Spread
from domain.games.great_wall.state.counts import plus
from domain.games.great_wall.state.crowds import (
    BIT,
    EVERYWHERE,
    Places,
    crowd,
    find_visited,
    list_places,
    set_of,
)
from domain.games.great_wall.state.table import State

MAX_DESTINATIONS = 2
"""How many destinations a move to one or two Locations can have: GW-6.2."""


def ask_moves(p: Play[State], seat: Seat, count: int | None, spread: Spread) -> None:
    """Let a seat move up to that many of its clerks, or each of them once: GW-6.2."""
    left = p.state.clans[seat].clerks_owned if count is None else count
    if left > 0:
        p.then(steps.Ask(step=MoveClerks((seat,), left=left, spread=spread)))


@lru_cache(2**12)
def moves_to(
    goals: Places, seat: Seat, origin: board.Location | None
) -> tuple[moves.MoveClerk, ...]:
    """The moves of a clerk from there to each of these Locations."""
    return tuple(moves.MoveClerk(seat, goal, origin) for goal in list_places(goals))


def offer_ways(state: State, step: MoveClerks, seat: Seat) -> list[moves.MoveClerk]:
    """From the pool and each Location that a clerk can leave, to each with a free slot: GW-6.2."""
    if step.left < 1:
        return []
    full, clan = state.find_full_places(), state.clans[seat]
    goals = places_with_room(state, full) & _places_allowed(step)
    found = list(moves_to(goals, seat, None)) if clan.clerks_pool else []
    for origin in list_places(find_visited(crowd(clan.clerks)) & ~full):
        if origin not in step.moved or clan.at(origin) > step.moved.count(origin):
            found += moves_to(goals & ~BIT[origin], seat, origin)
    return found


def places_with_room(state: State, full: Places) -> Places:
    """The Locations where a clerk can go, when these are full: GW-6.1, GW-18.5."""
    return EVERYWHERE & ~full & ~modifiers.find_closed(state)


def _places_allowed(step: MoveClerks) -> Places:
    """Where the next clerk may go, after the clerks that this effect moved: GW-6.2."""
    if step.spread == "distinct":
        return EVERYWHERE & ~set_of(step.moved)
    if step.spread == "any" or len(set(step.moved)) < MAX_DESTINATIONS:
        return EVERYWHERE
    return set_of(step.moved)


def check_way(state: State, step: MoveClerks, move: moves.MoveClerk) -> None:
    """Refuse a clerk that cannot leave, and a Location where it cannot go: GW-6.1, GW-6.2."""
    if step.left < 1:
        raise RuleBroken("GW-6.2", "no_more", "fault_no_more_clerks")
    _check_origin(state, step, move)
    check_room(state, move.to)
    if move.to == move.origin:
        raise RuleBroken("GW-6.2", "same_place")
    if not _places_allowed(step) & BIT[move.to]:
        raise RuleBroken("GW-6.2", "wrong_spread")


def _check_origin(state: State, step: MoveClerks, move: moves.MoveClerk) -> None:
    """Refuse an origin without a clerk that may move: GW-6.2."""
    clan = state.clans[move.seat]
    if move.origin is None:
        if not clan.clerks_pool:
            raise RuleBroken("GW-6.2", "no_clerk", "fault_no_clerk_in_the_pool")
        return
    if clan.at(move.origin) <= step.moved.count(move.origin):
        raise RuleBroken("GW-6.2", "no_clerk")
    check_leave(state, move.origin)


def check_leave(state: State, location: board.Location) -> None:
    """Refuse to take a clerk from a full regular Location: GW-6.2, GW-15.4."""
    if state.is_full(location):
        raise RuleBroken("GW-6.2", "full")


def check_room(state: State, location: board.Location) -> None:
    """Refuse a Location without a free slot, and a closed one: GW-6.1, GW-18.5."""
    if modifiers.is_closed(state, location):
        raise RuleBroken("GW-6.1", "closed")
    if state.is_full(location):
        raise RuleBroken("GW-6.1", "no_slot")


def move_clerk(p: Play[State], step: MoveClerks, move: moves.MoveClerk) -> None:
    """Move a clerk, and offer the next: GW-6.2."""
    p.emit(clerks.ClerkMoved(move.seat, move.origin, move.to, step.rule))
    again = replace(step, seats=(move.seat,), left=step.left - 1, moved=(*step.moved, move.to))
    p.then(steps.Ask(step=again))


def send_back(p: Play[State], where: str, count: int) -> None:
    """Let every player take clerks back from these Locations, in Tea order: GW-18.6."""
    asked = []
    for seat in p.state.players:
        there = sum(p.state.clans[seat].at(location) for location in board.LOCATIONS_BY_WORD[where])
        if left := min(count, there):
            asked.append(steps.Ask(step=clerk_steps.SendBack((seat,), left=left, where=where)))
    p.then(*asked)


def offer_returns(
    state: State, step: clerk_steps.SendBack, seat: Seat
) -> Iterator[moves.SendClerkBack]:
    """Each of these Locations where the seat has a clerk: GW-18.6."""
    for location in board.LOCATIONS_BY_WORD[step.where]:
        if state.clans[seat].at(location):
            yield moves.SendClerkBack(seat, location)


def check_return(state: State, step: clerk_steps.SendBack, move: moves.SendClerkBack) -> None:
    """Refuse a Location without a clerk of the seat, and another kind of Location: GW-18.6."""
    if move not in offer_returns(state, step, move.seat):
        raise RuleBroken("GW-18.6", "no_clerk", "fault_no_clerk_to_take_back")


def take_back(p: Play[State], step: clerk_steps.SendBack, move: moves.SendClerkBack) -> None:
    """Take a clerk back, and ask for the next: GW-18.6."""
    row = plus((0,) * len(p.state.clans), move.seat)
    p.emit(clerks.ClerksReturned(move.location, row, "GW-18.6"))
    if step.left > 1:
        again = clerk_steps.SendBack((move.seat,), left=step.left - 1, where=step.where)
        p.then(steps.Ask(step=again))
