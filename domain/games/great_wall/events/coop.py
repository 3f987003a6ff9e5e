"""The events of the cooperative game, and the order of players that was chosen: GW-16.3."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.great_wall.state.counts import without
from domain.games.great_wall.state.table import State


class EventRevealed(Event[State]):
    """An event was revealed; what changes rules holds from now on: GW-16.14."""

    reveals: ClassVar[bool] = True

    event: str

    def apply(self, state: State) -> None:
        """From the deck; what it does at once is told by itself."""
        state.event_deck = without(state.event_deck, self.event)
        state.events = (*state.events, self.event)


class PlayersOrdered(Event[State]):
    """A seat let clans act in this order, which is not the Tea order: GW-16.3."""

    seat: Seat
    order: tuple[int, ...]

    def apply(self, state: State) -> None:
        """What they do is told by itself."""
