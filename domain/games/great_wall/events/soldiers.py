"""Soldiers: where they go, what they wound, which of them die."""

from __future__ import annotations

from domain.engine.play import Event, Seat
from domain.games.great_wall import board
from domain.games.great_wall.events.changes import lay, muster, post, rest
from domain.games.great_wall.state.agenda.soldiers import Origin, Unit
from domain.games.great_wall.state.clans import Clan
from domain.games.great_wall.state.table import State


class SoldierAttacked(Event[State]):
    """A Spearman or a Horseman went onto a Horde card, from the pool or a Rest Zone."""

    clan: int
    soldier: board.Soldier
    origin: Origin
    section: board.Section
    row: int
    card: str
    spots: tuple[int, ...]
    rule: str = "GW-10.2"

    def apply(self, state: State) -> None:
        """Put the soldier on its spots."""
        clan = state.clans[self.clan]
        _leave(clan, self.origin, self.section, self.soldier)
        horde = state.horde_cards(self.section)[self.row]
        lay(state, self.section, self.row, horde.with_soldier(self.clan, self.spots))


class ArcherShot(Event[State]):
    """An Archer took a Firing spot, unless it stood there, and wounded a Horde card."""

    seat: Seat
    origin: Origin
    section: board.Section
    row: int
    card: str
    spot: int
    rule: str = "GW-10.2"

    def apply(self, state: State) -> None:
        """Put a Wound marker on the spot."""
        _take_post(state.clans[self.seat], self.origin, self.section)
        _wound(state, self.section, self.row, self.spot)


class ArcherPosted(Event[State]):
    """An Archer took a Firing spot and found nothing to wound."""

    seat: Seat
    origin: Origin
    section: board.Section
    rule: str = "GW-10.2"

    def apply(self, state: State) -> None:
        """Put the Archer on the Wall."""
        _take_post(state.clans[self.seat], self.origin, self.section)


class SoldierRested(Event[State]):
    """A recruit went to a Rest Zone: GW-8.6."""

    seat: Seat
    soldier: board.Soldier
    section: board.Section

    def apply(self, state: State) -> None:
        """Move the soldier from the pool."""
        clan = state.clans[self.seat]
        muster(clan, self.soldier, -1)
        rest(clan, self.section, self.soldier)


class SoldierMoved(Event[State]):
    """A soldier went from one Section to another: GW-8.10."""

    seat: Seat
    soldier: board.Soldier
    origin: board.Section
    fired: bool  # whether it left a Firing spot
    to: board.Section
    fires: bool  # whether it took a Firing spot

    def apply(self, state: State) -> None:
        """Move the soldier from a Rest Zone or a Firing spot to another one."""
        clan = state.clans[self.seat]
        if self.fired:
            post(clan, self.origin, -1)
        else:
            rest(clan, self.origin, self.soldier, -1)
        if self.fires:
            post(clan, self.to)
        else:
            rest(clan, self.to, self.soldier)


class WoundMade(Event[State]):
    """A seat put a Wound marker on a Horde card: GW-18.6."""

    seat: Seat
    section: board.Section
    row: int
    card: str
    spot: int

    def apply(self, state: State) -> None:
        """Put the marker there. It brings no reward."""
        _wound(state, self.section, self.row, self.spot)


class SoldiersKilled(Event[State]):
    """Soldiers of one clan were killed by one event, others of them saved."""

    clan: int
    killed: tuple[Unit, ...]
    saved: tuple[Unit, ...]
    rule: str = "GW-13.6"

    def apply(self, state: State) -> None:
        """Move killed soldiers to the pool, and saved ones to the Rest Zone of the Section."""
        clan = state.clans[self.clan]
        for unit in self.killed:
            withdraw(state, clan, unit)
            muster(clan, unit.soldier)
        for unit in self.saved:
            withdraw(state, clan, unit)
            rest(clan, unit.section, unit.soldier)


def _leave(clan: Clan, origin: Origin, section: board.Section, soldier: board.Soldier) -> None:
    if origin == "pool":
        muster(clan, soldier, -1)
    else:
        rest(clan, section, soldier, -1)


def _take_post(clan: Clan, origin: Origin, section: board.Section) -> None:
    if origin != "firing":
        _leave(clan, origin, section, "archer")
        post(clan, section)


def _wound(state: State, section: board.Section, row: int, *spots: int) -> None:
    lay(state, section, row, state.horde_cards(section)[row].with_wounds(spots))


def withdraw(state: State, clan: Clan, unit: Unit) -> None:
    """Remove a soldier from its place; Wound markers take the Vital spots it covered: GW-10.8."""
    match unit.place:
        case "firing":
            post(clan, unit.section, -1)
        case "rest":
            rest(clan, unit.section, unit.soldier, -1)
        case "horde":
            assert unit.card is not None
            assert unit.spot is not None
            place = state.find_horde(unit.card)
            assert place is not None
            _wound(state, place.section, place.row, *place.horde.spots_of(unit.spot))
