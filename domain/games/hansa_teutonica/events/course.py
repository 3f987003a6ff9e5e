"""Events of the course of the game: beginning, turns, markers for the board, the end."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from domain.engine.play import Event, Seat
from domain.games.hansa_teutonica.board import MARKER_NUMBER, Country, Marker
from domain.games.hansa_teutonica.state import table
from domain.games.hansa_teutonica.state.table import KINDS, State, code_of

Counts = tuple[int, int]
"""Traders and merchants."""


class MarkerOnRoute(msgspec.Struct, frozen=True, gc=False):
    """A marker and the route it lies on."""

    route: str
    kind: Marker


class FirstPlayerChosen(Event[State]):
    """HT-2.5: this seat begins; by seat, the pieces of its supply."""

    seat: Seat
    supplies: tuple[Counts, ...]

    def apply(self, state: State) -> None:
        """Move the pieces from the stocks to the supplies."""
        state.active = self.seat
        for seat, counts in enumerate(self.supplies):
            for piece, count in enumerate(counts):
                state.stock[code_of(seat, piece)] -= count
                state.supply[code_of(seat, piece)] += count


class TavernsFilled(Event[State]):
    """HT-2.2: the starting markers lie on the routes with a tavern."""

    reveals: ClassVar[bool] = True

    markers: tuple[MarkerOnRoute, ...]

    def apply(self, state: State) -> None:
        """Move the markers from the pile to the board."""
        for marker in self.markers:
            number = MARKER_NUMBER[marker.kind]
            state.pile[number] -= 1
            state.markers[state.board.route_number[marker.route]] = number + 1


class PawnPlaced(Event[State]):
    """HT-11.3: the second player put the pawn into a province."""

    seat: Seat
    province: str

    def apply(self, state: State) -> None:
        """Put the pawn there."""
        state.pawn = self.province


class PawnMoved(Event[State]):
    """The pawn went to another province, for an action or freely."""

    seat: Seat
    province: str
    paid: bool
    closes: bool

    @property
    def rule(self) -> str:
        """The rule for an action, or for a free move."""
        return "HT-11.7" if self.paid else "HT-11.6"

    def apply(self, state: State) -> None:
        """Set the province. A free move after an action closes the turn."""
        state.pawn = self.province
        state.pawn_moved = state.pawn_moved or not self.paid
        state.closed = self.closes
        state.last = table.LastDeed(self.seat, "pawn")


class TurnBegan(Event[State]):
    """HT-3.1: a seat began its turn, with these actions."""

    seat: Seat
    turn: int
    actions: int

    def apply(self, state: State) -> None:
        """Begin the turn, with nothing done in it."""
        state.active, state.turn, state.actions = self.seat, self.turn, self.actions
        state.acted = state.pawn_moved = state.closed = False
        state.passes = ()
        state.fresh = bytearray(KINDS)


class ActionSpent(Event[State]):
    """HT-3.2: an action was used; some may be left."""

    seat: Seat
    left: int

    def apply(self, state: State) -> None:
        """Remove an action; later events record its effect."""
        state.actions = self.left
        state.acted = True
        state.last = None


class PermissionUsed(Event[State]):
    """HT-14.12: a city permitted a seat to place or displace in a country."""

    seat: Seat
    city: str
    country: Country

    def apply(self, state: State) -> None:
        """Record it for this turn."""
        state.passes += (self.city,)


class TurnEnded(Event[State]):
    """HT-3.3: a seat ended its turn; actions that were left are lost."""

    seat: Seat
    unused: int

    def apply(self, state: State) -> None:
        """Remove the actions; markers taken in this turn can be used from now on."""
        state.actions = 0
        state.fresh = bytearray(KINDS)


class MarkersDrawn(Event[State]):
    """HT-8.8: markers were drawn from the supply and shown to all."""

    reveals: ClassVar[bool] = True

    seat: Seat
    kinds: tuple[Marker, ...]
    from_bottom: int

    def apply(self, state: State) -> None:
        """Take them from the pile; after the last, those that were returned below it."""
        for kind in self.kinds[: len(self.kinds) - self.from_bottom]:
            state.pile[MARKER_NUMBER[kind]] -= 1
        state.bottom = state.bottom[self.from_bottom :]


class MarkerPlaced(Event[State]):
    """HT-8.9: a seat laid a drawn marker on a route."""

    seat: Seat
    kind: Marker
    route: str

    def apply(self, state: State) -> None:
        """Lay it on the board."""
        state.markers[state.board.route_number[self.route]] = MARKER_NUMBER[self.kind] + 1
        state.last = table.LastDeed(self.seat, "refill", self.route)


class MarkersReturned(Event[State]):
    """HT-8.10: no route could take these markers; they lie at the bottom of the supply."""

    seat: Seat
    kinds: tuple[Marker, ...]

    def apply(self, state: State) -> None:
        """Put them below all others."""
        state.bottom += bytes(MARKER_NUMBER[kind] for kind in self.kinds)


class GameEnded(Event[State]):
    """The game is over; the points by seat."""

    reason: table.EndReason
    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    rule: str = "HT-9.1"

    def apply(self, state: State) -> None:
        """Record the reason and the winners."""
        state.ended = self.reason
        state.winners = self.winners
