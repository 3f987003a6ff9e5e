"""Resources, honor, building, tactic cards, Shame."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from domain.engine.play import Event, Seat
from domain.games.great_wall import board
from domain.games.great_wall.events.changes import counts_of, give, score, take
from domain.games.great_wall.state.clans import Clan, Source
from domain.games.great_wall.state.counts import add, plus, put, subtract, without
from domain.games.great_wall.state.table import State


class ResourcesTaken(Event[State]):
    """A seat took resources from the supply."""

    seat: Seat
    resources: board.Cost
    rule: str = "GW-8.3"

    def apply(self, state: State) -> None:
        """Add them to the pool."""
        take(state.clans[self.seat], self.resources)


class ResourcesLost(Event[State]):
    """A seat gave resources back to the supply without a return."""

    seat: Seat
    resources: board.Cost
    rule: str = "GW-13.6"

    def apply(self, state: State) -> None:
        """Remove them from the pool."""
        give(state.clans[self.seat], self.resources)


class Paid(Event[State]):
    """A seat paid resources and honor."""

    seat: Seat
    resources: board.Cost
    honor: int
    rule: str = "GW-18.6"

    def apply(self, state: State) -> None:
        """Remove them from the pool."""
        clan = state.clans[self.seat]
        give(clan, self.resources)
        score(clan, -self.honor, "costs")


class WarehousePaid(Event[State]):
    """A builder used resources of the Warehouse."""

    seat: Seat
    resources: board.Cost
    rule: str = "GW-8.8"

    def apply(self, state: State) -> None:
        """Remove them from the Warehouse."""
        state.warehouse = subtract(state.warehouse, counts_of(self.resources))


class WarehouseStocked(Event[State]):
    """Resources came from the supply to the Warehouse."""

    clan: int
    resources: board.Cost
    rule: str = "GW-15.7"

    def apply(self, state: State) -> None:
        """Add them to the Warehouse, for all builders."""
        state.warehouse = add(state.warehouse, counts_of(self.resources))


class ResourceDonated(Event[State]):
    """A seat put a resource into the Warehouse, for honor: GW-8.5."""

    seat: Seat
    resource: board.Resource
    honor: int

    def apply(self, state: State) -> None:
        """Move it from the pool to the Warehouse, and add the honor."""
        clan, number = state.clans[self.seat], board.RESOURCE_NUMBER[self.resource]
        clan.resources = plus(clan.resources, number, -1)
        state.warehouse = plus(state.warehouse, number)
        score(clan, self.honor, "donations")


class HonorChanged(Event[State]):
    """A seat got or lost honor."""

    seat: Seat
    honor: int
    source: Source
    rule: str = "GW-18.6"

    def apply(self, state: State) -> None:
        """Add or remove the honor."""
        score(state.clans[self.seat], self.honor, self.source)


class BarricadeBuilt(Event[State]):
    """A clan put a Barricade on a Section."""

    clan: int
    section: board.Section
    honor: int
    rule: str = "GW-8.8"

    def apply(self, state: State) -> None:
        """Add the Barricade, which stands until the end of Winter."""
        state.barricades = plus(state.barricades, board.SECTION_NUMBER[self.section])
        score(state.clans[self.clan], self.honor, "barricades")


class WallBuilt(Event[State]):
    """A seat built the next Wall part of a Section, which now has this level."""

    seat: Seat
    section: board.Section
    level: int
    honor: int
    rule: str = "GW-8.8"

    def apply(self, state: State) -> None:
        """Set the level. Archers there stay in their Firing spots."""
        state.walls = put(state.walls, board.SECTION_NUMBER[self.section], self.level)
        score(state.clans[self.seat], self.honor, "walls")


class TacticDrawn(Event[State]):
    """A seat drew a tactic card, which only it knows."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("card",)
    reveals: ClassVar[bool] = True

    seat: Seat
    card: str | None
    rule: str = "GW-8.11"

    def apply(self, state: State) -> None:
        """Move the card from the deck to the hand."""
        assert self.card is not None
        clan = state.clans[self.seat]
        state.tactic_deck = without(state.tactic_deck, self.card)
        clan.tactics = (*clan.tactics, self.card)


class TacticDiscarded(Event[State]):
    """A seat discarded a tactic card."""

    seat: Seat
    card: str
    rule: str = "GW-9.5"

    def apply(self, state: State) -> None:
        """Move the card from the hand to the discard."""
        clan = state.clans[self.seat]
        clan.tactics = without(clan.tactics, self.card)
        state.tactic_discard = (*state.tactic_discard, self.card)


class TacticsReshuffled(Event[State]):
    """The discarded tactic cards became the deck: GW-1.4."""

    cards: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Make them the deck, without an order."""
        state.tactic_deck, state.tactic_discard = self.cards, ()


class ShameTaken(Event[State]):
    """A seat put a Shame token under a soldier, or on a claimed Horde card."""

    seat: Seat
    soldier: board.Soldier | None
    card: str | None
    rule: str = "GW-13.6"

    def apply(self, state: State) -> None:
        """Move the token out of the Shame pool."""
        state.shame -= 1
        _move_shame(state.clans[self.seat], self.soldier, self.card, 1)


class ShameUnplaced(Event[State]):
    """A seat lost honor for a Shame token that it could not take."""

    seat: Seat
    honor: int
    empty: bool
    """Whether the Shame pool was empty; otherwise the token left the game."""
    rule: str = "GW-13.6"

    def apply(self, state: State) -> None:
        """Remove the honor, and the token if there was one."""
        if not self.empty:
            state.shame -= 1
        score(state.clans[self.seat], -self.honor, "shame")


class ShameReturned(Event[State]):
    """A seat returned a Shame token from a soldier or a Horde card."""

    seat: Seat
    soldier: board.Soldier | None
    card: str | None
    rule: str = "GW-12.2"

    def apply(self, state: State) -> None:
        """Move the token back to the Shame pool."""
        state.shame += 1
        _move_shame(state.clans[self.seat], self.soldier, self.card, -1)


def _move_shame(clan: Clan, soldier: board.Soldier | None, card: str | None, count: int) -> None:
    """Add tokens under soldiers or on a Horde card, or remove them if `count` is negative."""
    if soldier is not None:
        number = board.SOLDIER_NUMBER[soldier]
        clan.pool = plus(clan.pool, number, -count)
        clan.shamed = plus(clan.shamed, number, count)
    if card is not None:
        clan.claimed = tuple(
            msgspec.structs.replace(one, shame=one.shame + count) if one.card == card else one
            for one in clan.claimed
        )
