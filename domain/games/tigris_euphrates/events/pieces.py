"""Leaders, tiles and catastrophe tiles that come and go."""

from __future__ import annotations

from domain.engine.play import Event, Seat
from domain.games.tigris_euphrates import board
from domain.games.tigris_euphrates.events.changes import Source, score
from domain.games.tigris_euphrates.state.table import LastAction, State, United


class LeaderPlaced(Event[State]):
    """A leader came from in front of the screen to the board: TE-5.1."""

    seat: Seat
    color: board.Color
    at: board.Cell

    def apply(self, state: State) -> None:
        """On its cell."""
        state.post(board.leader_of(self.seat, self.color), state.board.number[self.at])
        state.last = LastAction(self.seat, "leader", self.color, (self.at,))


class LeaderMoved(Event[State]):
    """A leader went from one cell to another: TE-5.1."""

    seat: Seat
    color: board.Color
    origin: board.Cell
    at: board.Cell

    def apply(self, state: State) -> None:
        """On its new cell."""
        state.post(board.leader_of(self.seat, self.color), state.board.number[self.at])
        state.last = LastAction(self.seat, "leader", self.color, (self.origin, self.at))


class LeaderWithdrawn(Event[State]):
    """A player took a leader back: TE-5.1."""

    seat: Seat
    color: board.Color
    at: board.Cell

    def apply(self, state: State) -> None:
        """Off the board."""
        state.post(board.leader_of(self.seat, self.color), board.OFF)
        state.last = LastAction(self.seat, "withdraw", self.color, (self.at,))


class LeaderExiled(Event[State]):
    """A leader that had lost its last temple returned to its owner: TE-5.7."""

    seat: Seat
    color: board.Color
    at: board.Cell

    def apply(self, state: State) -> None:
        """Off the board."""
        state.post(board.leader_of(self.seat, self.color), board.OFF)


class TilePlaced(Event[State]):
    """A tile went from behind the screen to the board: TE-6.1."""

    seat: Seat
    color: board.Color
    at: board.Cell

    def apply(self, state: State) -> None:
        """From the hand to a cell."""
        number = board.COLOR_NUMBER[self.color]
        state.hands[self.seat][number] -= 1
        state.put(state.board.number[self.at], number + 1)
        state.last = LastAction(self.seat, "tile", self.color, (self.at,))


class TileScored(Event[State]):
    """The owner of the leader of its colour, or of the king, got a point for a tile: TE-6.5."""

    seat: Seat
    color: board.Color
    at: board.Cell
    leader: board.Color

    def apply(self, state: State) -> None:
        """One point."""
        source: Source = "tiles" if self.leader == self.color else "king"
        score(state, self.seat, self.color, 1, source)


class KingdomsUnited(Event[State]):
    """A tile united two kingdoms, and the unification tile lies on it: TE-6.6."""

    seat: Seat
    at: board.Cell
    sides: tuple[tuple[board.Cell, ...], tuple[board.Cell, ...]]

    def apply(self, state: State) -> None:
        """Keep both sides in mind."""
        state.united = United(self.at, self.sides)


class UnificationTileRemoved(Event[State]):
    """Nobody is at war any more, and the tile below is a tile like others: TE-11.2, TE-11.11."""

    at: board.Cell

    def apply(self, state: State) -> None:
        """Only the marker goes."""
        state.united = None


class CatastrophePlaced(Event[State]):
    """A catastrophe tile covers a cell for good, and the tile there is gone: TE-7.1, TE-7.2."""

    seat: Seat
    at: board.Cell
    covered: board.Color | None

    def apply(self, state: State) -> None:
        """One less for its owner."""
        state.put(state.board.number[self.at], board.CATASTROPHE)
        state.catastrophes[self.seat] -= 1
        if self.covered is not None:
            state.gone[board.COLOR_NUMBER[self.covered]] += 1
        state.last = LastAction(self.seat, "catastrophe", self.covered, (self.at,))
