"""The events of the cooperative game, and the order that the Active player chose: GW-16.3."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.great_wall.state.counts import without
from domain.games.great_wall.state.table import State


class EventRevealed(Event[State]):
    """An event card was revealed; a change of rules on it holds from now on: GW-16.14."""

    reveals: ClassVar[bool] = True

    event: str

    def apply(self, state: State) -> None:
        """Move the card out of the deck. Other events record what it does at once."""
        state.event_deck = without(state.event_deck, self.event)
        state.events = (*state.events, self.event)


class PlayersOrdered(Event[State]):
    """A seat chose this order, which is not the Tea order, for clans to act in: GW-16.3."""

    seat: Seat
    order: tuple[int, ...]

    def apply(self, state: State) -> None:
        """Change nothing: other events record what the clans do."""
