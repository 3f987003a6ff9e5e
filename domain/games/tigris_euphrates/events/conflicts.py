"""Revolts and wars."""

from __future__ import annotations

from typing import Literal

from domain.engine.play import Event, Seat
from domain.games.tigris_euphrates.board import COLOR_NUMBER, EMPTY, OFF, Cell, Color, leader_of
from domain.games.tigris_euphrates.events.changes import count_conflict, score
from domain.games.tigris_euphrates.state.steps import Conflict
from domain.games.tigris_euphrates.state.table import LastConflict, State


class ConflictBegan(Event[State]):
    """Two leaders are in conflict; these are their supporters on the board: TE-9.1."""

    conflict: Conflict
    attacker_supporters: tuple[Cell, ...]
    defender_supporters: tuple[Cell, ...]

    def apply(self, state: State) -> None:
        """Reset the committed tiles."""
        state.committed = [0] * len(state.committed)


class WarChosen(Event[State]):
    """The active player chose which colour is fought over next: TE-11.3."""

    seat: Seat
    color: Color

    def apply(self, state: State) -> None:
        """Change nothing; the war follows."""


class TilesCommitted(Event[State]):
    """A player committed tiles to support a leader; the tiles leave the game: TE-9.3."""

    seat: Seat
    color: Color
    count: int

    def apply(self, state: State) -> None:
        """Move the tiles from the hand out of the game, face up."""
        number = COLOR_NUMBER[self.color]
        state.hands[self.seat][number] -= self.count
        state.gone[number] += self.count
        state.committed[self.seat] = self.count


class RevoltDecided(Event[State]):
    """The loser's leader left, the winner got a red point: TE-10.3."""

    color: Color
    winner: Seat
    loser: Seat
    attacker: Seat
    attacker_total: int
    defender_total: int
    returned: Cell

    def apply(self, state: State) -> None:
        """Remove the leader and score the red point."""
        score(state, self.winner, "red", 1, "revolts")
        _settle(state, "revolt", self, 1)


class WarDecided(Event[State]):
    """The loser's leader and supporters left, the winner scored: TE-11.6.

    `kept` are temples that supported the beaten priest but stay.
    """

    color: Color
    winner: Seat
    loser: Seat
    attacker: Seat
    attacker_total: int
    defender_total: int
    returned: Cell
    removed: tuple[Cell, ...]
    kept: tuple[Cell, ...]
    points: int

    def apply(self, state: State) -> None:
        """Remove leader and tiles from the board, and score points for the winner."""
        for name in self.removed:
            state.put(state.board.number[name], EMPTY)
        state.gone[COLOR_NUMBER[self.color]] += len(self.removed)
        score(state, self.winner, self.color, self.points, "wars")
        _settle(state, "war", self, self.points, self.removed)


def _settle(
    state: State,
    kind: Literal["revolt", "war"],
    end: RevoltDecided | WarDecided,
    points: int,
    removed: tuple[Cell, ...] = (),
) -> None:
    """Remove the beaten leader, spend the committed tiles, and record the outcome."""
    state.post(leader_of(end.loser, end.color), OFF)
    state.committed = [0] * len(state.committed)
    count_conflict(state, kind, end.winner, end.loser, end.attacker)
    state.conflict = LastConflict(
        kind=kind,
        color=end.color,
        winner=end.winner,
        loser=end.loser,
        attacker=end.attacker,
        attacker_total=end.attacker_total,
        defender_total=end.defender_total,
        points=points,
        removed=removed,
    )
