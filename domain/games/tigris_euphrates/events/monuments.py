"""Monuments and treasures."""

from __future__ import annotations

from domain.engine.play import Event, Seat
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.events.changes import score
from domain.games.tigris_euphrates.state.table import LastAction, State


class MonumentBuilt(Event[State]):
    """Four tiles of a colour were turned face down below a monument: TE-12.3."""

    seat: Seat
    monument: board.Pair
    color: board.Color
    cells: tuple[board.Cell, board.Cell, board.Cell, board.Cell]

    def apply(self, state: State) -> None:
        """Turn four tiles face down for ever and place the monument."""
        numbers = [state.board.number[name] for name in self.cells]
        for cell in numbers:
            state.put(cell, board.FACE_DOWN)
        state.monuments[board.MONUMENTS.index(self.monument)] = numbers[0]
        state.gone[board.COLOR_NUMBER[self.color]] += len(numbers)
        state.last = LastAction(self.seat, "monument", self.color, self.cells)


class MonumentDeclined(Event[State]):
    """The active player declined to build: TE-12.2."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Change nothing."""


class TreasuresTaken(Event[State]):
    """The owner of the trader took all treasures of a kingdom but one: TE-13.1."""

    seat: Seat
    cells: tuple[board.Cell, ...]
    left: board.Cell

    def apply(self, state: State) -> None:
        """Move treasures from the board behind the screen."""
        for name in self.cells:
            state.treasures &= ~state.board.bits[state.board.number[name]]
        state.treasures_taken[self.seat] += len(self.cells)


class MonumentScored(Event[State]):
    """A leader in the kingdom of a monument gave its owner a point: TE-14.1."""

    seat: Seat
    monument: board.Pair
    color: board.Color

    def apply(self, state: State) -> None:
        """Score one point."""
        score(state, self.seat, self.color, 1, "monuments")
