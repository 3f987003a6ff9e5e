"""Leaders, tiles and catastrophe tiles that come and go."""

from __future__ import annotations

from domain.engine.play import Event, Seat
from domain.games.tigris_euphrates.board import CATASTROPHE, COLOR_NUMBER, OFF, Cell, Color
from domain.games.tigris_euphrates.events.counting import Source, leader_of, score
from domain.games.tigris_euphrates.state import LastAction, State, United


class LeaderPlaced(Event[State]):
    """TE-5.1: a leader came from in front of the screen to the board."""

    seat: Seat
    color: Color
    at: Cell

    def apply(self, state: State) -> None:
        """On its cell."""
        state.post(leader_of(self.seat, self.color), state.board.number[self.at])
        state.last = LastAction(self.seat, "leader", self.color, (self.at,))


class LeaderMoved(Event[State]):
    """TE-5.1: a leader went from one cell to another."""

    seat: Seat
    color: Color
    origin: Cell
    at: Cell

    def apply(self, state: State) -> None:
        """On its new cell."""
        state.post(leader_of(self.seat, self.color), state.board.number[self.at])
        state.last = LastAction(self.seat, "leader", self.color, (self.origin, self.at))


class LeaderWithdrawn(Event[State]):
    """TE-5.1: a player took a leader back."""

    seat: Seat
    color: Color
    at: Cell

    def apply(self, state: State) -> None:
        """Off the board."""
        state.post(leader_of(self.seat, self.color), OFF)
        state.last = LastAction(self.seat, "withdraw", self.color, (self.at,))


class LeaderExiled(Event[State]):
    """TE-5.7: a leader that had lost its last temple returned to its owner."""

    seat: Seat
    color: Color
    at: Cell

    def apply(self, state: State) -> None:
        """Off the board."""
        state.post(leader_of(self.seat, self.color), OFF)


class TilePlaced(Event[State]):
    """TE-6.1: a tile went from behind the screen to the board."""

    seat: Seat
    color: Color
    at: Cell

    def apply(self, state: State) -> None:
        """From the hand to a cell."""
        number = COLOR_NUMBER[self.color]
        state.hands[self.seat][number] -= 1
        state.put(state.board.number[self.at], number + 1)
        state.last = LastAction(self.seat, "tile", self.color, (self.at,))


class TileScored(Event[State]):
    """TE-6.5: the owner of the leader of its colour, or of the king, got a point for a tile."""

    seat: Seat
    color: Color
    at: Cell
    leader: Color

    def apply(self, state: State) -> None:
        """One point."""
        source: Source = "tiles" if self.leader == self.color else "king"
        score(state, self.seat, self.color, 1, source)


class KingdomsUnited(Event[State]):
    """TE-6.6: a tile united two kingdoms, and the unification tile lies on it."""

    seat: Seat
    at: Cell
    sides: tuple[tuple[Cell, ...], tuple[Cell, ...]]

    def apply(self, state: State) -> None:
        """Keep both sides in mind."""
        state.united = United(self.at, self.sides)


class UnificationTileRemoved(Event[State]):
    """TE-11.2, TE-11.11: nobody is at war any more, and the tile below is a tile like others."""

    at: Cell

    def apply(self, state: State) -> None:
        """Only the marker goes."""
        state.united = None


class CatastrophePlaced(Event[State]):
    """TE-7.1, TE-7.2: a catastrophe tile covers a cell for good, and the tile there is gone."""

    seat: Seat
    at: Cell
    covered: Color | None

    def apply(self, state: State) -> None:
        """One less for its owner."""
        state.put(state.board.number[self.at], CATASTROPHE)
        state.catastrophes[self.seat] -= 1
        if self.covered is not None:
            state.gone[COLOR_NUMBER[self.covered]] += 1
        state.last = LastAction(self.seat, "catastrophe", self.covered, (self.at,))
