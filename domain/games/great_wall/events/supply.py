"""Resources, honor, building, tactic cards, Shame."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from domain.engine.play import Event, Seat
from domain.games.great_wall import board
from domain.games.great_wall.events.changes import counts_of, give, score, take
from domain.games.great_wall.state.clans import Clan, Source
from domain.games.great_wall.state.counts import added, plus, put, taken, without
from domain.games.great_wall.state.table import State


class ResourcesTaken(Event[State]):
    """A seat took resources from the supply: GW-8.3, GW-12.1."""

    seat: Seat
    resources: board.Cost

    def apply(self, state: State) -> None:
        """Into the pool."""
        take(state.clans[self.seat], self.resources)


class ResourcesLost(Event[State]):
    """A seat gave resources back to the supply, for nothing: GW-13.6."""

    seat: Seat
    resources: board.Cost

    def apply(self, state: State) -> None:
        """Out of the pool."""
        give(state.clans[self.seat], self.resources)


class Paid(Event[State]):
    """A seat paid resources and honor: GW-18.2."""

    seat: Seat
    resources: board.Cost
    honor: int

    def apply(self, state: State) -> None:
        """Out of the pool."""
        clan = state.clans[self.seat]
        give(clan, self.resources)
        score(clan, -self.honor, "costs")


class WarehousePaid(Event[State]):
    """Resources of the Warehouse were used to build: GW-8.8."""

    seat: Seat
    resources: board.Cost

    def apply(self, state: State) -> None:
        """They are gone."""
        state.warehouse = taken(state.warehouse, counts_of(self.resources))


class WarehouseStocked(Event[State]):
    """Resources came from the supply to the Warehouse: GW-15.7, GW-18.6."""

    clan: int
    resources: board.Cost

    def apply(self, state: State) -> None:
        """For anybody's building."""
        state.warehouse = added(state.warehouse, counts_of(self.resources))


class ResourceDonated(Event[State]):
    """A seat put a resource into the Warehouse, for honor: GW-8.5."""

    seat: Seat
    resource: board.Resource
    honor: int

    def apply(self, state: State) -> None:
        """From the pool to the Warehouse."""
        clan, number = state.clans[self.seat], board.RESOURCE_NUMBER[self.resource]
        clan.resources = plus(clan.resources, number, -1)
        state.warehouse = plus(state.warehouse, number)
        score(clan, self.honor, "donations")


class HonorChanged(Event[State]):
    """A seat got honor, or lost some: GW-1.7."""

    seat: Seat
    honor: int
    source: Source

    def apply(self, state: State) -> None:
        """What it has now."""
        score(state.clans[self.seat], self.honor, self.source)


class BarricadeBuilt(Event[State]):
    """A clan put a Barricade on a Section: GW-8.8, GW-15.7."""

    clan: int
    section: board.Section
    honor: int

    def apply(self, state: State) -> None:
        """Until the end of Winter."""
        state.barricades = plus(state.barricades, board.SECTION_NUMBER[self.section])
        score(state.clans[self.clan], self.honor, "barricades")


class WallBuilt(Event[State]):
    """A seat built the next Wall part of a Section, which has this level now: GW-8.8."""

    seat: Seat
    section: board.Section
    level: int
    honor: int

    def apply(self, state: State) -> None:
        """Archers there stay in their Firing spots."""
        state.walls = put(state.walls, board.SECTION_NUMBER[self.section], self.level)
        score(state.clans[self.seat], self.honor, "walls")


class TacticDrawn(Event[State]):
    """A seat drew a tactic card, which only it knows: GW-8.11."""

    hidden: ClassVar[tuple[str, ...]] = ("card",)
    reveals: ClassVar[bool] = True

    seat: Seat
    card: str | None

    def apply(self, state: State) -> None:
        """From the deck to the hand."""
        assert self.card is not None
        clan = state.clans[self.seat]
        state.tactic_deck = without(state.tactic_deck, self.card)
        clan.tactics = (*clan.tactics, self.card)


class TacticDiscarded(Event[State]):
    """A seat discarded a tactic card: GW-9.5."""

    seat: Seat
    card: str

    def apply(self, state: State) -> None:
        """From the hand to the discard."""
        clan = state.clans[self.seat]
        clan.tactics = without(clan.tactics, self.card)
        state.tactic_discard = (*state.tactic_discard, self.card)


class TacticsReshuffled(Event[State]):
    """The discarded tactic cards became the deck: GW-1.4."""

    cards: tuple[str, ...]

    def apply(self, state: State) -> None:
        """In no order."""
        state.tactic_deck, state.tactic_discard = self.cards, ()


class ShameTaken(Event[State]):
    """A seat put a Shame token under a soldier, or on a Horde card it claimed: GW-11.2."""

    seat: Seat
    soldier: board.Soldier | None
    card: str | None

    def apply(self, state: State) -> None:
        """From the Shame pool."""
        state.shame -= 1
        _shame(state.clans[self.seat], self.soldier, self.card, 1)


class ShameUnplaced(Event[State]):
    """A seat lost honor for a Shame token that it could not take: GW-11.2."""

    seat: Seat
    honor: int
    empty: bool
    """Whether the Shame pool was empty; otherwise the token left the game."""

    def apply(self, state: State) -> None:
        """Out of the pool, if one was there."""
        if not self.empty:
            state.shame -= 1
        score(state.clans[self.seat], -self.honor, "shame")


class ShameReturned(Event[State]):
    """A seat returned a Shame token from a soldier or a Horde card: GW-11.4."""

    seat: Seat
    soldier: board.Soldier | None
    card: str | None

    def apply(self, state: State) -> None:
        """Back to the Shame pool."""
        state.shame += 1
        _shame(state.clans[self.seat], self.soldier, self.card, -1)


def _shame(clan: Clan, soldier: board.Soldier | None, card: str | None, count: int) -> None:
    """So many tokens more under soldiers of a type or on a Horde card."""
    if soldier is not None:
        number = board.SOLDIER_NUMBER[soldier]
        clan.pool = plus(clan.pool, number, -count)
        clan.shamed = plus(clan.shamed, number, count)
    if card is not None:
        clan.claimed = tuple(
            msgspec.structs.replace(one, shame=one.shame + count) if one.card == card else one
            for one in clan.claimed
        )
