"""Locations that activate, and how they are resolved: GW-6.3 to GW-6.7."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import clerks
from domain.games.great_wall.events.solo import QinChose
from domain.games.great_wall.rules import player_order, reed
from domain.games.great_wall.rules.effects import modifiers, triggers
from domain.games.great_wall.rules.goods import production, shame, supply
from domain.games.great_wall.rules.locations import barracks, builders, embassy, logistics
from domain.games.great_wall.rules.solo import clerks as his_clerks
from domain.games.great_wall.rules.solo import overlord
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda.clerks import AdvancedActivation, OrderActivations
from domain.games.great_wall.state.agenda.coop import ResolveInOrder
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.counts import put
from domain.games.great_wall.state.crowds import BIT, SPECIAL, Places, list_places
from domain.games.great_wall.state.table import State


def active_places(state: State) -> Places:
    """The regular Locations that are full, and the special ones that are visited: GW-6.3."""
    active = state.find_full_places() | state.find_visited_places() & SPECIAL
    return active & ~modifiers.find_closed(state)


def activates(state: State, location: board.Location) -> bool:
    """Whether a regular Location is full, or a special one visited: GW-6.3."""
    return bool(active_places(state) & BIT[location])


def begin(p: Play[State], _step: clerk_steps.ActivationStep) -> None:
    """Find the Locations that activate in this step: GW-6.4."""
    _go_on(p, list_places(active_places(p.state)))


def _go_on(p: Play[State], waiting: tuple[board.Location, ...]) -> None:
    if waiting:
        p.then(clerk_steps.NextActivation(waiting=waiting))


def ask_next(p: Play[State], step: clerk_steps.NextActivation) -> None:
    """Let the deciding clan choose one of the Locations that are left: GW-6.4, GW-14.7, GW-15.3."""
    if p.state.qin is not None and p.state.active == p.state.qin:
        active = active_places(p.state)
        left = tuple(place for place in step.waiting if active & BIT[place])
        if place := his_clerks.choose_first(p.state, left):
            p.emit(QinChose(place, "GW-14.7"))
            _resolve_next(p, step.waiting, place)
            return
    seat = reed.overlord(p.state)
    p.then(steps.Ask(step=OrderActivations((seat,), waiting=step.waiting)))


def offer_waiting(
    state: State, step: OrderActivations, seat: Seat
) -> Iterator[moves.ActivateLocation]:
    """The Locations that still activate: GW-6.4."""
    active = active_places(state)
    for location in step.waiting:
        if active & BIT[location]:
            yield moves.ActivateLocation(seat, location)


def check_waiting(state: State, step: OrderActivations, move: moves.ActivateLocation) -> None:
    """Refuse a Location that does not activate in this step: GW-6.4."""
    if move.location not in step.waiting:
        raise RuleBroken("GW-6.4", "not_waiting", "fault_not_waiting_location")
    if not activates(state, move.location):
        raise RuleBroken("GW-6.3", "not_active")


def resolve_next(p: Play[State], step: OrderActivations, move: moves.ActivateLocation) -> None:
    """Resolve this one, then the others: GW-6.4."""
    _resolve_next(p, step.waiting, move.location)


def _resolve_next(
    p: Play[State], waiting: tuple[board.Location, ...], location: board.Location
) -> None:
    _go_on(p, tuple(place for place in waiting if place != location))
    p.then(clerk_steps.ResolveLocation(location=location))


def ask_advanced(p: Play[State], seat: Seat, count: int, where: str) -> None:
    """Let a seat resolve up to that many Locations, full or not: GW-6.6, GW-18.6."""
    if count > 0:
        p.then(steps.Ask(step=AdvancedActivation((seat,), left=count, where=where)))


def offer_open(
    state: State, step: AdvancedActivation, seat: Seat
) -> Iterator[moves.ActivateLocation]:
    """Each such Location with a clerk that is not of the Reed Clan, unless it is closed: GW-6.6."""
    open_places = state.find_visited_places() & ~modifiers.find_closed(state)
    for location in board.LOCATIONS_BY_WORD[step.where]:
        if open_places & BIT[location]:
            yield moves.ActivateLocation(seat, location)


def check_open(state: State, step: AdvancedActivation, move: moves.ActivateLocation) -> None:
    """Refuse a Location without clerks, and another kind of Location: GW-6.6."""
    if move not in offer_open(state, step, move.seat):
        raise RuleBroken("GW-6.6", "no_clerks")


def resolve_advanced(
    p: Play[State], step: AdvancedActivation, move: moves.ActivateLocation
) -> None:
    """Resolve this one without a Shame icon, then offer another one: GW-6.6."""
    ask_advanced(p, move.seat, step.left - 1, step.where)
    p.then(clerk_steps.ResolveLocation(location=move.location, advanced=True))


def resolve(p: Play[State], step: clerk_steps.ResolveLocation) -> None:
    """Resolve a Location: the Shame icon, all clans there, abilities, the return of clerks: GW-6.5,
    GW-6.6, GW-6.7.

    In the cooperative game the Active player may choose the order of the clans, but not in
    production, where it makes no difference: GW-16.3.
    """
    location = step.location
    row = _count_clerks(p.state, location)
    p.emit(clerks.LocationActivated(location, step.advanced, row))
    there = tuple([clan for clan in p.state.tea if row[clan]])
    parts = ResolveInOrder(location=location, advanced=step.advanced, clans=there)
    if location not in board.PRODUCTION and player_order.is_chosen(p.state, there):
        player_order.ask(p, parts)
    else:
        resolve_in_order(p, parts)
    alone = len(there) == 1 and there[0] < p.state.seats
    if alone and board.PLACES[location].shame_icon and not step.advanced:
        shame.gain(p, there[0], 1, "GW-6.7")


def _count_clerks(state: State, location: board.Location) -> tuple[int, ...]:
    """By clan, the clerks in a Location."""
    number = board.LOCATION_NUMBER[location]
    return tuple([clan.clerks[number] for clan in state.clans])


def resolve_in_order(p: Play[State], step: ResolveInOrder) -> None:
    """These clans resolve a Location one after the other, then their clerks return: GW-6.5."""
    location, state = step.location, p.state
    seats = [clan for clan in step.clans if clan < state.seats]
    todo = _plan_parts(state, location, step.clans, seats, step.advanced)
    todo += [_fire(seat, location, state.clans[seat].at(location)) for seat in seats]
    triggers.plan_separate_events(p, *todo, clerk_steps.ReturnClerks(location=location))


def _plan_parts(
    state: State,
    location: board.Location,
    there: tuple[int, ...],
    seats: list[Seat],
    advanced: bool,
) -> list[Step]:
    """What the clans there do, in this order; in production part by part: GW-8.2, GW-8.7."""
    if location == "tea_house":
        top = len(there) == 1 and state.is_full(location) and not advanced
        return [clerk_steps.DrinkTea(clan=clan, top=top) for clan in there]
    parts: list[Step] = [clerk_steps.ResolveFor(clan=clan, location=location) for clan in there]
    if location in board.PRODUCTION:
        parts += [clerk_steps.OfferUpgrade(seat=seat, location=location) for seat in seats]
        parts += [clerk_steps.OfferDonation(seat=seat, location=location) for seat in seats]
    return parts


def _fire(seat: Seat, location: board.Location, count: int) -> steps.Fire:
    context = Context(location=location, clerks=count)
    return steps.Fire(trigger="location_activated", clans=(seat,), context=context)


def resolve_for(p: Play[State], step: clerk_steps.ResolveFor) -> None:
    """Let one clan resolve a Location with its clerks there: GW-6.5, GW-6.8, GW-8.11, GW-15.7."""
    location = step.location
    if step.clan >= p.state.seats:
        _resolve_unplayed(p, step.clan, location)
        return
    own = p.state.clans[step.clan].at(location)
    count = modifiers.count_clerks(p.state, step.clan, location, own)
    if location in board.PRODUCTION:
        production.gather(p, step.clan, location, count)
        return
    match location:
        case "barracks":
            barracks.recruit(p, step.clan, count)
        case "builders":
            builders.ask_build(p, step.clan, count)
        case "embassy":
            embassy.ask_hire(p, step.clan, count)
        case "logistics":
            logistics.ask_moves(p, step.clan, count)
        case _:
            supply.draw_tactics(p, step.clan, count, "GW-8.11")  # the War Academy


def _resolve_unplayed(p: Play[State], clan: int, location: board.Location) -> None:
    """Do what a clan without a seat does there: GW-14.7, GW-14.12, GW-15.7."""
    if clan == p.state.qin:
        his_clerks.resolve(p, location)
    elif p.state.qin is not None and p.state.active == p.state.qin:
        overlord.resolve(p, location)
    else:
        reed.resolve(p, location)


def return_clerks(p: Play[State], step: clerk_steps.ReturnClerks) -> None:
    """Return all clerks there, except those of the Reed Clan: GW-6.5, GW-15.4."""
    row, reed = _count_clerks(p.state, step.location), p.state.reed
    if reed is not None:
        row = put(row, reed, 0)
    p.emit(clerks.ClerksReturned(step.location, row))
