"""The course of the game: who begins, drawing, swapping, passing, the end."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.tigris_euphrates.board import Color
from domain.games.tigris_euphrates.events.changes import number_of
from domain.games.tigris_euphrates.state.table import EndReason, LastAction, State


class StartPlayerChosen(Event[State]):
    """This seat begins: TE-2.6."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Set the first player."""
        state.first = self.seat


class TilesDrawn(Event[State]):
    """A seat drew tiles from the bag; others know only how many."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("colors",)
    reveals: ClassVar[bool] = True

    seat: Seat
    colors: tuple[Color | None, ...]
    rule: str = "TE-14.2"

    def apply(self, state: State) -> None:
        """Move the tiles from the bag to the hand."""
        for color in self.colors:
            number = number_of(color)
            state.bag[number] -= 1
            state.hands[self.seat][number] += 1


class BagRanOut(Event[State]):
    """The bag had too few tiles when this seat drew: TE-15.1."""

    seat: Seat
    missing: int

    def apply(self, state: State) -> None:
        """Make this turn the last one."""
        state.short = True


class TileDiscarded(Event[State]):
    """A seat discarded a tile face down; only that seat knows its colour: TE-8.1."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("color",)

    seat: Seat
    color: Color | None

    def apply(self, state: State) -> None:
        """Move the tile from the hand out of the game."""
        number = number_of(self.color)
        state.hands[self.seat][number] -= 1
        state.discarded[self.seat][number] += 1
        state.last = LastAction(self.seat, "swap")


class ActionPassed(Event[State]):
    """A player passed an action: TE-3.2."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Change nothing."""
        state.last = LastAction(self.seat, "pass")


class TurnEnded(Event[State]):
    """The turn of this seat ended, and all players have drawn: TE-14.3."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Begin the next turn, or end the game."""


class GameEnded(Event[State]):
    """The game ended and the screens are removed; points with treasures by seat and colour:
    TE-15.1.
    """

    reveals: ClassVar[bool] = True

    reason: EndReason
    winners: tuple[Seat, ...]
    totals: tuple[tuple[int, ...], ...]

    def apply(self, state: State) -> None:
        """Set how the game ended and who won."""
        state.ended = self.reason
        state.winners = self.winners
