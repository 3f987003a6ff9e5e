"""What a player can choose."""

from __future__ import annotations

from typing import ClassVar

from domain.engine.play import Move
from domain.games.tigris_euphrates.board import Cell, Color, Pair


class PlaceLeader(Move):
    """Place the leader of a colour on a cell, or move it there: TE-5.1."""

    color: Color
    at: Cell


class WithdrawLeader(Move):
    """Take the leader of a colour back from the board: TE-5.1."""

    color: Color


class PlaceTile(Move):
    """Place a tile of the hand: TE-6.1."""

    color: Color
    at: Cell


class PlaceCatastrophe(Move):
    """Place a catastrophe tile: TE-7.1."""

    at: Cell


class DiscardTile(Move):
    """Put a tile of the hand away, to draw another one for it: TE-8.1."""

    sealed: ClassVar[bool] = True

    color: Color


class DrawTiles(Move):
    """Draw as many tiles as were put away: TE-8.1."""


class Pass(Move):
    """Let an action go by: TE-3.2."""


class ChooseColor(Move):
    """Say which colour is fought over next: TE-11.3."""

    color: Color


class CommitTiles(Move):
    """Commit this many tiles to the conflict: TE-9.3."""

    count: int


class BuildMonument(Move):
    """Build this monument on the square whose top left cell this is: TE-12.2."""

    monument: Pair
    at: Cell


class DeclineMonument(Move):
    """Build none: TE-12.2."""


class LeaveTreasure(Move):
    """Take all treasures of the kingdom but this one: TE-13.2."""

    at: Cell


InTurn = PlaceLeader | WithdrawLeader | PlaceTile | PlaceCatastrophe | DiscardTile | Pass
"""What an action of a turn can be: TE-3.1."""
