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
        """Note who began."""
        state.first = self.seat


class TilesDrawn(Event[State]):
    """Tiles came from the bag; the others know only how many: TE-2.4, TE-8.1, TE-14.2."""

    hidden: ClassVar[tuple[str, ...]] = ("colors",)
    reveals: ClassVar[bool] = True

    seat: Seat
    colors: tuple[Color | None, ...]

    def apply(self, state: State) -> None:
        """From the bag to the hand."""
        for color in self.colors:
            number = number_of(color)
            state.bag[number] -= 1
            state.hands[self.seat][number] += 1


class BagRanOut(Event[State]):
    """Tiles were missing when this seat drew: TE-8.3, TE-15.1."""

    seat: Seat
    missing: int

    def apply(self, state: State) -> None:
        """This turn is the last."""
        state.short = True


class TileDiscarded(Event[State]):
    """A tile was put away face down; only who did so knows its colour: TE-8.1, TE-16.4."""

    hidden: ClassVar[tuple[str, ...]] = ("color",)

    seat: Seat
    color: Color | None

    def apply(self, state: State) -> None:
        """From the hand out of the game."""
        number = number_of(self.color)
        state.hands[self.seat][number] -= 1
        state.swapped[self.seat][number] += 1
        state.last = LastAction(self.seat, "swap")


class ActionPassed(Event[State]):
    """A player let an action go by: TE-3.2."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Nothing changes on the table."""
        state.last = LastAction(self.seat, "pass")


class TurnEnded(Event[State]):
    """The turn of this seat is over, and everybody has drawn: TE-14.3."""

    seat: Seat

    def apply(self, state: State) -> None:
        """The next turn begins, or the game ends."""


class GameEnded(Event[State]):
    """The screens are removed; by seat and colour, points with treasures: TE-15.3, TE-15.4."""

    reveals: ClassVar[bool] = True

    reason: EndReason
    winners: tuple[Seat, ...]
    totals: tuple[tuple[int, ...], ...]

    def apply(self, state: State) -> None:
        """Note how it ended, and for whom."""
        state.ended = self.reason
        state.winners = self.winners
