"""Clerks, Locations, the Tea order, advisors."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.great_wall import board
from domain.games.great_wall.state.clans import PRODUCTION_NUMBER, Overseer
from domain.games.great_wall.state.counts import plus, put, without
from domain.games.great_wall.state.table import ClerkBonus, State


class ClerkMoved(Event[State]):
    """A clerk went from the pool, or from a Location, to a Location."""

    clan: int
    origin: board.Location | None
    to: board.Location
    rule: str = "GW-6.2"

    def apply(self, state: State) -> None:
        """Move the clerk."""
        clan = state.clans[self.clan]
        if self.origin is None:
            clan.clerks_pool -= 1
        else:
            clan.clerks = plus(clan.clerks, board.LOCATION_NUMBER[self.origin], -1)
        clan.clerks = plus(clan.clerks, board.LOCATION_NUMBER[self.to])


class LocationActivated(Event[State]):
    """A clan began to resolve a Location with `clerks`, by clan."""

    location: board.Location
    advanced: bool
    clerks: tuple[int, ...]

    @property
    def rule(self) -> str:
        """The rule of an Advanced Activation, or of any other."""
        return "GW-6.6" if self.advanced else "GW-6.5"

    def apply(self, state: State) -> None:
        """Change nothing: later events record what happens there."""


class ClerksReturned(Event[State]):
    """These numbers of clerks, by clan, went from a Location back to the pool."""

    location: board.Location
    clerks: tuple[int, ...]
    rule: str = "GW-6.5"

    def apply(self, state: State) -> None:
        """Move the clerks. Those of the Reed Clan stay: GW-15.4."""
        number = board.LOCATION_NUMBER[self.location]
        for clan, count in zip(state.clans, self.clerks, strict=True):
            if count:
                clan.clerks = plus(clan.clerks, number, -count)
                clan.clerks_pool += count


class ClerkHired(Event[State]):
    """A clerk came from the Clerk space to the pool: GW-8.9."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Move a clerk of the seat."""
        clan = state.clans[self.seat]
        clan.clerks_space -= 1
        clan.clerks_pool += 1


class TeaMoved(Event[State]):
    """The Tea marker of a clan went up; `order` is the new order from the top."""

    clan: int
    order: tuple[int, ...]
    rule: str = "GW-8.7"

    def apply(self, state: State) -> None:
        """Set the Tea order."""
        state.tea = self.order


class AdvisorHired(Event[State]):
    """A seat hired an advisor of the track, permanently Active or Supporting: GW-8.9."""

    seat: Seat
    advisor: str
    active: bool

    def apply(self, state: State) -> None:
        """Move the advisor; the others slide to the left."""
        clan = state.clans[self.seat]
        state.advisors = without(state.advisors, self.advisor)
        if self.active:
            clan.active = (*clan.active, self.advisor)
        else:
            clan.supporting = (*clan.supporting, self.advisor)


class AdvisorsDiscarded(Event[State]):
    """Advisors left the track."""

    advisors: tuple[str, ...]
    rule: str = "GW-5.5"

    def apply(self, state: State) -> None:
        """Move the advisors to the discard; the others slide to the left."""
        for advisor in self.advisors:
            state.advisors = without(state.advisors, advisor)
        state.advisor_discard = (*state.advisor_discard, *self.advisors)


class AdvisorRevealed(Event[State]):
    """An advisor came to the right end of the track."""

    reveals: ClassVar[bool] = True

    advisor: str
    rule: str = "GW-5.5"

    def apply(self, state: State) -> None:
        """Move the advisor from the deck to the track."""
        state.advisor_deck = without(state.advisor_deck, self.advisor)
        state.advisors = (*state.advisors, self.advisor)


class AdvisorsReshuffled(Event[State]):
    """The discarded advisors became the deck: GW-1.4."""

    advisors: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Make them the deck, without an order."""
        state.advisor_deck, state.advisor_discard = self.advisors, ()


class ClerksDoubled(Event[State]):
    """Until the end of the turn each clerk of a seat in such Locations counts as more: GW-6.8."""

    seat: Seat
    where: str
    each: int

    def apply(self, state: State) -> None:
        """Record it for the Locations that the clan resolves in this turn."""
        new = ClerkBonus(self.seat, self.where, self.each)
        if new not in state.doubled:  # the same effect twice counts once
            state.doubled = (*state.doubled, new)


class OverseerUpgraded(Event[State]):
    """An Overseer reached a level; at the first level, this soldier became the Overseer."""

    seat: Seat
    location: board.Location
    level: int
    soldier: board.Soldier
    rule: str = "GW-8.4"

    def apply(self, state: State) -> None:
        """Set the level. A soldier that becomes an Overseer never leaves."""
        clan = state.clans[self.seat]
        if self.level == 1:
            clan.pool = plus(clan.pool, board.SOLDIER_NUMBER[self.soldier], -1)
        overseer = Overseer(self.level, self.soldier)
        clan.overseers = put(clan.overseers, PRODUCTION_NUMBER[self.location], overseer)
