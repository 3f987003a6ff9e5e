"""Monuments and treasures."""

from __future__ import annotations

from domain.engine.play import Event, Seat
from domain.games.tigris_euphrates.board import (
    COLOR_NUMBER,
    FACE_DOWN,
    MONUMENTS,
    Cell,
    Color,
    Pair,
)
from domain.games.tigris_euphrates.events.counting import score
from domain.games.tigris_euphrates.state import LastAction, State


class MonumentBuilt(Event[State]):
    """TE-12.3: four tiles of a colour were turned face down below a monument."""

    seat: Seat
    monument: Pair
    color: Color
    cells: tuple[Cell, Cell, Cell, Cell]

    def apply(self, state: State) -> None:
        """Tiles that never have a colour again."""
        numbers = [state.board.number[name] for name in self.cells]
        for cell in numbers:
            state.put(cell, FACE_DOWN)
        state.monuments[MONUMENTS.index(self.monument)] = numbers[0]
        state.gone[COLOR_NUMBER[self.color]] += len(numbers)
        state.last = LastAction(self.seat, "monument", self.color, self.cells)


class MonumentDeclined(Event[State]):
    """TE-12.2: the active player built nothing."""

    seat: Seat

    def apply(self, state: State) -> None:
        """Nothing changes on the table."""


class TreasuresTaken(Event[State]):
    """TE-13.1: the owner of the trader took all treasures of a kingdom but one."""

    seat: Seat
    cells: tuple[Cell, ...]
    left: Cell

    def apply(self, state: State) -> None:
        """From the board behind the screen."""
        for name in self.cells:
            state.treasures[state.board.number[name]] = 0
        state.taken[self.seat] += len(self.cells)


class MonumentScored(Event[State]):
    """TE-14.1: a leader in the kingdom of a monument gave its owner a point."""

    seat: Seat
    monument: Pair
    color: Color

    def apply(self, state: State) -> None:
        """One point."""
        score(state, self.seat, self.color, 1, "monuments")
