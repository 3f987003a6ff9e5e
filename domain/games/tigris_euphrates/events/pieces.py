"""Leaders, tiles and catastrophe tiles that enter or leave the board."""

from __future__ import annotations

from domain.engine.play import Event, Seat
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.events.changes import Source, score
from domain.games.tigris_euphrates.state.table import LastAction, State, UnitedKingdoms


class LeaderPlaced(Event[State]):
    """A player placed a leader on the board: TE-5.1."""

    seat: Seat
    color: board.Color
    at: board.Cell

    def apply(self, state: State) -> None:
        """Place the leader."""
        state.post(board.leader_of(self.seat, self.color), state.board.number[self.at])
        state.last = LastAction(self.seat, "leader", self.color, (self.at,))


class LeaderMoved(Event[State]):
    """A player moved a leader from one cell to another: TE-5.1."""

    seat: Seat
    color: board.Color
    origin: board.Cell
    at: board.Cell

    def apply(self, state: State) -> None:
        """Move the leader to its new cell."""
        state.post(board.leader_of(self.seat, self.color), state.board.number[self.at])
        state.last = LastAction(self.seat, "leader", self.color, (self.origin, self.at))


class LeaderWithdrawn(Event[State]):
    """A player withdrew a leader from the board: TE-5.1."""

    seat: Seat
    color: board.Color
    at: board.Cell

    def apply(self, state: State) -> None:
        """Remove the leader from the board."""
        state.post(board.leader_of(self.seat, self.color), board.OFF)
        state.last = LastAction(self.seat, "withdraw", self.color, (self.at,))


class LeaderExiled(Event[State]):
    """A leader lost its last temple and returned to its owner: TE-5.7."""

    seat: Seat
    color: board.Color
    at: board.Cell

    def apply(self, state: State) -> None:
        """Remove the leader from the board."""
        state.post(board.leader_of(self.seat, self.color), board.OFF)


class TilePlaced(Event[State]):
    """A player placed a tile on the board: TE-6.1."""

    seat: Seat
    color: board.Color
    at: board.Cell

    def apply(self, state: State) -> None:
        """Move the tile from the hand to a cell."""
        number = board.COLOR_NUMBER[self.color]
        state.hands[self.seat][number] -= 1
        state.put(state.board.number[self.at], number + 1)
        state.last = LastAction(self.seat, "tile", self.color, (self.at,))


class TileScored(Event[State]):
    """The owner of the leader of its colour, or of the king, scored a point for a tile: TE-6.5."""

    seat: Seat
    color: board.Color
    at: board.Cell
    leader: board.Color

    def apply(self, state: State) -> None:
        """Score one point."""
        source: Source = "tiles" if self.leader == self.color else "king"
        score(state, self.seat, self.color, 1, source)


class KingdomsUnited(Event[State]):
    """A tile united two kingdoms, and the unification tile lies on it: TE-6.6."""

    seat: Seat
    at: board.Cell
    sides: tuple[tuple[board.Cell, ...], tuple[board.Cell, ...]]

    def apply(self, state: State) -> None:
        """Record both sides."""
        state.united = UnitedKingdoms(self.at, self.sides)


class UnificationTileRemoved(Event[State]):
    """The wars are over, and the tile below counts like any other."""

    at: board.Cell
    rule: str = "TE-11.2"

    def apply(self, state: State) -> None:
        """Remove only the marker."""
        state.united = None


class CatastrophePlaced(Event[State]):
    """A catastrophe tile covers a cell for ever; a tile there leaves the game: TE-7.2."""

    seat: Seat
    at: board.Cell
    covered: board.Color | None

    def apply(self, state: State) -> None:
        """Cover the cell, and take one catastrophe tile from its owner."""
        state.put(state.board.number[self.at], board.CATASTROPHE)
        state.catastrophes_left[self.seat] -= 1
        if self.covered is not None:
            state.gone[board.COLOR_NUMBER[self.covered]] += 1
        state.last = LastAction(self.seat, "catastrophe", self.covered, (self.at,))
