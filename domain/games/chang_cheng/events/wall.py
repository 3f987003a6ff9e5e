"""What can happen on the wall: pieces, looks, reservations."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Event, Seat
from domain.games.chang_cheng.board import CELL_NUMBER, MONGOL_NUMBER
from domain.games.chang_cheng.events.changes import pay, touch
from domain.games.chang_cheng.state.table import DOUBLE, NEUTRAL, OPEN, SINGLE, TOWER, State


class SingleBuilt(Event[State]):
    """A seat built one of its singles."""

    seat: Seat
    cell: str
    rule: str = "CC-4.1"

    def apply(self, state: State) -> None:
        """From the supply to the cell."""
        state.singles[self.seat + 1] -= 1
        state.build(CELL_NUMBER[self.cell], self.seat + 1, SINGLE)
        touch(state, self.seat, cells=(self.cell,))


class NeutralBuilt(Event[State]):
    """A seat built a neutral single."""

    seat: Seat
    cell: str
    rule: str = "CC-11.2"

    def apply(self, state: State) -> None:
        """From the box to the cell."""
        state.singles[NEUTRAL] -= 1
        state.build(CELL_NUMBER[self.cell], NEUTRAL, SINGLE)
        touch(state, self.seat, cells=(self.cell,))


class DoubleBuilt(Event[State]):
    """CC-4.4: a seat built its double and scored a point for each of these regions."""

    seat: Seat
    cells: tuple[str, str]
    regions: tuple[str, ...]
    points: int

    def apply(self, state: State) -> None:
        """From the supply to two cells."""
        state.doubles[self.seat + 1] -= 1
        for cell in self.cells:
            state.build(CELL_NUMBER[cell], self.seat + 1, DOUBLE)
        pay(state, self.seat, "double", self.points)
        touch(state, self.seat, cells=self.cells)


class TowerBuilt(Event[State]):
    """CC-4.5: a seat built its tower; these cells beside it are what it may reserve."""

    seat: Seat
    cell: str
    reserved: tuple[str, ...]

    def apply(self, state: State) -> None:
        """From the supply to the cell."""
        state.towers[self.seat + 1] -= 1
        state.build(CELL_NUMBER[self.cell], self.seat + 1, TOWER)
        state.reserved[self.seat] = tuple(CELL_NUMBER[cell] for cell in self.reserved)
        touch(state, self.seat, cells=(self.cell,))


class ReservationEnded(Event[State]):
    """CC-5.5: the reservation of this seat ended."""

    seat: Seat

    def apply(self, state: State) -> None:
        """The cells beside the tower are like others."""
        state.reserved[self.seat] = ()


class ThreatSeen(Event[State]):
    """CC-9.2: a seat looked at a threat tile; the others do not know what it saw."""

    hidden_fields: ClassVar[tuple[str, ...]] = ("threat",)
    reveals: ClassVar[bool] = True

    seat: Seat
    region: str
    threat: int | None

    def apply(self, state: State) -> None:
        """Record that the seat knows it."""
        state.known[MONGOL_NUMBER[self.region]] |= 1 << self.seat


class ThreatOpened(Event[State]):
    """CC-12.5: a threat tile was turned face up until the end of the game."""

    reveals: ClassVar[bool] = True

    region: str
    threat: int

    def apply(self, state: State) -> None:
        """Record that all seats know it."""
        state.known[MONGOL_NUMBER[self.region]] = OPEN
